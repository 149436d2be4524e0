#pragma once
// Bounds of numbers. nvcc reads a source three times, and <algorithm> is a third of a second of
// that.

#include <warpfold/detail/core/macros.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

template <class T>
WARPFOLD_HOST_DEVICE constexpr T smaller(T a, std::type_identity_t<T> b) {
  return b < a ? b : a;
}

template <class T>
WARPFOLD_HOST_DEVICE constexpr T larger(T a, std::type_identity_t<T> b) {
  return a < b ? b : a;
}

/// The number in [least, most] that is nearest to x.
template <class T>
WARPFOLD_HOST_DEVICE constexpr T clamped(T x, std::type_identity_t<T> least,
                                         std::type_identity_t<T> most) {
  return smaller(larger(x, least), most);
}

/// How many elements an array has: its capacity, or fewer if a word in the place's memory says so.
struct counted_size {
  std::uint64_t capacity;
  std::uint64_t const* count; ///< null if all count

  WARPFOLD_HOST_DEVICE counted_size(std::uint64_t all, std::uint64_t const* word = nullptr)
      : capacity{all}, count{word} {}
  /// Reads the count.
  WARPFOLD_HOST_DEVICE std::uint64_t get() const {
    return count ? smaller(*count, capacity) : capacity;
  }
};

} // namespace warpfold::inline v0::detail
