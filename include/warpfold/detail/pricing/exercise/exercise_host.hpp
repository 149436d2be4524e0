#pragma once
// Early exercise on the host: the kernels' paths, tiles and trees.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/pricing/exercise/exercise_plan.hpp>
#include <warpfold/detail/pricing/path_host.hpp>

#include <memory>
#include <vector>

namespace warpfold::inline v0::detail {

/// A date of the first option, and the sums of a tile, to partials[tile][sum].
template <class T, class Right>
void regress_tile_host(exercise_shape const& shape, exercise_memory<T, Right> const& memory,
                       int date, int tile) {
  using sums_type = regression_sums<T, Right::basis>;
  tile_date<T, Right> of(memory, shape, 0, date, tile);
  of.learn(memory, 0, date);
  if (tile == 0) detail::put_rule(memory, of.right, of.rule, 0, date);
  sums_type threads[exercise_threads]{};
  for (int i = 0; i < of.left; ++i) {
    sums_type& sums = threads[i % exercise_threads];
    if (date >= 0 && of.sums_up) of.template step<1, path_share::observation>(i, 1, sums);
    else of.template step<1, path_share::worth>(i, 1, sums);
  }
  if (!of.sums_up) return;
  for (int s = 0; s < sums_type::size; ++s) {
    for (int warp = 0; warp < exercise_threads; warp += 32) {
      for (int left = 16; left > 0; left /= 2)
        for (int i = 0; i < left; ++i) threads[warp + i].of[s] += threads[warp + i + left].of[s];
    }
    double sum = static_cast<double>(threads[0].of[s]);
    for (int warp = 32; warp < exercise_threads; warp += 32)
      sum += static_cast<double>(threads[warp].of[s]);
    memory.partials[tile * sums_type::size + s] = sum;
  }
}

/// The last block's work at a date, for the first option.
template <class T, class Right>
void finish_date_host(exercise_shape const& shape, exercise_memory<T, Right> const& memory,
                      int date) {
  if (!detail::has_sums(*memory.rights, date, memory.date_count)) return;
  constexpr int size = regression_sums<T, Right::basis>::size;
  using total = tile_total<size>;
  double parts[total::parts][size], totals[size];
  double const* const partials[]{memory.partials};
  for (int rank = 0; rank < exercise_threads; ++rank)
    if (total const own(rank); own.sum < size) {
      double sum[1];
      own.add(partials, shape.tiles, sum);
      parts[own.part][own.sum] = sum[0];
    }
  for (int s = 0; s < size; ++s) totals[s] = total::add_parts(parts, s);
  detail::finish_date(memory, shape, date, 0, totals);
}

/// The loops, which a library may replace by clones for other processors.
struct exercise_loops {
  plain_walk walk; ///< of pricing paths

  /// Keeps paths first ... last - 1.
  template <class Model, class Right, class Step>
  WARPFOLD_ALWAYS_INLINE void keep(Model const& model, Right const& right,
                                   prepared_address const& numbers, Step const* steps, int count,
                                   kept_paths<typename Right::kept> to, std::int64_t first,
                                   std::int64_t last) const {
    no_round<value_of_model<Model>> none;
    plain_walk{}(model, keeping_payoff<Right>{right, to, first}, random_source<false>{}, numbers,
                 first, static_cast<int>(last - first), steps, count, none);
  }
  template <class T, class Right>
  WARPFOLD_ALWAYS_INLINE void regress(exercise_shape const& shape,
                                      exercise_memory<T, Right> const& memory, int date,
                                      int tile) const {
    detail::regress_tile_host(shape, memory, date, tile);
  }
};

/// Results of all rights. `sharing` is null where nobody else prices paths, too; rules are learned
/// here from all regression paths.
template <class Exercise, class Loops = exercise_loops>
void exercise_host(int threads, path_plan const& plan, Exercise const& all,
                   pricing::exercise_estimate* results, Loops loops = {},
                   pricing::path_sharing* sharing = nullptr) {
  using Right = typename Exercise::right_type;
  using T = value_of_model<typename Exercise::model_type>;
  using rule = exercise_rule<T, Right::basis>;
  constexpr std::int64_t piece = 256;
  exercise_shape const shape = exercise_shape::of(all.regression_paths);
  auto const& steps = all.steps_of(plan);
  std::size_t const dates = all.dates.size(), rights = all.rights.size();
  auto const words = std::make_unique_for_overwrite<std::uint32_t[]>(
      kept_paths<typename Right::kept>::bytes(shape.apart, dates) / sizeof(std::uint32_t));
  kept_paths<typename Right::kept> const kept{words.get(), shape.apart};
  prepared_address const numbers = prepared(plan.numbers);
  parallel_for(threads, (shape.paths + piece - 1) / piece, [&](std::int64_t i) {
    loops.keep(all.model, all.rights[0], numbers, steps.data(), static_cast<int>(steps.size()),
               kept, i * piece, smaller(shape.paths, (i + 1) * piece));
  });
  auto const worth = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(shape.apart));
  std::vector<double> partials(regression_sums<T, Right::basis>::size *
                               static_cast<std::size_t>(shape.tiles));
  std::vector<rule> rules(rights * dates);
  auto const every = static_cast<std::uint32_t>(rights);
  std::vector<double> in_sample(rights);
  for (std::size_t i = 0; i < rights; ++i) {
    exercise_memory<T, Right> const memory{
        &all.rights[i], all.dates.data(), static_cast<int>(dates),   kept,
        worth.get(),    partials.data(),  {rules.data() + i, every}, &in_sample[i]};
    for (int date = static_cast<int>(dates) - 2; date >= -1; --date) {
      parallel_for(threads, shape.tiles, [&](std::int64_t tile) {
        loops.regress(shape, memory, date, static_cast<int>(tile));
      });
      detail::finish_date_host(shape, memory, date);
    }
  }
  std::vector<pricing::estimate> prices(rights);
  exercise_rules<T, Right> const known{
      all.rights.data(), all.dates.data(), {rules.data(), every}, static_cast<int>(dates)};
  exercised_problems<Exercise> const problems{all, known};
  detail::simulate_host(threads, pricing_plan(plan), problems,
                        std::vector<path_finish>(rights, {1, 0}), prices.data(), rights, loops.walk,
                        sharing);
  for (std::size_t i = 0; i < rights; ++i)
    results[i] = detail::exercise_result(prices[i], in_sample[i], known, static_cast<int>(i));
}

} // namespace warpfold::inline v0::detail
