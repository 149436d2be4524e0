#pragma once
// Simulations of contracts on either place.

#include "contract_payoff.hpp"
#include "local_paths.hpp"
#include "variance_paths.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/contracts.hpp>

#include <cstddef>
#include <vector>

#define WARPFOLD_CONTRACTS_OF_float(use) use(variance_model<float>)
#define WARPFOLD_CONTRACTS_OF_double(use) use(variance_model<double>)
#define WARPFOLD_CONTRACTS_OF_local_float(use) use(local_model<float>)
#define WARPFOLD_CONTRACTS_OF_local_double(use) use(local_model<double>)
#define WARPFOLD_CONTRACTS_OF_jump_float(use) use(jump_model<float>)
#define WARPFOLD_CONTRACTS_OF_jump_double(use) use(jump_model<double>)

namespace warpfold::inline v0::pricing {

/// A model's steps and groups of contracts on its paths.
template <class Model>
struct contract_problems
    : detail::book_path_problems<Model, contract_group<typename Model::value_type>> {
  using own_step = typename Model::own_step;
  std::vector<own_step> steps;

  std::vector<own_step> const& steps_of(detail::path_plan const&) const { return steps; }
};

/// Writes estimates to memory of the place; there is an element of `finish` for each. A gpu
/// enqueues, and its workspace grows if `blocking`. `sharing` is null where nobody else takes part.
template <class Model>
void simulate_contracts(gpu& place, detail::path_plan const& plan,
                        contract_problems<Model> const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results,
                        bool blocking, path_sharing* sharing);
template <class Model>
void simulate_contracts(host const& place, detail::path_plan const& plan,
                        contract_problems<Model> const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results, bool,
                        path_sharing* sharing);

} // namespace warpfold::inline v0::pricing
