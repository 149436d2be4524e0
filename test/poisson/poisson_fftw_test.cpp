// Against FFTW's transforms of whole squares, as its manual defines them: what the solver makes of
// its transforms along axes, of eigenvalues and of gauges is not shared.

#include "poisson_modes.hpp"

#include <fftw3.h>

namespace poisson_fftw_test {

using namespace test;

/// For a kind of axis: the transforms, and the half waves of the first mode.
struct recipe {
  fftw_r2r_kind forward, backward;
  double first_wave;
};
recipe recipe_of(axis_kind of) {
  bool const cells = of.grid == grid::cells;
  if (of.lower == neumann && of.upper == neumann)
    return cells ? recipe{FFTW_REDFT10, FFTW_REDFT01, 0} : recipe{FFTW_REDFT00, FFTW_REDFT00, 0};
  if (of.lower == dirichlet && of.upper == dirichlet)
    return cells ? recipe{FFTW_RODFT10, FFTW_RODFT01, 1} : recipe{FFTW_RODFT00, FFTW_RODFT00, 1};
  if (of.lower == neumann)
    return cells ? recipe{FFTW_REDFT11, FFTW_REDFT11, .5} : recipe{FFTW_REDFT01, FFTW_REDFT10, .5};
  return cells ? recipe{FFTW_RODFT11, FFTW_RODFT11, .5} : recipe{FFTW_RODFT01, FFTW_RODFT10, .5};
}

/// For modes of 0, 1, 2 ... times `apart` half waves more than the first.
std::vector<double> eigenvalues(po::axis const& of, symbol stands, double first, double apart) {
  std::vector<double> all;
  for (std::size_t m = 0; m < of.points; ++m) {
    double const waves = first + apart * static_cast<double>(m);
    mode const one{std::numbers::pi_v<real> * waves / of.length, false, false};
    all.push_back(static_cast<double>(one.eigenvalue(stands, spacing_of(of))));
  }
  return all;
}

std::size_t at(int row, int columns, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
         static_cast<std::size_t>(column);
}

/// Neither axis periodic.
std::vector<double> solved_by_r2r(po::problem const& of, axis_kind a, axis_kind b,
                                  std::vector<double> values) {
  auto const rows = static_cast<int>(of.axes[0].points),
             columns = static_cast<int>(of.axes[1].points);
  recipe const by_rows = recipe_of(a), by_columns = recipe_of(b);
  auto const transform = [&](fftw_r2r_kind first, fftw_r2r_kind second) {
    auto* const plan =
        fftw_plan_r2r_2d(rows, columns, values.data(), values.data(), first, second, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
  };
  transform(by_rows.forward, by_columns.forward);
  auto const in_rows = eigenvalues(of.axes[0], of.symbol, by_rows.first_wave, 1),
             in_columns = eigenvalues(of.axes[1], of.symbol, by_columns.first_wave, 1);
  double const periods = static_cast<double>(4 * spacings_of(of.axes[0]) * spacings_of(of.axes[1]));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double const divisor = in_rows[static_cast<std::size_t>(i)] +
                             in_columns[static_cast<std::size_t>(j)] - of.lambda;
      double& one = values[at(i, columns, j)];
      one = divisor == 0 ? 0 : one / (divisor * periods);
    }
  transform(by_rows.backward, by_columns.backward);
  return values;
}

/// Both axes periodic.
std::vector<double> solved_by_dft(po::problem const& of, std::vector<double> values) {
  auto const rows = static_cast<int>(of.axes[0].points),
             columns = static_cast<int>(of.axes[1].points);
  int const half = columns / 2 + 1;
  auto const in_rows = eigenvalues(of.axes[0], of.symbol, 0, 2),
             in_columns = eigenvalues(of.axes[1], of.symbol, 0, 2);
  std::vector<std::array<double, 2>> modes(at(rows, half, 0));
  auto* const complex = reinterpret_cast<fftw_complex*>(modes.data());
  auto* plan = fftw_plan_dft_r2c_2d(rows, columns, values.data(), complex, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < half; ++j) {
      double const divisor = in_rows[static_cast<std::size_t>(std::min(i, rows - i))] +
                             in_columns[static_cast<std::size_t>(j)] - of.lambda;
      for (double& part : modes[at(i, half, j)])
        part = divisor == 0 ? 0 : part / (divisor * rows * columns);
    }
  plan = fftw_plan_dft_c2r_2d(rows, columns, complex, values.data(), FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return values;
}

TEST_SUITE("fftw") {
  EVERY_PLACE_OF("squares are solved as by FFTW's two-dimensional transforms", T, float, double) {
    constexpr std::size_t extents[][2] = {{48, 35}, {31, 64}, {3, 100}, {128, 128}};
    unsigned seed = 3;
    for (axis_kind const a : axis_kinds)
      for (axis_kind const b : axis_kinds) {
        if ((a.lower == periodic) != (b.lower == periodic)) continue;
        auto const [rows, columns] = extents[++seed % std::size(extents)];
        CAPTURE(seed);
        po::problem of{{axis_of(a, rows, 1.1), axis_of(b, columns, 0.9)}};
        for (symbol const stands : {symbol::spectral, symbol::second_order, symbol::fourth_order}) {
          of.symbol = stands;
          of.lambda = seed % 2;
          std::mt19937_64 random{seed};
          question<T> const asked{of, random_values<T>(random, size_of(of))};
          std::vector<double> const f(asked.rhs.begin(), asked.rhs.end());
          auto const expected =
              a.lower == periodic ? solved_by_dft(of, f) : solved_by_r2r(of, a, b, f);
          for (engine const how : engines_for<T>(place, of))
            CHECK(rms_error(solve(place, asked, how).u, expected) <=
                  4 * std::numeric_limits<T>::epsilon() * rms(f) / smallest_divisor(of));
        }
      }
  }
}

} // namespace poisson_fftw_test
