#pragma once
// A simulation of contracts on a model's paths, checked, which can be run part by part.

#include "contract_backend.hpp"
#include "contract_checks.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/pricing/local_volatility.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <variant>

namespace warpfold::inline v0::pricing {

/// Paths of a model in T, with their steps: without jumps, or with them.
template <class T, class Model>
using contract_paths = std::conditional_t<
    std::is_same_v<Model, local_volatility>, std::variant<contract_problems<local_model<T>>>,
    std::variant<contract_problems<variance_model<T>>, contract_problems<jump_model<T>>>>;

/// Contracts first ... first + count - 1 of a checked book, as many as a group has room for.
template <class T>
contract_group<T> contracts_of(double spot, std::span<contract const> book,
                               contract_plan const& plan, std::size_t first, std::size_t count);

/// A book of contracts and a model, for paths in T. Model is black_scholes, heston or
/// local_volatility.
template <class T, class Model>
struct contract_run {
  /// Contracts that one kernel walks along together.
  static constexpr std::size_t part = contract_group<T>::size;

  contract_plan plan;
  std::span<contract const> book;
  double spot;
  contract_paths<T, Model> problems; ///< their groups are those of the last part

  /// Refuses what makes no simulation.
  contract_run(Model const& model, std::span<contract const> of, simulation_options const& options);

  /// Writes the estimates of contracts first ... first + count - 1 to memory of the place, unless
  /// `results` is null, from paths as in for_each_part.
  template <class Place>
  void simulate(Place& place, detail::path_plan const& paths, std::size_t first, std::size_t count,
                estimate* results, bool blocking, path_sharing* sharing);
};

} // namespace warpfold::inline v0::pricing
