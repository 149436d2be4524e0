#pragma once
// Simulations of contracts on correlated assets, on either place.

#include "basket_group.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/execution.hpp>

#include <vector>

// Capacities. Normals are most of a step: with two assets a path takes 18.9 ns a step with room for
// two, and 34.4 with room for four (AMD EPYC, AVX2, one thread, float, 12 steps, November 2026).
#define WARPFOLD_BASKETS_OF_float(use) use(float, 2) use(float, 4) use(float, 8) use(float, 16)
#define WARPFOLD_BASKETS_OF_double(use) use(double, 2) use(double, 4) use(double, 8) use(double, 16)

namespace warpfold::inline v0::pricing {

/// A basket's steps and groups of contracts on its paths.
template <class T, int capacity>
struct basket_problems
    : detail::book_path_problems<basket_model<T, capacity>, basket_group<T, capacity>> {
  std::vector<basket_step<T, capacity>> steps;

  std::vector<basket_step<T, capacity>> const& steps_of(detail::path_plan const&) const {
    return steps;
  }
};

/// Writes estimates to memory of the place; there is an element of `finish` for each. A gpu
/// enqueues, and its workspace grows if `blocking`. `sharing` is null where nobody else takes part.
template <class T, int capacity>
void simulate_baskets(gpu& place, detail::path_plan const& plan,
                      basket_problems<T, capacity> const& problems,
                      std::vector<detail::path_finish> const& finish, estimate* results,
                      bool blocking, path_sharing* sharing);
template <class T, int capacity>
void simulate_baskets(host const& place, detail::path_plan const& plan,
                      basket_problems<T, capacity> const& problems,
                      std::vector<detail::path_finish> const& finish, estimate* results, bool,
                      path_sharing* sharing);

} // namespace warpfold::inline v0::pricing
