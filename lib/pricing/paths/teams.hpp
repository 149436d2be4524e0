#pragma once
// Which simulations are done by teams of lanes; see team_body.hpp.

#include "path_backend.hpp"
#include "path_payoffs.hpp"
#include "team_body.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>

namespace warpfold::inline v0::pricing {

/// How paths are walked.
struct by_threads {};
struct by_teams {};

namespace detail_of_teams {
template <class Group>
struct part_of;
template <class T, int size>
struct part_of<asian_group<T, size>> {
  using type = asian_group<T, size / detail::path_team>;
};
template <class T, int size, bool rebates>
struct part_of<barrier_group<T, size, rebates>> {
  using type = barrier_group<T, size / detail::path_team, rebates>;
};
} // namespace detail_of_teams
/// The part of a group that a team's lane has.
template <class Group>
using part_of_team = typename detail_of_teams::part_of<Group>::type;

/// Where the tables of a simulation by teams lie, in pieces of 16 bytes.
struct team_layout {
  /// So many pieces are a kernel's parameter: 252 steps of 16 options in double. On an NVIDIA H200
  /// (2026-11-27, an empty kernel) 8 KiB take 0.59 us, 16 KiB 0.81 us.
  static constexpr std::size_t most_pieces = 640;

  std::size_t at_finish, at_groups, pieces;

  template <class Group>
  static team_layout of(std::size_t steps, std::size_t groups) {
    constexpr std::size_t team = detail::path_team, piece = sizeof(detail::table_piece);
    auto const pieces = [](std::size_t bytes) { return (bytes + piece - 1) / piece; };
    team_layout all{};
    all.at_finish = pieces(steps * sizeof(path_step<typename Group::element>));
    all.at_groups =
        all.at_finish + pieces(groups * team * Group::results * sizeof(detail::path_finish));
    all.pieces = all.at_groups + pieces(groups * team * sizeof(Group));
    return all;
  }
};

/// Bytes of the workspace that the sums of `groups` groups take.
template <class Group>
std::size_t team_bytes(detail::path_plan const& plan, std::size_t groups) {
  return groups * detail::path_team * Group::results *
         static_cast<std::size_t>(plan.run.shape.tiles()) * sizeof(detail::path_sums);
}

/// True if teams walk groups of `path_team` of these: where one thread a path would leave
/// multiprocessors idle, and there is room.
template <class Group>
bool teams_fit(gpu const& place, detail::path_plan const& plan, std::size_t groups, bool blocking) {
  // Two blocks a multiprocessor. NVIDIA H200, 2026-11-27, 16 Asian options, calls in a graph: 256
  // units take 45.9 us for 252 steps (threads 60.2); 512 units 92.4 us (99.8), for 12 steps 17.4 us
  // (13.8).
  std::size_t const most_units = 2 * static_cast<std::size_t>(place.multiprocessors());
  constexpr std::size_t most_tickets = 2 * detail::gpu_scratch::counter_count;
  auto const tiles = static_cast<std::size_t>(plan.run.shape.tiles());
  return groups > 0 && !plan.quasi && !plan.run.independent && groups <= most_tickets &&
         groups * tiles <= most_units &&
         team_layout::of<Group>(plan.times.size(), groups).pieces <= team_layout::most_pieces &&
         (blocking || team_bytes<Group>(plan, groups) <= place.workspace_size());
}

} // namespace warpfold::inline v0::pricing
