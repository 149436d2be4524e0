#pragma once
// Simulations of Asian and barrier options on either place, and their door, for communicators.

#include "path_payoffs.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/path_options.hpp>

#include <cstddef>
#include <vector>

// As many options as a thread has registers for (NVIDIA H200: 72 for 16 Asian options in float),
// and one: for small books and for options with normals of their own, which need no form without
// rebates.
#define WARPFOLD_GROUPS_OF_asian(use)                                                              \
  use(asian_group<float, 1>) use(asian_group<float, 16>) use(asian_group<double, 1>)               \
      use(asian_group<double, 8>)
#define WARPFOLD_GROUPS_OF_barrier(use)                                                            \
  use(barrier_group<float, 1, true>) use(barrier_group<float, 8, true>)                            \
      use(barrier_group<float, 16, false>) use(barrier_group<double, 1, true>)                     \
          use(barrier_group<double, 4, true>) use(barrier_group<double, 4, false>)

// Parts of those groups, of which a team's lane has one; see team_body.hpp.
#define WARPFOLD_TEAMS_OF_asian(use) use(asian_group<float, 4>) use(asian_group<double, 2>)
#define WARPFOLD_TEAMS_OF_barrier(use)                                                             \
  use(barrier_group<float, 2, true>) use(barrier_group<float, 4, false>)                           \
      use(barrier_group<double, 1, true>) use(barrier_group<double, 1, false>)

namespace warpfold::inline v0::pricing {

/// simulate(), to the same bits; `sharing` is null where nobody else takes part. Option is an
/// asian_option or a barrier_option.
template <class T, class Option>
void simulate_book(gpu& place, std::span<Option const> book, std::span<estimate> results,
                   simulation_options const& options, path_sharing* sharing);
template <class T, class Option>
void simulate_book(host const& place, std::span<Option const> book, std::span<estimate> results,
                   simulation_options const& options, path_sharing* sharing);

/// Groups of options, the last of which may be filled up with copies; `wanted` options.
template <class Group>
struct path_book {
  detail::book_path_problems<brownian_motion<typename Group::element>, Group> problems;
  std::vector<detail::path_finish> finish;
  std::size_t wanted = 0;
};

/// Writes estimates to memory of the place. A gpu enqueues, and its workspace grows if `blocking`.
template <class Group>
void simulate_groups(gpu& place, detail::path_plan const& plan, path_book<Group> const& book,
                     estimate* results, bool blocking, path_sharing* sharing);
template <class Group>
void simulate_groups(host const& place, detail::path_plan const& plan, path_book<Group> const& book,
                     estimate* results, bool, path_sharing* sharing);

/// As simulate_groups on a gpu where teams_fit: `path_team` groups in a row are a team's.
template <class Group>
void simulate_in_teams(gpu& place, detail::path_plan const& plan, path_book<Group> const& book,
                       estimate* results, bool blocking);

} // namespace warpfold::inline v0::pricing
