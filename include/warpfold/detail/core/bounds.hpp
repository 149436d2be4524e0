#pragma once
// Bounds of numbers. nvcc reads a source three times, and <algorithm> is a third of a second of
// that.

#include <warpfold/detail/core/macros.hpp>

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

} // namespace warpfold::inline v0::detail
