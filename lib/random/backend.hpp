#pragma once
// Checks of random numbers, and what their backends provide on arguments so checked.

#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/detail/random/sobol.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/random/sobol.hpp>

#include <cstddef>

namespace warpfold::inline v0::random {

using detail::variate;

/// Refuses samples behind the end of a sequence.
void check_range(std::uint64_t offset, std::size_t size);

// ---- Philox -------------------------------------------------------------------------------------

/// Samples that a block of words gives, and elements of an access of 16 bytes.
template <class T>
inline constexpr int width_of = 16 / sizeof(T);

/// Samples first ... first + size - 1 of a sequence, and where they go.
template <class T>
struct wanted {
  static constexpr int width = width_of<T>;

  detail::address sequence;
  std::uint64_t first;
  T* output;
  std::size_t size;

  /// Samples of the first block that precede sample `first`.
  WARPFOLD_HOST_DEVICE int skipped() const { return static_cast<int>(first % width); }
  WARPFOLD_HOST_DEVICE std::uint64_t first_block() const { return first / width; }
  WARPFOLD_HOST_DEVICE std::uint64_t blocks() const {
    return (size + static_cast<std::size_t>(skipped()) + width - 1) / width;
  }
};

/// Elements that are written at once.
template <class T>
struct alignas(16) pack {
  T of[width_of<T>];
};

/// A word of T's size as what is asked for.
template <variate what, class T, class Word>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T from_word(Word word) {
  if constexpr (what == variate::bits) return word;
  else if constexpr (what == variate::uniform) return detail::uniform_of_word<T>(word);
  else return detail::inverse_normal_of_word<T>(word);
}

/// A block of words as what is asked for, in order.
template <variate what, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pack<T> sample(detail::philox_words const& words) {
  auto const& w = words.of;
  if constexpr (what == variate::box_muller && sizeof(T) == 4) {
    auto const normals = detail::normals_of(words);
    return {{normals.of[0], normals.of[1], normals.of[2], normals.of[3]}};
  } else if constexpr (what == variate::box_muller) {
    auto const normals = detail::double_normals_of(words);
    return {{normals.of[0], normals.of[1]}};
  } else if constexpr (sizeof(T) == 4) {
    return {{from_word<what, T>(w[0]), from_word<what, T>(w[1]), from_word<what, T>(w[2]),
             from_word<what, T>(w[3])}};
  } else {
    return {{from_word<what, T>(detail::two_words(w[0], w[1])),
             from_word<what, T>(detail::two_words(w[2], w[3]))}};
  }
}

// ---- Sobol --------------------------------------------------------------------------------------

/// Points first ... first + points - 1; see sobol_options.
template <class T>
struct wanted_points {
  std::uint32_t const* directions;
  std::uint32_t dimensions;
  random::scrambling scrambling;
  std::uint64_t seed, replicate, first;
  std::uint64_t points;
  T* output;
};

/// A word as what is asked for: itself, a uniform number or a normal.
template <variate what, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T from_sobol_word(std::uint32_t word) {
  if constexpr (sizeof(T) == 8) {
    double const u = (static_cast<double>(word) + 0.5) * 0x1p-32; // exact
    return what == variate::uniform ? u : detail::inverse_normal(u);
  } else if constexpr (what == variate::uniform) return detail::coordinate_of(word);
  else return from_word<what, T>(word);
}

template <scrambling method>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t scrambled(std::uint32_t word,
                                                                    detail::sobol_key key) {
  if constexpr (method == scrambling::none) return word;
  else if constexpr (method == scrambling::digital_shift) return word ^ key.shift;
  else return detail::owen_scrambled(word, key.owen);
}

// ---- backends -----------------------------------------------------------------------------------

namespace gpu_impl {
template <class T>
void fill(cudaStream_t stream, variate what, wanted<T> const& all);
template <class T>
void fill_points(cudaStream_t stream, variate what, wanted_points<T> const& all);
} // namespace gpu_impl
namespace host_impl {
template <class T>
void fill(host const& place, variate what, wanted<T> const& all);
template <class T>
void fill_points(host const& place, variate what, wanted_points<T> const& all);
} // namespace host_impl

} // namespace warpfold::inline v0::random
