// Poisson's equation: the fused solver beside cuFFT with a kernel between its transforms, and
// beside the course's three versions.

#include "reduction/reduction_rows.hpp"
#include "rows_together.hpp"

#include <warpfold/twins/poisson.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpfold::bench {
namespace {

using poisson::axis;
using poisson::boundary;
using poisson::grid;
using twins::engine;

poisson::problem cube(std::size_t dimensions, axis const& along) {
  return {.axes = std::vector<axis>(dimensions, along)};
}

/// The largest difference of solutions that is a rounding error, over their length: errors of a few
/// roundings a pass.
template <class T>
constexpr double tolerance = sizeof(T) == 4 ? 3e-6 : 1e-14;

/// ||a - b|| / ||b||, to 1e-8, below which squares are no longer told apart.
template <class T>
double apart(gpu& place, device_span<T const> a, device_span<T const> b) {
  double const aa = exact_dot<double>(place, a, a), bb = exact_dot<double>(place, b, b);
  double const ab = exact_dot<double>(place, a, b);
  return std::sqrt(std::max(aa - 2 * ab + bb, 0.) / bb);
}

/// A row: a problem on boxes that are alike along all axes, and a way to solve it.
struct entry {
  std::string name;
  poisson::problem what;
  engine which;

  [[nodiscard]] std::size_t size() const {
    std::size_t points = what.batch;
    for (axis const& one : what.axes) points *= one.points;
    return points;
  }
};

template <class T>
void measure(session& run, std::vector<entry> const& entries,
             std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  std::size_t most = 0;
  for (entry const& one : entries) most = std::max(most, one.size());
  timing_plan const plan = plan_for(3 * most * sizeof(T), run.quick);
  std::size_t const apart_by = (most + 63) / 64 * 64;
  std::size_t const all = apart_by * static_cast<std::size_t>(plan.calls);
  device_buffer<T> rhs(place, all), solution(place, all), expected(place, most);
  random::normal_async(place, rhs.span(), {.seed = 2008});

  std::vector<std::unique_ptr<poisson::solver<T, gpu>>> solvers;
  std::vector<contender> contenders;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    auto const& [name, what, which] = entries[e];
    std::size_t const size = entries[e].size();
    auto const part = [size](device_buffer<T>& of, std::size_t begin = 0) {
      return of.span().subspan(begin, size);
    };
    {
      poisson::solver<T, gpu> reference(place, what, engine::vendor);
      reference.solve({.rhs = part(rhs), .solution = part(expected)});
    }
    solvers.push_back(std::make_unique<poisson::solver<T, gpu>>(place, what, which));
    auto* const solver = solvers.back().get();
    poisson::fields<T, gpu> const of{.rhs = part(rhs), .solution = part(solution)};
    solver->solve(of);
    double const off = apart<T>(place, part(solution), part(expected));
    // u(0) = 0 is fixed by one value, which is as wrong as any.
    bool const by_point = what.gauge == poisson::gauge::first_point;
    if (!(off < std::max(tolerance<T>, 2e-8) * (by_point ? 10 : 1)))
      outcomes[e].complaint = "differs from the vendor's by " + std::to_string(off);
    contenders.push_back({[=, &rhs, &solution](int i) {
      std::size_t const begin = static_cast<std::size_t>(i) * apart_by;
      solver->solve_async({.rhs = part(rhs, begin), .solution = part(solution, begin)});
    }});
  }
  auto const times = time_paired(place, *run.flush, contenders, plan);
  for (std::size_t e = 0; e < entries.size(); ++e) outcomes[e].times = times[e];
}

/// Bytes are those of the fewest passes: along each axis forward and back, but for one, which is
/// done both ways at once; each reads and writes everything once.
template <class T>
void add(session& run, std::vector<entry> const& entries) {
  rows_together rows(run, [&run, entries](auto& outcomes) { measure<T>(run, entries, outcomes); });
  for (entry const& one : entries) {
    auto const size = static_cast<double>(one.size());
    double const passes = 2 * static_cast<double>(one.what.axes.size()) - 1;
    rows.add("poisson_" + one.name + "/" + type_name<T>() + "/" + to_string(one.which) +
                 "/n:" + std::to_string(one.what.axes.back().points),
             passes * 2 * sizeof(T) * size, size);
  }
}

std::vector<entry> ways(std::string const& name, poisson::problem const& what,
                        std::vector<engine> const& engines = {engine::fused, engine::vendor}) {
  std::vector<entry> entries;
  for (engine const which : engines) {
    entries.push_back({name, what, which});
    bool const is_course = which != engine::fused && which != engine::vendor;
    if (is_course) entries.back().what.gauge = poisson::gauge::first_point;
  }
  return entries;
}

std::vector<entry> operator+(std::vector<entry> all, std::vector<entry> const& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// A square with the same boundary on all sides, or two.
std::vector<entry> bounded(std::string const& name, std::size_t points, boundary lower,
                           boundary upper, grid where) {
  return ways(name, cube(2, {.points = points, .lower = lower, .upper = upper, .grid = where}));
}

} // namespace

void add_poisson(session& run) {
  if (!run.place) return;
  std::vector<engine> const all{engine::fused, engine::vendor, engine::course,
                                engine::course_shared, engine::course_coalesced};
  auto const squares = [&](std::size_t points) {
    return ways("periodic_2d", cube(2, {.points = points}), all);
  };
  std::vector<std::size_t> sizes{64, 512, 1024, 3000, 8192};
  if (!run.quick) sizes = {64, 128, 256, 512, 1024, 2048, 3000, 8192, 16384};
  for (std::size_t const points : sizes) add<float>(run, squares(points));

  constexpr auto d = boundary::dirichlet, n = boundary::neumann;
  auto around = squares(4096) + bounded("dirichlet_cells_2d", 4096, d, d, grid::cells) +
                bounded("neumann_cells_2d", 4096, n, n, grid::cells);
  if (!run.quick) // nodes: as many points as make the transforms' length 4096
    around = around + bounded("dirichlet_nodes_2d", 4095, d, d, grid::nodes) +
             bounded("neumann_nodes_2d", 4097, n, n, grid::nodes) +
             bounded("mixed_cells_2d", 4096, d, n, grid::cells) +
             bounded("mixed_nodes_2d", 4096, d, n, grid::nodes);
  add<float>(run, around);
  add<double>(run, ways("periodic_2d", cube(2, {.points = 4096})));
  add<float>(run, ways("periodic_3d", cube(3, {.points = 256})));
  if (run.quick) return;
  add<float>(run, ways("periodic_3d", cube(3, {.points = 512})));
  add<double>(run, ways("periodic_2d", cube(2, {.points = 1024})));
  add<double>(run, ways("periodic_2d", cube(2, {.points = 8192})));
  add<double>(run, ways("periodic_3d", cube(3, {.points = 256})));
  add<double>(run, bounded("dirichlet_cells_2d", 4096, d, d, grid::cells));
  poisson::problem lines = cube(1, {.points = 4096});
  lines.batch = 4096;
  add<float>(run, ways("periodic_1d_x4096", lines));
}

} // namespace warpfold::bench
