#pragma once
// Which path is simulated where: from the number of samples alone, so that results do not depend on
// the grid, the GPU or the number of threads.

#include <warpfold/detail/random/philox.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// Samples (paths, or pairs of antithetic ones) that a block simulates at a time, one a thread.
inline constexpr int path_threads = 128;
/// Parts that the sums over them are added up in, of each of a payoff's values: a thread has one.
template <int results>
inline constexpr int path_lanes = results <= 16 ? 8 : path_threads / results;
/// Replicates of a quasi-random sequence: a thread adds one up.
inline constexpr int most_replicates = path_threads;
/// Values of a payoff: of one that pays at the end, and of one that pays on the way.
inline constexpr int most_path_results = 16, most_early_results = path_threads / 2;

/// A tile is the samples of `rounds` rounds; its sums are one partial for each value. Tiles are few
/// enough to add up in a moment, and many enough to fill a GPU several times over.
struct path_shape {
  static constexpr std::int64_t most_tiles = 4096;

  std::int64_t samples = 0;    ///< of a replicate
  std::int64_t rounds = 1;     ///< of a tile
  std::int64_t replicates = 1; ///< of a quasi-random sequence

  WARPFOLD_HOST_DEVICE std::int64_t tile_samples() const { return rounds * path_threads; }
  WARPFOLD_HOST_DEVICE std::int64_t replicate_tiles() const {
    return (samples + tile_samples() - 1) / tile_samples();
  }
  WARPFOLD_HOST_DEVICE std::int64_t tiles() const { return replicates * replicate_tiles(); }

  /// The first sample of a tile, in its replicate.
  WARPFOLD_HOST_DEVICE std::int64_t first_sample(std::int64_t tile) const {
    return tile % replicate_tiles() * tile_samples();
  }
};

constexpr path_shape path_shape_of(std::int64_t samples, std::int64_t replicates = 1) {
  std::int64_t const few = path_shape::most_tiles / replicates * path_threads;
  return {samples, (samples + few - 1) / few, replicates};
}

/// Sums over samples of a payoff y and of what its control variate differs from its mean by, x.
struct path_sums {
  double y, yy, x, xy, xx;
  std::uint64_t paying; ///< paths

  WARPFOLD_HOST_DEVICE void add(double payoff, double control, int paid) {
    y += payoff;
    yy += payoff * payoff;
    x += control;
    xy += payoff * control;
    xx += control * control;
    paying += static_cast<std::uint64_t>(paid);
  }
  friend WARPFOLD_HOST_DEVICE path_sums operator+(path_sums const& a, path_sums const& b) {
    return {a.y + b.y, a.yy + b.yy, a.x + b.x, a.xy + b.xy, a.xx + b.xx, a.paying + b.paying};
  }
};

/// A simulation, as all tiles need it.
struct path_run {
  path_shape shape;
  prepared_address numbers;
  int steps = 0;
  bool independent = false; ///< the payoffs' groups have streams of their own

  WARPFOLD_HOST_DEVICE prepared_address numbers_of(std::int64_t group) const {
    prepared_address of = numbers;
    if (independent) {
      std::uint64_t const stream =
          (std::uint64_t{of.stream[1]} << 32 | of.stream[0]) + static_cast<std::uint64_t>(group);
      of.stream[0] = static_cast<std::uint32_t>(stream);
      of.stream[1] = static_cast<std::uint32_t>(stream >> 32);
    }
    return of;
  }
};

/// Makes an estimate of one value's sums.
struct path_finish {
  double discount, control_mean;
};

} // namespace warpfold::inline v0::detail
