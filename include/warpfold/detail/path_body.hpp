#pragma once
// The bodies of the simulation's kernels, over a block.

#include <warpfold/detail/estimate.hpp>
#include <warpfold/detail/path_walk.hpp>

namespace warpfold::detail {

/// The values of a round's samples, then the lanes' sums.
template <class T, int results>
struct path_round {
  static constexpr int row = path_threads + path_lanes; // lanes of four values meet no bank twice
  pricing::path_value<T> of[results][row];              ///< of a path, or the mean of a pair's
  unsigned char paid[results][row];                     ///< how many of these did

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(int k, int i, pricing::path_value<T> value,
                                                       int paths) {
    of[k][i] = value;
    paid[k][i] = static_cast<unsigned char>(paths);
  }
};

/// Where a thread of the second phase works: value k, and every path_lanes-th sample from `lane`
/// on.
struct path_slot {
  int k, lane;
  WARPFOLD_HOST_DEVICE explicit path_slot(int rank)
      : k{rank / path_lanes}, lane{rank % path_lanes} {}
};

/// Adds the first `count` samples of a round to the slot's sums.
template <class T, int results>
WARPFOLD_HOST_DEVICE void add_round(path_slot at, path_round<T, results> const& round, int count,
                                    double control_mean, path_sums& sums) {
  WARPFOLD_UNROLL_BY(4)
  for (int i = at.lane; i < count; i += path_lanes) {
    auto const value = round.of[at.k][i];
    sums.add(static_cast<double>(value.payoff), static_cast<double>(value.control) - control_mean,
             round.paid[at.k][i]);
  }
}

/// The sums of value k, of those of its lanes.
WARPFOLD_HOST_DEVICE inline path_sums add_lanes(path_sums const* lanes) {
  static_assert(path_lanes == 8);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// Samples of round `round` of a tile.
WARPFOLD_HOST_DEVICE inline int samples_in_round(std::int64_t samples, std::int64_t first) {
  std::int64_t const left = samples - first;
  return left <= 0 ? 0 : left < path_threads ? static_cast<int>(left) : path_threads;
}

template <class T, int results>
union path_shared {
  path_round<T, results> round;
  path_sums lanes[results][path_lanes];
};

/// Sums of `groups` payoffs over `tiles` tiles from number first_tile on: value k of group g and
/// tile t goes to partials[(g results + k) tiles + t - first_tile]. finish[g results + k] is that
/// value's. `problem.model(g)` and `problem.payoff(g)` are what is simulated.
template <bool antithetic, class Block, class Problem, class T, class Shared>
WARPFOLD_HOST_DEVICE void simulate_tiles(Block const& block, path_run run, Problem problem,
                                         pricing::path_step<T> const* steps,
                                         path_finish const* finish, int first_tile, int tiles,
                                         int groups, path_sums* partials, Shared& shared) {
  using payoff_type = decltype(problem.payoff(0));
  constexpr int results = path_results<payoff_type>;
  static_assert(results >= 1 && results <= most_path_results);
  int const rank = block.thread_rank();
  path_slot const slot(rank);
  bool const adds = slot.k < results;
  std::int64_t const tile_samples = run.shape.rounds * path_threads;
  for (std::int64_t unit = block.block_rank(); unit < std::int64_t{tiles} * groups;
       unit += block.grid_size()) {
    int const group = static_cast<int>(unit / tiles), tile = static_cast<int>(unit % tiles);
    auto const model = problem.model(group);
    auto const payoff = problem.payoff(group);
    prepared_address const numbers = run.numbers_of(problem.first_group + group);
    double const mean = adds ? finish[group * results + slot.k].control_mean : 0;
    path_sums sums{};
    std::int64_t const first = (std::int64_t{first_tile} + tile) * tile_samples;
    WARPFOLD_UNROLL_BY(1)
    for (std::int64_t r = 0; r < run.shape.rounds; ++r) {
      std::int64_t const start = first + r * path_threads;
      int const count = samples_in_round(run.shape.samples, start);
      if (count == 0) break;
      if (rank < count)
        walk_path<antithetic>(model, payoff, numbers, start + rank, steps, run.steps, shared.round,
                              rank);
      block.sync();
      if (adds) add_round(slot, shared.round, count, mean, sums);
      block.sync();
    }
    if (adds) shared.lanes[slot.k][slot.lane] = sums;
    block.sync();
    if (rank < results)
      partials[(std::int64_t{group} * results + rank) * tiles + tile] =
          add_lanes(shared.lanes[rank]);
    block.sync();
  }
}

/// The estimate of a value.
WARPFOLD_HOST_DEVICE inline pricing::estimate
finished_estimate(path_sums const& of, std::int64_t samples, path_finish const& finish,
                  double quantile, bool control, int paths_per_sample) {
  double const n = static_cast<double>(samples);
  double const y = of.y / n, x = of.x / n;
  double const scale = samples > 1 ? 1 / (n - 1) : 0;
  double const yy = (of.yy - of.y * y) * scale;
  double mean = y, variance = yy;
  if (control) {
    double const xy = (of.xy - of.x * y) * scale, xx = (of.xx - of.x * x) * scale;
    // Where the control does not vary, it is of no use and its variance is rounding.
    if (xx * n > 1e-10 * of.xx) {
      double const coefficient = xy / xx;
      mean = y - coefficient * x;
      variance = yy - coefficient * xy;
    }
  }
  auto const paths = static_cast<std::uint64_t>(samples * paths_per_sample);
  return estimate_of(mean, variance, static_cast<std::uint64_t>(samples), finish.discount, quantile,
                     paths, of.paying);
}

/// What turns sums into estimates, for all values.
struct path_ending {
  std::int64_t samples;
  double quantile;
  bool control;
  int paths_per_sample;

  WARPFOLD_HOST_DEVICE pricing::estimate operator()(path_sums const& of,
                                                    path_finish const& finish) const {
    return finished_estimate(of, samples, finish, quantile, control, paths_per_sample);
  }
};

/// Thread `rank`'s part of the sum of a value's partials: every path_threads-th.
WARPFOLD_HOST_DEVICE inline path_sums add_partials(path_sums const* partials, int tiles, int rank) {
  path_sums sums{};
  WARPFOLD_UNROLL_BY(4)
  for (int t = rank; t < tiles; t += path_threads) sums = sums + partials[t];
  return sums;
}

/// Block v makes the estimate of value v of partials[v tiles ...].
template <class Block>
WARPFOLD_HOST_DEVICE void finish_values(Block const& block, path_sums const* partials, int tiles,
                                        int values, path_finish const* finish, path_ending ending,
                                        pricing::estimate* results,
                                        path_sums (&shared)[path_threads]) {
  int const rank = block.thread_rank();
  for (int v = block.block_rank(); v < values; v += block.grid_size()) {
    shared[rank] = add_partials(partials + std::int64_t{v} * tiles, tiles, rank);
    for (int left = path_threads / 2; left > 0; left /= 2) {
      block.sync();
      if (rank < left) shared[rank] = shared[rank] + shared[rank + left];
    }
    if (rank == 0) results[v] = ending(shared[0], finish[v]);
    block.sync();
  }
}

} // namespace warpfold::detail
