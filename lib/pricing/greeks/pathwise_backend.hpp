#pragma once
// Simulations of contracts with pathwise derivatives on either place.

#include "pathwise_payoff.hpp"
#include "tangent_paths.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <span>
#include <vector>

#define WARPFOLD_PATHWISE_OF_float(use) use(float, false) use(float, true)
#define WARPFOLD_PATHWISE_OF_double(use) use(double, false) use(double, true)

namespace warpfold::inline v0::pricing {

/// A model's steps and a group of contracts on its paths.
template <class T, bool averages>
struct pathwise_problems
    : detail::book_path_problems<tangent_model<T>, pathwise_group<T, averages>> {
  std::span<tangent_step<T> const> steps;

  std::span<tangent_step<T> const> steps_of(detail::path_plan const&) const { return steps; }
};

/// Writes the estimates of the group's rows to memory of the place; there is an element of `finish`
/// for each. On a gpu it enqueues, and `taken` bytes of the workspace are the caller's, which grows
/// if `blocking`. `sharing` is null where nobody else takes part.
template <class T, bool averages>
void simulate_pathwise(gpu& place, detail::path_plan const& plan,
                       pathwise_problems<T, averages> const& problems,
                       std::vector<detail::path_finish> const& finish, estimate* results,
                       bool blocking, path_sharing* sharing, std::size_t taken);
/// A host has the form with averages alone.
template <class T>
void simulate_pathwise(host const& place, detail::path_plan const& plan,
                       pathwise_problems<T, true> const& problems,
                       std::vector<detail::path_finish> const& finish, estimate* results, bool,
                       path_sharing* sharing, std::size_t);

} // namespace warpfold::inline v0::pricing
