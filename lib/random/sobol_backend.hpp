#pragma once
// Backends of Sobol's sequence; their arguments are checked.

#include "backend.hpp"

#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/detail/random/sobol.hpp>
#include <warpfold/random/sobol.hpp>

namespace warpfold::inline v0::random {

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
  if constexpr (what == variate::bits) return word;
  else if constexpr (sizeof(T) == 4)
    return what == variate::uniform ? detail::coordinate_of(word) : detail::normal_by_inverse(word);
  else {
    double const u = (static_cast<double>(word) + 0.5) * 0x1p-32; // exact
    return what == variate::uniform ? u : detail::inverse_normal(u);
  }
}

template <scrambling method>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t scrambled(std::uint32_t word,
                                                                    detail::sobol_key key) {
  if constexpr (method == scrambling::none) return word;
  else if constexpr (method == scrambling::digital_shift) return word ^ key.shift;
  else return detail::owen_scrambled(word, key.owen);
}

namespace gpu_impl {
template <class T>
void fill_points(cudaStream_t stream, variate what, wanted_points<T> const& all);
}
namespace host_impl {
template <class T>
void fill_points(host const& place, variate what, wanted_points<T> const& all);
}

} // namespace warpfold::inline v0::random
