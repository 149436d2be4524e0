#pragma once
// What the tests of Poisson's passes in the emulator share: how a pass runs, and what three passes
// over a square are.

#include "simt/poisson/solved.hpp"
#include "simt/simt.hpp"

#include "poisson/plan.hpp"
#include "poisson/squares/fused_column_pass.hpp"
#include "poisson/squares/fused_row_pass.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace simt {

/// Calls body(block, shared memory) in as many blocks of a shape.
template <class Shape, int Cluster = 1, class Body>
void run_pass(int blocks, options const& how, Body body) {
  launch({blocks, Shape::threads, Shape::shared, Cluster}, how,
         [&](block const& one, void* shared) {
           body(one, static_cast<warpfold::poisson::complex<typename Shape::number>*>(shared));
         });
}

/// The arrays of the second pass of a test's solver over squares so wide, but for those of a solve;
/// `share` is one over what the transforms multiply by.
template <class T, class Solver>
warpfold::poisson::column_arrays<T> column_arrays_of(Solver const& of, double share, int width,
                                                     int interleaved) {
  return {.spectra = nullptr,
          .removed_mean = nullptr,
          .factors = of.factors.data(),
          .roots = of.tables.roots.data(),
          .modes = of.tables.modes.data(),
          .eigenvalues = of.eigenvalues.data(),
          .lambda = {nullptr, static_cast<T>(of.plan.problem.lambda)},
          .lambda_unit = static_cast<T>(1 / of.divisor),
          .scale = static_cast<T>(share / of.divisor),
          .mean_scale = static_cast<T>(share),
          .width = width,
          .interleaved_log2 = std::countr_zero(static_cast<unsigned>(interleaved))};
}

/// Three passes over squares in place. Rows and columns have all but the arrays of a solve. Of the
/// shapes there is one type for all, so that what runs them is compiled once.
template <class T>
struct square_passes {
  using complex = warpfold::poisson::complex<T>;
  using row_arrays = warpfold::poisson::row_arrays<T>;
  using column_arrays = warpfold::poisson::column_arrays<T>;

  warpfold::poisson::plan const& plan;
  row_arrays rows;
  column_arrays columns;
  shape row_shape, column_shape;  ///< but for their grids
  int block_lines, square_blocks; ///< lines of a block of rows; blocks of a square's columns
  std::function<void(block const&, row_arrays const&, std::size_t first, complex*)> forward;
  std::function<void(block const&, column_arrays const&, int number, complex*)> middle;
  std::function<void(block const&, row_arrays const&, std::size_t first, bool fixes, complex*)>
      back;

  /// With `fixes`, first points are subtracted.
  solved<T> solve(options const& how, std::vector<T> const& rhs, bool fixes) const {
    int const lines = static_cast<int>(plan.axes[0].points) / 2;
    int const batch = static_cast<int>(rhs.size()) / (2 * lines * columns.width);
    std::vector<T> own = rhs, means(static_cast<std::size_t>(batch), T(NAN)), firsts = means;
    row_arrays r = rows;
    column_arrays c = columns;
    r.rhs = r.solution = own.data();
    r.spectra = c.spectra = reinterpret_cast<warpfold::poisson::complex_pair<T>*>(own.data());
    r.first_point = fixes ? firsts.data() : nullptr;
    r.lines_log2 = std::countr_zero(static_cast<unsigned>(lines));
    c.removed_mean = means.data();

    auto const pass = [&](shape of, int grid, auto body) {
      of.grid = grid;
      launch(of, how, [&](block const& one, void* shared) {
        body(one, static_cast<std::size_t>(one.block_rank()), static_cast<complex*>(shared));
      });
    };
    auto const each = static_cast<std::size_t>(block_lines);
    int const row_blocks = batch * lines / block_lines;
    pass(row_shape, row_blocks, [&](block const& one, std::size_t b, complex* shared) {
      forward(one, r, b * each, shared);
    });
    pass(column_shape, batch * square_blocks,
         [&](block const& one, std::size_t b, complex* shared) {
           middle(one, c, static_cast<int>(b), shared);
         });
    if (fixes)
      pass(row_shape, batch, [&](block const& one, std::size_t b, complex* shared) {
        back(one, r, b * static_cast<std::size_t>(lines), true, shared);
      });
    pass(row_shape, row_blocks, [&](block const& one, std::size_t b, complex* shared) {
      back(one, r, b * each, false, shared);
    });
    return {own, means};
  }
};

/// middle(block, columns, number of the block, shared memory) is the second pass, of so many blocks
/// a square.
template <class Rows, class Columns, class T, class Middle>
square_passes<T> square_passes_of(warpfold::poisson::plan const& plan,
                                  warpfold::poisson::row_arrays<T> const& rows,
                                  warpfold::poisson::column_arrays<T> const& columns,
                                  int square_blocks, Middle middle) {
  namespace po = warpfold::poisson;
  return {plan,
          rows,
          columns,
          {0, Rows::threads, Rows::shared},
          {0, Columns::threads, Columns::shared},
          Rows::lines,
          square_blocks,
          [](block const& one, auto const& arrays, std::size_t first, auto* shared) {
            po::rows_forward<Rows>(one, arrays, first, shared);
          },
          middle,
          [](block const& one, auto const& arrays, std::size_t first, bool fixes, auto* shared) {
            po::rows_back<Rows>(one, arrays, first, fixes, shared);
          }};
}

/// Solves two right-hand sides in every order, also with first points subtracted where the problem
/// is singular.
template <class T>
void check_squares(square_passes<T> const& solver) {
  auto problem = solver.plan.problem;
  INFO(problem.axes[0].points, " x ", problem.axes[1].points, ", ", solver.row_shape.threads,
       " and ", solver.column_shape.threads, " threads");
  problem.batch = 2;
  auto const rhs = test::rough_values<T>(2 * solver.plan.size(), seed());
  for (auto const gauge :
       {warpfold::poisson::gauge::zero_mean, warpfold::poisson::gauge::first_point}) {
    problem.gauge = gauge;
    bool const fixes = gauge == warpfold::poisson::gauge::first_point;
    if (fixes && !solver.plan.singular) continue;
    auto const exact = solve_on_host(problem, rhs);
    in_every_order(
        [&](options const& how) { check_solved(solver.solve(how, rhs, fixes), exact, fixes); });
  }
}

/// The barriers without which solve(options) gives the same all the same.
template <class T>
std::string unneeded_barriers_of(std::function<solved<T>(options const&)> const& solve) {
  auto const expected = solve(options{});
  return unneeded_barriers([&](options const& how) { return solve(how) == expected; });
}

} // namespace simt
