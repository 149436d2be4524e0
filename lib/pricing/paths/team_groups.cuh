#pragma once
// Groups of options on few paths, on a GPU: the kernel of teams and its launch.

#include "path_backend.hpp"
#include "teams.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/execution.hpp>

#include <cstring>

namespace warpfold::inline v0::pricing {

namespace {

struct team_tables {
  alignas(32) detail::table_piece of[team_layout::most_pieces];
};

template <class Group>
using team_round = detail::path_round<typename Group::element, Group::results * detail::path_team>;

/// Two blocks of a multiprocessor, perhaps one of the next launch.
template <bool antithetic, class Group, class Work>
__global__ __launch_bounds__(detail::path_threads* detail::path_team, 2) void simulate_teams_kernel(
    Work const __grid_constant__ work, team_tables const __grid_constant__ tables) {
  extern __shared__ __align__(32) unsigned char memory_of_teams[];
  using shared_type = detail::team_shared<team_round<Group>>;
  auto* const to = reinterpret_cast<detail::table_piece*>(memory_of_teams);
  auto& shared = *reinterpret_cast<shared_type*>(to + work.pieces);
  detail::simulate_teams<antithetic, Group, path_step<typename Group::element>>(
      detail::cuda_block{}, work, detail::unknown(tables.of), to, shared);
}

} // namespace

template <class Group>
void simulate_in_teams(gpu& place, detail::path_plan const& plan, path_book<Group> const& book,
                       estimate* results, bool blocking) {
  using work_type = detail::team_work<brownian_motion<typename Group::element>>;
  auto const steps = book.problems.steps_of(plan);
  std::size_t const groups = book.problems.all.size() / detail::path_team;
  auto const layout = team_layout::of<Group>(steps.size(), groups);
  team_tables tables{};
  auto const put = [&](std::size_t at, auto const& all) {
    std::memcpy(tables.of + at, all.data(), all.size() * sizeof(all[0]));
  };
  put(0, steps);
  put(layout.at_finish, book.finish);
  put(layout.at_groups, book.problems.all);
  device_guard const current{place.device()};
  int const tiles = static_cast<int>(plan.run.shape.tiles());
  work_type const work{plan.run,
                       book.problems.model,
                       tiles,
                       static_cast<int>(groups),
                       static_cast<detail::path_sums*>(
                           detail::scratch_for(place, team_bytes<Group>(plan, groups), blocking)),
                       reinterpret_cast<unsigned*>(detail::gpu_scratch(place).counters()),
                       plan.ending,
                       results,
                       static_cast<int>(book.wanted),
                       static_cast<int>(layout.pieces),
                       static_cast<int>(layout.at_finish),
                       static_cast<int>(layout.at_groups)};
  using shared_type = detail::team_shared<team_round<Group>>;
  static_assert(sizeof(team_tables) + sizeof(shared_type) <= 48 * 1024);
  detail::with_random_source(plan, [&](auto source) {
    constexpr auto kernel = simulate_teams_kernel<decltype(source)::antithetic, Group, work_type>;
    constexpr int threads = detail::path_threads * detail::path_team;
    int const capability = place.compute_capability();
    static detail::kernel_facts const facts = detail::facts_of(kernel, threads, capability);
    detail::launch(place.stream(),
                   {.blocks = tiles * work.groups,
                    .threads = threads,
                    .ahead = facts.waits_for_previous_grid(capability),
                    .shared = layout.pieces * sizeof(detail::table_piece) + sizeof(shared_type)},
                   kernel, work, tables);
  });
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(...)                                                                           \
  template void warpfold::pricing::simulate_in_teams(                                              \
      warpfold::gpu&, warpfold::detail::path_plan const&,                                          \
      warpfold::pricing::path_book<warpfold::pricing::__VA_ARGS__> const&,                         \
      warpfold::pricing::estimate*, bool);
