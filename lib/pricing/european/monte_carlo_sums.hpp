#pragma once
// What a simulation adds up for an option.

#include <warpfold/detail/core/macros.hpp>

#include <cstdint>

namespace warpfold::inline v0::pricing {

/// Of the samples of a tile.
template <int Sums>
struct tile_sums {
  double of[Sums];
  std::uint64_t paying; ///< paths

  WARPFOLD_HOST_DEVICE void operator+=(tile_sums const& other) {
    WARPFOLD_UNROLL
    for (int m = 0; m < Sums; ++m) of[m] += other.of[m];
    paying += other.paying;
  }
};

/// Of a replicate, whose means become samples: the means of its quantities, and their squares.
template <int Sums>
WARPFOLD_HOST_DEVICE tile_sums<Sums> of_means(tile_sums<Sums> const& replicate,
                                              std::uint64_t samples) {
  tile_sums<Sums> means{};
  WARPFOLD_UNROLL
  for (int m = 0; m < Sums; m += 2) {
    means.of[m] = replicate.of[m] / static_cast<double>(samples);
    means.of[m + 1] = means.of[m] * means.of[m];
  }
  means.paying = replicate.paying;
  return means;
}

} // namespace warpfold::inline v0::pricing
