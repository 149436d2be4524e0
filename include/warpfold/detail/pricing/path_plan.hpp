#pragma once
// A simulation's options, checked and made into what both places work from.

#include <warpfold/detail/core/bounds.hpp>
#include <warpfold/detail/pricing/brownian_bridge.hpp>
#include <warpfold/detail/pricing/path_body.hpp>
#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/detail/random/sobol.hpp>
#include <warpfold/pricing/simulation.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace warpfold::inline v0::detail {

struct path_plan {
  path_run run;
  path_ending ending;
  bool antithetic;
  bool quasi;        ///< random numbers are Sobol's
  pricing::bits how; ///< that payoffs take powers by
  address numbers;
  std::vector<double> times;     ///< ends of steps
  std::vector<int> observations; ///< the number of each among what payoffs see; -1 if they do not
};

/// Refuses what makes no simulation, naming it. `usual` are the bits that are taken unless told.
path_plan plan_paths(pricing::simulation_options const& options,
                     pricing::bits usual = pricing::bits::portable);

/// The plan of a user's own payoff, whose bits are those of the functions that it calls. Refuses
/// bits that are asked for.
path_plan plan_own_paths(pricing::simulation_options const& options);

/// Divides steps that are longer than `longest` into equal ones, of which payoffs see the last end.
/// Refuses the argument with this value if there are too many.
void divide_steps(std::string_view argument, double value, double longest, path_plan& plan);

/// Sobol's direction numbers of `dimensions` dimensions: a table that is made once.
std::span<std::uint32_t const> sobol_directions(int dimensions);

template <class T>
std::vector<pricing::path_step<T>> steps_of(std::vector<double> const& times) {
  std::vector<pricing::path_step<T>> steps;
  steps.reserve(times.size());
  double before = 0;
  for (double const t : times) {
    double const length = t - before;
    double const inverse = length > 0 ? 1 / length : std::numeric_limits<double>::infinity();
    steps.push_back({static_cast<T>(t), static_cast<T>(length), static_cast<T>(std::sqrt(length)),
                     static_cast<T>(inverse)});
    before = t;
  }
  return steps;
}

/// The times that payoffs see.
inline std::vector<double> observed_times(path_plan const& plan) {
  std::vector<double> seen;
  for (std::size_t j = 0; j < plan.times.size(); ++j)
    if (plan.observations[j] >= 0) seen.push_back(plan.times[j]);
  return seen;
}

/// Steps of which payoffs see some.
template <class T>
std::vector<split_step<T>> split_steps_of(path_plan const& plan) {
  auto const of_model = steps_of<T>(plan.times), of_payoff = steps_of<T>(observed_times(plan));
  std::vector<split_step<T>> steps;
  for (std::size_t j = 0; j < plan.times.size(); ++j) {
    int const number = plan.observations[j];
    steps.push_back({of_model[j], number < 0 ? pricing::path_step<T>{-1, 0, 0, 0}
                                             : of_payoff[static_cast<std::size_t>(number)]});
  }
  return steps;
}

// ---- Brownian motions from Sobol's sequence, scrambled, by a Brownian bridge --------------------

/// Tables of the points, in the place's memory.
template <class T>
struct quasi_tables {
  std::uint32_t const* directions; ///< sobol_bits of a dimension; aligned to 16 bytes
  std::uint32_t const* keys;       ///< of a replicate: one a dimension
  bridge_step<T> const* bridge;
  int dimensions;
  int fixed; ///< times before those of the bridge: 1 where the first is 0
};

WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float quasi_normal(std::uint32_t word, float) {
  return normal_by_inverse(word);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double quasi_normal(std::uint32_t word, double) {
  return inverse_normal((static_cast<double>(word) + 0.5) * 0x1p-32);
}

/// Writes motion number `index` of a replicate: its values are `stride` elements apart.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
make_motion(quasi_tables<T> const& from, std::int64_t replicate, std::int64_t index, T* motion,
            std::int64_t stride) {
  std::uint32_t const* const keys = from.keys + replicate * from.dimensions;
  if (from.fixed > 0) motion[0] = T{0};
  auto const normal = [&](int k) {
    alignas(16) std::uint32_t row[sobol_bits]; // read 16 bytes at a time
    std::memcpy(row, __builtin_assume_aligned(from.directions + k * sobol_bits, 16), sizeof row);
    std::uint32_t const word = sobol_word(row, static_cast<std::uint32_t>(index));
    return quasi_normal(owen_scrambled(word, keys[k]), T{});
  };
  build_path(from.bridge, from.dimensions, normal, motion + from.fixed * stride, stride);
}

/// Writes a column of the motions of a range of tiles from number first_tile on.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
make_column(path_shape const& shape, quasi_tables<T> const& from, std::int64_t first_tile,
            std::int64_t column, T* motions, std::int64_t stride) {
  std::int64_t const tile = first_tile + column / shape.tile_samples();
  std::int64_t const index = shape.first_sample(tile) + column % shape.tile_samples();
  if (index < shape.samples)
    make_motion(from, tile / shape.replicate_tiles(), index, motions + column, stride);
}

/// These tables in host memory.
template <class T>
struct quasi_memory {
  std::span<std::uint32_t const> directions;
  std::vector<std::uint32_t> keys;
  std::vector<bridge_step<T>> bridge;
  int fixed = 0;

  explicit quasi_memory(path_plan const& plan) {
    std::span<double const> times(plan.times);
    fixed = times[0] == 0 ? 1 : 0;
    times = times.subspan(static_cast<std::size_t>(fixed));
    bridge = brownian_bridge<T>(times);
    auto const dimensions = static_cast<std::uint32_t>(times.size());
    if (dimensions == 0) return;
    directions = sobol_directions(static_cast<int>(dimensions));
    // A stream has the replicates of its own.
    std::uint64_t const first = plan.numbers.stream * most_replicates;
    for (std::int64_t r = 0; r < plan.run.shape.replicates; ++r)
      for (std::uint32_t d = 0; d < dimensions; ++d)
        keys.push_back(
            sobol_key_of(plan.numbers.seed, first + static_cast<std::uint64_t>(r), d).owen);
  }
  /// With the tables where they are now.
  quasi_tables<T> tables(std::uint32_t const* at_directions, std::uint32_t const* at_keys,
                         bridge_step<T> const* at_bridge) const {
    return {at_directions, at_keys, at_bridge, static_cast<int>(bridge.size()), fixed};
  }
  quasi_tables<T> tables() const { return tables(directions.data(), keys.data(), bridge.data()); }
};

// ---- what is simulated --------------------------------------------------------------------------

/// Calls use(source) with the source of random normals that the plan asks for.
template <class Use>
void with_random_source(path_plan const& plan, Use use) {
  if (plan.antithetic) use(random_source<true>{});
  else use(random_source<false>{});
}

/// One payoff, of which the kernel has a copy of its own.
template <class Model, class Payoff>
struct single_path_problem {
  static constexpr std::int64_t first_group = 0;
  static constexpr std::size_t group_bytes() { return 0; }
  Model of_model;
  Payoff of_payoff;

  WARPFOLD_HOST_DEVICE Model model(int) const { return of_model; }
  WARPFOLD_HOST_DEVICE Payoff const& payoff(int) const { return of_payoff; }
  std::size_t groups() const { return 1; }
  void const* data() const { return nullptr; }
  single_path_problem at(void const*, std::size_t) const { return *this; }
  auto steps_of(path_plan const& plan) const { return split_steps_of<value_of_model<Model>>(plan); }
};

/// Groups of options, which lie in the place's memory and give payoffs.
template <class Model, class Group>
struct book_path_problem {
  Model of_model;
  Group const* of_groups; ///< number first_group and the following ones
  std::int64_t first_group;

  WARPFOLD_HOST_DEVICE Model model(int) const { return of_model; }
  WARPFOLD_HOST_DEVICE auto payoff(int group) const { return of_groups[group].payoff(); }
};
template <class Model, class Group>
struct book_path_problems {
  static constexpr std::size_t group_bytes() { return sizeof(Group); }
  Model model;
  std::vector<Group> all;

  std::size_t groups() const { return all.size(); }
  void const* data() const { return all.data(); }
  book_path_problem<Model, Group> at(void const* first, std::size_t first_group) const {
    return {model, static_cast<Group const*>(first), static_cast<std::int64_t>(first_group)};
  }
  auto steps_of(path_plan const& plan) const {
    return detail::steps_of<value_of_model<Model>>(plan.times);
  }
};

/// A step of a simulation, as its kernel reads it.
template <class Problems>
using step_of_problems =
    typename std::remove_cvref_t<decltype(std::declval<Problems const&>().steps_of(
        std::declval<path_plan const&>()))>::value_type;

template <class Problems>
using model_of = decltype(std::declval<Problems const&>().at(nullptr, 0).model(0));
template <class Problems>
using payoff_of =
    std::remove_cvref_t<decltype(std::declval<Problems const&>().at(nullptr, 0).payoff(0))>;
template <class Problems>
inline constexpr int path_results_of = path_results<payoff_of<Problems>>;

/// Rows of sums for `groups` groups and `wanted` values. Payoffs that pay at the end have sums of
/// all their values, those that pay on the way only of those that they have.
template <class Problems>
std::size_t path_rows(std::size_t groups, std::size_t wanted) {
  std::size_t const all = groups * path_results_of<Problems>;
  return pays_early<payoff_of<Problems>> ? smaller(all, wanted) : all;
}

/// A round of its values, and what a block shares.
template <class Problems>
using round_of_problems = path_round<value_of_model<model_of<Problems>>, path_results_of<Problems>,
                                     !pays_early<payoff_of<Problems>>>;
template <class Problems, class Source>
using path_shared_of =
    path_shared_for<model_of<Problems>, payoff_of<Problems>, Source, round_of_problems<Problems>>;

} // namespace warpfold::inline v0::detail
