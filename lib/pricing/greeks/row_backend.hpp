#pragma once
// Simulations of contracts that pay several results each, on either place.

#include "likelihood_ratio.hpp"
#include "pathwise_payoff.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <span>
#include <vector>

// Models and groups. A host has pathwise groups with averages alone.
#define WARPFOLD_ROWS_OF_float(use)                                                                \
  use(tangent_model<float>, pathwise_group<float, false>)                                          \
      use(tangent_model<float>, pathwise_group<float, true>)
#define WARPFOLD_ROWS_OF_double(use)                                                               \
  use(tangent_model<double>, pathwise_group<double, false>)                                        \
      use(tangent_model<double>, pathwise_group<double, true>)
#define WARPFOLD_ROWS_OF_score_float(use) use(score_model<float>, score_group<float>)
#define WARPFOLD_ROWS_OF_score_double(use) use(score_model<double>, score_group<double>)

namespace warpfold::inline v0::pricing {

/// A model's steps and a group of contracts on its paths.
template <class Model, class Group>
struct row_problems : detail::book_path_problems<Model, Group> {
  std::span<typename Model::own_step const> steps;

  std::span<typename Model::own_step const> steps_of(detail::path_plan const&) const {
    return steps;
  }
};

/// Writes the estimates of the group's rows to memory of the place; there is an element of `finish`
/// for each. On a gpu it enqueues, and `taken` bytes of the workspace are the caller's, which grows
/// if `blocking`. `sharing` is null where nobody else takes part.
template <class Model, class Group>
void simulate_rows(gpu& place, detail::path_plan const& plan,
                   row_problems<Model, Group> const& problems,
                   std::vector<detail::path_finish> const& finish, estimate* results, bool blocking,
                   path_sharing* sharing, std::size_t taken);
template <class Model, class Group>
void simulate_rows(host const& place, detail::path_plan const& plan,
                   row_problems<Model, Group> const& problems,
                   std::vector<detail::path_finish> const& finish, estimate* results, bool,
                   path_sharing* sharing, std::size_t);

} // namespace warpfold::inline v0::pricing
