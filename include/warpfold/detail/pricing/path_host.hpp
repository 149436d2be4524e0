#pragma once
// Simulated paths on the host: the kernel's paths, rounds, lanes and trees.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>

#include <memory>

namespace warpfold::inline v0::detail {

/// Puts the values of `count` samples from number `first` on, the first of which is what is stored,
/// into a round.
struct plain_walk {
  template <class Model, class Payoff, class Source, class Step, class Round>
  WARPFOLD_ALWAYS_INLINE void operator()(Model const& model, Payoff const& payoff,
                                         Source const& source, prepared_address const& numbers,
                                         std::int64_t first, int count, Step const* steps,
                                         int step_count, Round& round) const {
    for (int i = 0; i < count; ++i)
      walk_path<Source::antithetic>(
          model, payoff, source.template path<Model>(numbers, first + i, i, steps, step_count),
          steps, step_count, round, i);
  }
};

/// Sums over tile `tile` of group `group`, for all values. before(replicate, first, count) makes
/// what the source has stored of a round's samples.
template <class Walk, class Problem, class Source, class Before, class Step, class T, int results,
          bool controls>
void simulate_tile_host(path_run const& run, Problem const& problem, Walk walk,
                        Source const& source, Before before, Step const* steps,
                        path_finish const* finish, std::int64_t tile, int group,
                        path_round<T, results, controls>& round, path_sums (&sums)[results]) {
  auto const model = problem.model(group);
  auto const& payoff = problem.payoff(group);
  prepared_address const numbers = run.numbers_of(problem.first_group + group);
  constexpr int lanes_of_value = path_lanes<results>;
  int const values = values_of(payoff);
  path_sums lanes[results * lanes_of_value]{};
  for (std::int64_t r = 0; r < run.shape.rounds; ++r) {
    std::int64_t const start = run.shape.first_sample(tile) + r * path_threads;
    int const count = samples_in_round(run.shape.samples, start);
    if (count == 0) break;
    before(tile / run.shape.replicate_tiles(), start, count);
    walk(model, payoff, source, numbers, start, count, steps, run.steps, round);
    for (int rank = 0; rank < values * lanes_of_value; ++rank) {
      path_slot<lanes_of_value> const slot(rank);
      add_round(slot, round, count, finish[group * results + slot.k].control_mean, lanes[rank]);
    }
  }
  for (int k = 0; k < results; ++k) sums[k] = add_lanes<lanes_of_value>(lanes + k * lanes_of_value);
}

/// The estimate of a value, from its partials.
inline pricing::estimate finish_value_host(pricing::sum_places const& partials, int value,
                                           int tiles, path_finish const& finish,
                                           path_ending const& ending) {
  path_sums shared[path_threads];
  for (int rank = 0; rank < path_threads; ++rank)
    shared[rank] = add_part(partials, value, tiles, ending.replicates, rank);
  if (ending.replicates > 1) return ending(shared, finish);
  for (int left = path_threads / 2; left > 0; left /= 2)
    for (int rank = 0; rank < left; ++rank) shared[rank] = shared[rank] + shared[rank + left];
  return ending(shared[0], finish);
}

/// The first `wanted` estimates of all groups' values, unless `results` is null. finish has an
/// element for every value; `sharing` is null where nobody else takes part.
template <class Problems, class Walk = plain_walk>
void simulate_host(int threads, path_plan const& plan, Problems const& problems,
                   std::vector<path_finish> const& finish, pricing::estimate* results,
                   std::size_t wanted, Walk walk = {}, pricing::path_sharing* sharing = nullptr) {
  using T = value_of_model<model_of<Problems>>;
  constexpr int values = path_results_of<Problems>;
  auto const& steps = problems.steps_of(plan);
  auto const tiles = static_cast<std::size_t>(plan.run.shape.tiles());
  std::size_t const groups = problems.groups();
  auto const problem = problems.at(problems.data(), 0);
  auto const counted = static_cast<std::uint32_t>(tiles);
  std::size_t const rows = path_rows<Problems>(groups, wanted);
  auto const alone = std::make_unique_for_overwrite<path_sums[]>(sharing ? 0 : rows * tiles);
  pricing::piece_range own{0, counted};
  auto partials = pricing::sum_places::whole(alone.get(), counted);
  if (sharing) {
    sharing->begin(plan, finish, sizeof(T));
    own = sharing->own(counted);
    partials = sharing->open(rows, counted, sizeof(path_sums));
  }
  auto const simulate = [&](auto make_source) {
    parallel_for(threads, static_cast<std::int64_t>(groups * own.count), [&](std::int64_t unit) {
      auto const group = static_cast<std::size_t>(unit) / own.count;
      auto const tile =
          own.first + static_cast<std::uint32_t>(static_cast<std::size_t>(unit) % own.count);
      auto const round = std::make_unique_for_overwrite<round_of_problems<Problems>>();
      path_sums sums[values];
      make_source([&](auto const& source, auto before) {
        simulate_tile_host(plan.run, problem, walk, source, before, steps.data(), finish.data(),
                           static_cast<std::int64_t>(tile), static_cast<int>(group), *round, sums);
      });
      for (std::size_t k = 0, row = group * values; k < values && row < rows; ++k, ++row)
        *partials.at<path_sums>(row, tile) = sums[k];
    });
  };
  if (!plan.quasi) {
    with_random_source(plan, [&](auto source) {
      simulate([&](auto use) { use(source, [](std::int64_t, std::int64_t, int) {}); });
    });
  } else if constexpr (can_be_stored<model_of<Problems>>) {
    quasi_memory<T> const memory(plan);
    simulate([&](auto use) {
      std::vector<T> motions(plan.times.size() * path_threads);
      use(stored_source<T>{motions.data(), path_threads},
          [&](std::int64_t replicate, std::int64_t first, int count) {
            for (int i = 0; i < count; ++i)
              make_motion(memory.tables(), replicate, first + i, motions.data() + i, path_threads);
          });
    });
  }
  if (sharing) {
    sharing->share();
    sharing->settle();
  }
  for (std::size_t v = 0; results && v < wanted; ++v)
    results[v] = finish_value_host(partials, static_cast<int>(v), static_cast<int>(tiles),
                                   finish[v], plan.ending);
}

} // namespace warpfold::inline v0::detail
