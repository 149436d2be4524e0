#pragma once
// Shared by the tests of simulations whose payoffs pay on the way: on the host, and in the
// emulator.

#include "simt/simt.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

#include <vector>

namespace simt {

/// The estimates of `finish.size()` values.
template <class Problems>
std::vector<warpfold::pricing::estimate>
paths_on_host(Problems const& problems, warpfold::detail::path_plan const& plan,
              std::vector<warpfold::detail::path_finish> const& finish) {
  std::vector<warpfold::pricing::estimate> results(finish.size());
  warpfold::detail::simulate_host(1, plan, problems, finish, results.data(), results.size());
  return results;
}

/// Sums over tiles, a row for each value.
template <class Problems>
std::vector<warpfold::detail::path_sums>
emulated_sums(Problems const& problems, warpfold::detail::path_plan const& plan,
              std::vector<warpfold::detail::path_finish> const& finish, options const& how,
              int grid) {
  namespace detail = warpfold::detail;
  int const tiles = static_cast<int>(plan.run.shape.tiles());
  auto const problem = problems.at(problems.data(), 0);
  std::vector<detail::path_sums> sums(finish.size() * static_cast<std::size_t>(tiles));
  detail::with_random_source(plan, [&](auto source) {
    launch<detail::path_shared_of<Problems, decltype(source)>>(
        grid, detail::path_threads, how, [&](block const& block, auto& shared) {
          detail::simulate_tiles(block, plan.run, problem, source, problems.steps_of(plan).data(),
                                 finish.data(), {0, tiles}, static_cast<int>(problems.groups()),
                                 sums.data(), tiles, shared);
        });
  });
  return sums;
}

/// The estimates that these sums make.
template <class Problems>
std::vector<warpfold::pricing::estimate>
emulated_paths(Problems const& problems, warpfold::detail::path_plan const& plan,
               std::vector<warpfold::detail::path_finish> const& finish, options const& how,
               int grid) {
  int const tiles = static_cast<int>(plan.run.shape.tiles());
  auto sums = emulated_sums(problems, plan, finish, how, grid);
  auto const places =
      warpfold::pricing::sum_places::whole(sums.data(), static_cast<std::uint32_t>(tiles));
  std::vector<warpfold::pricing::estimate> results;
  for (std::size_t v = 0; v < finish.size(); ++v)
    results.push_back(warpfold::detail::finish_value_host(places, static_cast<int>(v), tiles,
                                                          finish[v], plan.ending));
  return results;
}

} // namespace simt
