#pragma once
// The bodies of the simulation's kernels, over a block.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/estimate.hpp>
#include <warpfold/detail/pricing/path_living.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// The values of a round's samples, with those of the control variate if there is one: a row for
/// each. Memory for the first rows is enough where a payoff has fewer.
template <class T, int results, bool controls = true>
struct path_round {
  static constexpr int values = results, lanes = path_lanes<results>;
  static constexpr int width = path_threads + lanes; // lanes of several values meet few banks twice
  struct row {
    std::conditional_t<controls, pricing::path_value<T>, T> of[width]; ///< or a pair's mean
    unsigned char paid[width]; ///< how many paths of the sample did
  };
  row rows[results];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(int k, int i, pricing::path_value<T> value,
                                                       int paths) {
    if constexpr (controls) rows[k].of[i] = value;
    else rows[k].of[i] = value.payoff;
    rows[k].paid[i] = static_cast<unsigned char>(paths);
  }
  /// For a sample of two paths, which may pay at different times: nothing of the first `count`
  /// values,
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void clear(int count, int i) {
    for (int k = 0; k < count; ++k) put(k, i, {}, 0);
  }
  /// and half of what one of them pays more.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add_half(int k, int i, T payoff, int paths) {
    if constexpr (!controls) rows[k].of[i] += T(0.5) * payoff;
    rows[k].paid[i] = static_cast<unsigned char>(rows[k].paid[i] + paths);
  }
};

/// A thread's work in the second phase: value k, every lanes-th sample from `lane` on.
template <int lanes>
struct path_slot {
  int k, lane;
  WARPFOLD_HOST_DEVICE explicit path_slot(int rank) : k{rank / lanes}, lane{rank % lanes} {}
};

/// Adds the first `count` samples of a round to the slot's sums.
template <int lanes, class T, int results, bool controls>
WARPFOLD_HOST_DEVICE void add_round(path_slot<lanes> at,
                                    path_round<T, results, controls> const& round, int count,
                                    double control_mean, path_sums& sums) {
  // Named rows: g++ 12 -O2 drops a loop that indexes the round itself, in float.
  auto const* const values = round.rows[at.k].of;
  auto const* const paid = round.rows[at.k].paid;
  WARPFOLD_UNROLL_BY(4)
  for (int i = at.lane; i < count; i += lanes) {
    auto const value = values[i];
    if constexpr (controls)
      sums.add(static_cast<double>(value.payoff), static_cast<double>(value.control) - control_mean,
               paid[i]);
    else sums.add(static_cast<double>(value), 0, paid[i]);
  }
}

/// The sums of value k, of those of its lanes.
template <int lanes>
WARPFOLD_HOST_DEVICE inline path_sums add_lanes(path_sums const* of) {
  if constexpr (lanes == 1) return of[0];
  else return add_lanes<lanes / 2>(of) + add_lanes<lanes / 2>(of + lanes / 2);
}

/// Samples of round `round` of a tile.
WARPFOLD_HOST_DEVICE inline int samples_in_round(std::int64_t samples, std::int64_t first) {
  std::int64_t const left = samples - first;
  return left <= 0 ? 0 : left < path_threads ? static_cast<int>(left) : path_threads;
}

template <class Round>
union round_or_sums {
  Round round;
  path_sums lanes[Round::values][Round::lanes];

  /// Bytes of it that `values` values need.
  static constexpr std::size_t bytes(int values) {
    std::size_t const row = sizeof(typename Round::row), sums = sizeof(path_sums) * Round::lanes;
    return static_cast<std::size_t>(values) * (row > sums ? row : sums);
  }
};
/// With living paths it has one value, whatever the round has room for.
template <class Round, class Living = no_living_paths>
struct path_shared {
  [[no_unique_address]] Living living;
  round_or_sums<Round> of;

  static constexpr std::size_t bytes(int values) {
    constexpr bool living = !std::is_same_v<Living, no_living_paths>;
    return sizeof(path_shared) - sizeof(round_or_sums<Round>) +
           round_or_sums<Round>::bytes(living ? 1 : values);
  }
};
template <class Model, class Payoff, class Source, class Round>
using path_shared_for =
    path_shared<Round, std::conditional_t<
                           can_be_over<Model, Payoff, Source>,
                           living_paths<Model, Payoff, path_round<value_of_model<Model>, 2, false>>,
                           no_living_paths>>;

struct tile_range {
  int first, count;
};

/// Sums of `groups` payoffs over a range of tiles: those of value k of group g over tile t go to
/// partials[(g results + k) row + t - range.first]. finish[g results + k] is that value's.
/// `problem.model(g)` and `problem.payoff(g)` are what is simulated, with the source's normals:
/// what is stored begins with the range's first sample.
template <thread_block Block, class Problem, class Source, class Step, class Shared>
WARPFOLD_HOST_DEVICE void simulate_tiles(Block const& block, path_run run, Problem const& problem,
                                         Source source, Step const* steps,
                                         path_finish const* finish, tile_range range, int groups,
                                         path_sums* partials, int row, Shared& shared) {
  using payoff_type = std::remove_cvref_t<decltype(problem.payoff(0))>;
  using model_type = decltype(problem.model(0));
  constexpr int results = path_results<payoff_type>;
  static_assert(results >= 1 &&
                results <= (pays_early<payoff_type> ? most_early_results : most_path_results));
  constexpr int lanes = path_lanes<results>;
  int const rank = block.thread_rank();
  path_slot<lanes> const slot(rank);
  for (std::int64_t unit = block.block_rank(); unit < std::int64_t{range.count} * groups;
       unit += block.grid_size()) {
    int const group = static_cast<int>(unit / range.count);
    int const of_range = static_cast<int>(unit % range.count), tile = range.first + of_range;
    auto const model = problem.model(group);
    auto const& payoff = problem.payoff(group);
    int const values = detail::values_of(payoff);
    bool const adds = slot.k < values;
    prepared_address const numbers = run.numbers_of(problem.first_group + group);
    double const mean = adds ? finish[group * results + slot.k].control_mean : 0;
    path_sums sums{};
    std::int64_t const first = run.shape.first_sample(tile);
    std::int64_t const first_column = of_range * run.shape.tile_samples();
    auto const normals_of = [&](std::int64_t i) {
      return source.template path<model_type>(numbers, first + i, first_column + i, steps,
                                              run.steps);
    };
    constexpr bool living = can_be_over<model_type, payoff_type, Source>;
    WARPFOLD_UNROLL_BY(1)
    for (std::int64_t r = 0; r < run.shape.rounds; r += living ? 2 : 1) {
      std::int64_t const before = r * path_threads;
      int const count = samples_in_round(run.shape.samples, first + before);
      if (count == 0) break;
      if constexpr (living) {
        int const more = r + 1 < run.shape.rounds
                             ? samples_in_round(run.shape.samples, first + before + path_threads)
                             : 0;
        detail::walk_living_paths(
            block, model, payoff, [&](int place) { return normals_of(before + place); }, steps,
            run.steps, count + more, shared.living);
        block.sync();
        path_slot<lanes> of_round = slot;
        WARPFOLD_UNROLL_BY(1)
        for (of_round.k = 0; of_round.k < 2 && adds; ++of_round.k)
          add_round(of_round, shared.living.values, of_round.k == 0 ? count : more, mean, sums);
      } else {
        if (rank < count)
          detail::walk_path<Source::antithetic>(model, payoff, normals_of(before + rank), steps,
                                                run.steps, shared.of.round, rank);
        block.sync();
        if (adds) add_round(slot, shared.of.round, count, mean, sums);
        block.sync();
      }
    }
    if (adds) shared.of.lanes[slot.k][slot.lane] = sums;
    block.sync();
    if (rank < values)
      partials[(std::int64_t{group} * results + rank) * row + of_range] =
          add_lanes<lanes>(shared.of.lanes[rank]);
    if constexpr (!living) block.sync(); // the next round lies where the sums do
  }
}

/// The coefficient of a control variate, from n samples; 0 where it does not vary.
WARPFOLD_HOST_DEVICE inline double control_coefficient(path_sums const& of, double n) {
  double const xx = of.xx - of.x * of.x / n;
  // A constant leaves rounding alone.
  return xx > 1e-10 * of.xx ? (of.xy - of.x * of.y / n) / xx : 0;
}

/// Turns sums into estimates, for all values.
struct path_ending {
  std::int64_t samples; ///< of a replicate
  int replicates;
  double quantile;
  bool control;
  int paths_per_sample;

  WARPFOLD_HOST_DEVICE std::uint64_t paths() const {
    return static_cast<std::uint64_t>(samples * replicates * paths_per_sample);
  }

  /// From the sums over independent samples.
  WARPFOLD_HOST_DEVICE pricing::estimate operator()(path_sums const& of,
                                                    path_finish const& finish) const {
    double const n = static_cast<double>(samples);
    double const coefficient = control ? control_coefficient(of, n) : 0;
    // Estimated before the variance: the mean, and the coefficient unless there is none.
    std::int64_t const fitted = coefficient != 0 ? 2 : 1;
    bool const known = samples > fitted; // the error; estimate_of knows none of a single sample
    double const y = of.y / n, x = of.x / n;
    double const scale = known ? 1 / static_cast<double>(samples - fitted) : 0;
    double const yy = (of.yy - of.y * y) * scale, xy = (of.xy - of.x * y) * scale;
    return estimate_of(y - coefficient * x, yy - coefficient * xy,
                       static_cast<std::uint64_t>(known ? samples : 1), finish.discount, quantile,
                       paths(), of.paying);
  }

  /// From the sums of every replicate, which are the independent samples. The coefficient is that
  /// of all paths, which need not be the best here.
  WARPFOLD_HOST_DEVICE pricing::estimate operator()(path_sums const* of,
                                                    path_finish const& finish) const {
    path_sums all = of[0];
    for (int r = 1; r < replicates; ++r) all = all + of[r];
    double const n = static_cast<double>(samples), many = replicates;
    double const coefficient = control ? control_coefficient(all, n * many) : 0;
    double const mean = (all.y - coefficient * all.x) / (n * many);
    double squares = 0;
    for (int r = 0; r < replicates; ++r) {
      double const apart = (of[r].y - coefficient * of[r].x) / n - mean;
      squares += apart * apart;
    }
    return estimate_of(mean, squares / (many - 1), static_cast<std::uint64_t>(replicates),
                       finish.discount, quantile, paths(), all.paying);
  }
};

/// The sum of *at(first), *at(first + by) and so on up to before `last`.
template <class At>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE path_sums add_sums(At at, int first, int last, int by) {
  constexpr int together = 8;
  path_sums sums{};
  int t = first;
  WARPFOLD_UNROLL_BY(1)
  for (; t + (together - 1) * by < last; t += together * by) {
    path_sums of[together];
    WARPFOLD_UNROLL
    for (int u = 0; u < together; ++u) of[u] = *at(t + u * by); // all loads first
    WARPFOLD_UNROLL
    for (int u = 0; u < together; ++u) sums = sums + of[u];
  }
  WARPFOLD_UNROLL_BY(1)
  for (; t < last; t += by) sums = sums + *at(t);
  return sums;
}
/// The sum of a value's partials, every by-th from the first to before the last.
WARPFOLD_HOST_DEVICE inline path_sums add_partials(pricing::sum_places const& partials, int value,
                                                   int first, int last, int by) {
  auto const row = static_cast<std::uint64_t>(value);
  path_sums const* const own = partials.at<path_sums>(row, 0);
  if (static_cast<std::uint32_t>(last) <= partials.width) // without a division each
    return add_sums([&](int t) { return own + t; }, first, last, by);
  return add_sums([&](int t) { return partials.at<path_sums>(row, static_cast<std::uint32_t>(t)); },
                  first, last, by);
}

/// The part that thread `rank` of finish_values adds up: every path_threads-th tile, or a
/// replicate.
WARPFOLD_HOST_DEVICE inline path_sums add_part(pricing::sum_places const& partials, int value,
                                               int tiles, int replicates, int rank) {
  if (replicates == 1) return add_partials(partials, value, rank, tiles, path_threads);
  int const of_one = tiles / replicates;
  if (rank >= replicates) return {};
  return add_partials(partials, value, rank * of_one, (rank + 1) * of_one, 1);
}

/// Block v makes the estimate of value v, which is row v of the partials.
template <thread_block Block>
WARPFOLD_HOST_DEVICE void finish_values(Block const& block, pricing::sum_places partials, int tiles,
                                        int values, path_finish const* finish, path_ending ending,
                                        pricing::estimate* results,
                                        path_sums (&shared)[path_threads]) {
  int const rank = block.thread_rank();
  for (int v = block.block_rank(); v < values; v += block.grid_size()) {
    shared[rank] = add_part(partials, v, tiles, ending.replicates, rank);
    if (ending.replicates > 1) {
      block.sync();
      if (rank == 0) store_estimate(results + v, ending(shared, finish[v]));
    } else {
      for (int left = path_threads / 2; left > 0; left /= 2) {
        block.sync();
        if (rank < left) shared[rank] = shared[rank] + shared[rank + left];
      }
      if (rank == 0) store_estimate(results + v, ending(shared[0], finish[v]));
    }
    block.sync();
  }
}

} // namespace warpfold::inline v0::detail
