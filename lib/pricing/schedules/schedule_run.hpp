#pragma once
// A simulation of products with a schedule, checked, which can be run part by part.

#include "pricing/paths/contract_checks.hpp"
#include "schedule_book.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace warpfold::inline v0::pricing {

template <class T, class Model>
struct schedule_paths_of;
template <class T>
struct schedule_paths_of<T, black_scholes> {
  using type = std::variant<lognormal_schedules<T>>;
};
template <class T>
struct schedule_paths_of<T, heston> {
  using type = std::variant<variance_schedules<T>>;
};
template <class T>
struct schedule_paths_of<T, local_volatility> {
  using type = std::variant<local_schedules<T>>;
};
template <class T>
struct schedule_paths_of<T, basket_index> {
  using type = std::variant<basket_schedules<T, 2>, basket_schedules<T, 4>, basket_schedules<T, 8>>;
};
/// Paths of a model in T, with their steps.
template <class T, class Model>
using schedule_paths = typename schedule_paths_of<T, Model>::type;

/// A book of products and a model, for paths in T: of the shape of contract_run.
template <class T, class Model>
struct schedule_run {
  /// Products that one kernel walks along together.
  static constexpr std::size_t part =
      std::variant_alternative_t<0, schedule_paths<T, Model>>::group_type::size;

  contract_plan plan{}; ///< its expiries are not used
  std::span<schedule const> book;
  std::vector<schedule_program> programs{};
  schedule_paths<T, Model> problems{}; ///< their groups are those of the last part

  /// Refuses what makes no simulation.
  schedule_run(Model const& model, std::span<schedule const> of, simulation_options const& options);

  /// Writes the estimates of products first ... first + count - 1 to memory of the place, unless
  /// `results` is null, from paths as in for_each_part.
  template <class Place>
  void simulate(Place& place, detail::path_plan const& paths, std::size_t first, std::size_t count,
                estimate* results, bool blocking, path_sharing* sharing);
};

} // namespace warpfold::inline v0::pricing
