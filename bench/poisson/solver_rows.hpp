#pragma once
// Common to the benchmarks of Poisson's solver: boxes and their names, and rows.

#include "bench.hpp"
#include "reduction/reduction_rows.hpp"
#include "rows_together.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpfold::bench {

/// A box that is alike along all axes.
struct box {
  std::string_view name;
  poisson::boundary lower, upper;
  poisson::grid grid;
  int extra; ///< points beyond the transforms' length

  /// Its problem, of transforms of `length` along each axis.
  [[nodiscard]] poisson::problem problem(std::size_t axes, std::size_t length) const {
    std::size_t const points =
        length + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(extra));
    poisson::axis const along{.points = points, .lower = lower, .upper = upper, .grid = grid};
    return {.axes = std::vector<poisson::axis>(axes, along)};
  }
  /// neumann_nodes_2d
  [[nodiscard]] std::string title(std::size_t axes) const {
    return std::string(name) + "_" + std::to_string(axes) + "d";
  }
};

namespace boxes {
using poisson::boundary;
using poisson::grid;
inline constexpr box periodic{"periodic", boundary::periodic, boundary::periodic, grid::nodes, 0};
inline constexpr box dirichlet_cells{"dirichlet_cells", boundary::dirichlet, boundary::dirichlet,
                                     grid::cells, 0};
inline constexpr box neumann_cells{"neumann_cells", boundary::neumann, boundary::neumann,
                                   grid::cells, 0};
inline constexpr box mixed_cells{"mixed_cells", boundary::dirichlet, boundary::neumann, grid::cells,
                                 0};
inline constexpr box mixed_nodes{"mixed_nodes", boundary::dirichlet, boundary::neumann, grid::nodes,
                                 0};
inline constexpr box dirichlet_nodes{"dirichlet_nodes", boundary::dirichlet, boundary::dirichlet,
                                     grid::nodes, -1};
inline constexpr box neumann_nodes{"neumann_nodes", boundary::neumann, boundary::neumann,
                                   grid::nodes, 1};
} // namespace boxes

/// Points of all right-hand sides.
inline std::size_t size_of(poisson::problem const& problem) {
  std::size_t points = problem.batch;
  for (poisson::axis const& one : problem.axes) points *= one.points;
  return points;
}

/// Bytes of the fewest passes: along each axis forward and back, but for one, which is done both
/// ways at once; each reads and writes everything once.
template <class T>
double least_bytes(poisson::problem const& problem) {
  double const passes = 2 * static_cast<double>(problem.axes.size()) - 1;
  return passes * 2 * sizeof(T) * static_cast<double>(size_of(problem));
}

/// poisson_neumann_nodes_2d/float/vendor/n:4097
template <class T>
std::string row_name(std::string const& title, std::string const& way,
                     poisson::problem const& problem) {
  return "poisson_" + title + "/" + type_name<T>() + "/" + way +
         "/n:" + std::to_string(problem.axes.back().points);
}

/// The largest difference of solutions that is a rounding error, over their length: errors of a few
/// roundings a pass, and at least what apart() tells from 0.
template <class T>
inline constexpr double tolerance = sizeof(T) == 4 ? 3e-6 : 2e-8;

/// ||a - b|| / ||b||, to 1e-8, below which squares are no longer told apart.
template <class T>
double apart(gpu& place, device_span<T const> a, device_span<T const> b) {
  double const aa = exact_dot<double>(place, a, a), bb = exact_dot<double>(place, b, b);
  double const ab = exact_dot<double>(place, a, b);
  return std::sqrt(std::max(aa - 2 * ab + bb, 0.) / bb);
}

/// rows_together whose measurement as a whole is an attempt, too: a lack of memory is no complaint.
/// The label of a row names an engine.
inline rows_together solver_rows(session& run, rows_together::measure measure_all) {
  return {run, [all = std::move(measure_all)](std::vector<rows_together::outcome>& outcomes) {
            rows_together::outcome whole;
            if (!whole.attempt([&] { all(outcomes); })) outcomes.assign(outcomes.size(), whole);
          }};
}

/// Rows of the host: ours beside FFTW, if the library was built with it.
void add_host_poisson(session& run);
/// Rows of real transforms by themselves.
void add_transforms(session& run);

} // namespace warpfold::bench
