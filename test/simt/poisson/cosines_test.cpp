// The three passes over two axes of cosines or sines in the emulator, against sums in double.

#include "simt/poisson/passes.hpp"

#include "poisson/squares/fused_tables.hpp"

#include <numbers>

namespace {

namespace po = warpfold::poisson;

using numbers = std::vector<double>;

/// Mode k at point j, with its mean square over the points as 1.
double mode(po::transform kind, std::size_t k, std::size_t j, std::size_t n) {
  if (kind == po::transform::fourier) { // Hartley's
    double const phase =
        2 * std::numbers::pi * static_cast<double>(k * j % n) / static_cast<double>(n);
    return std::cos(phase) + std::sin(phase);
  }
  bool const is_sine = kind == po::transform::sine_2;
  std::size_t const waves = is_sine ? k + 1 : k;
  double const phase = std::numbers::pi * static_cast<double>(waves * (2 * j + 1) % (4 * n)) /
                       static_cast<double>(2 * n);
  double const size = waves % n == 0 ? 1 : std::numbers::sqrt2;
  return size * (is_sine ? std::sin(phase) : std::cos(phase));
}

/// Means of each line's products with all modes, or else sums of modes.
void transform(po::transform kind, numbers& all, std::size_t first, std::size_t step, std::size_t n,
               bool to_modes) {
  numbers sums(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      double const of_mode = mode(kind, k, j, n);
      if (to_modes) sums[k] += all[first + j * step] * of_mode / static_cast<double>(n);
      else sums[j] += all[first + k * step] * of_mode;
    }
  for (std::size_t k = 0; k < n; ++k) all[first + k * step] = sums[k];
}
void transform(po::plan const& plan, numbers& all, bool to_modes) {
  std::size_t const height = plan.axes[0].points, width = plan.axes[1].points;
  for (std::size_t y = 0; y < height; ++y)
    transform(plan.axes[1].forward, all, y * width, 1, width, to_modes);
  for (std::size_t x = 0; x < width; ++x)
    transform(plan.axes[0].forward, all, x, width, height, to_modes);
}

/// Eigenvalues of the plain kind, not those of any symbol.
po::plan plan_of(int height, int width, po::transform along_y, po::transform along_x,
                 double lambda) {
  po::plan plan;
  plan.problem.lambda = lambda;
  plan.singular = lambda == 0;
  for (int const n : {height, width}) {
    po::axis_plan axis{};
    axis.points = static_cast<std::size_t>(n);
    axis.forward = n == height && plan.axes.empty() ? along_y : along_x;
    bool const is_sine = axis.forward == po::transform::sine_2;
    for (int k = 0; k < n; ++k)
      axis.eigenvalues.push_back(
          0 - (axis.forward == po::transform::fourier ? 2 * std::min(k, n - k) : k + is_sine) *
                  (plan.axes.empty() ? 3. : 2.));
    if (is_sine) plan.singular = false;
    plan.axes.push_back(axis);
  }
  return plan;
}

numbers expected(po::plan const& plan, numbers all) {
  std::size_t const height = plan.axes[0].points, width = plan.axes[1].points;
  transform(plan, all, true);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      double const divisor =
          plan.axes[0].eigenvalues[y] + plan.axes[1].eigenvalues[x] - plan.problem.lambda;
      all[y * width + x] *= divisor == 0 ? 0 : 1 / divisor;
    }
  transform(plan, all, false);
  return all;
}

template <class T, int Height, int Width, int Points, int Lines, int Columns, int Interleaved,
          bool FoldedColumns, bool FoldedRows>
struct solver {
  using rows = po::row_shape<
      T, Width,
      po::row_layout{
          .points = Points, .lines = Lines, .interleaved = Interleaved, .folded = FoldedRows}>;
  using columns = po::cosine_shape<T, Height, Points, Columns, FoldedColumns, FoldedRows>;

  po::plan plan;
  double divisor = po::largest_divisor(plan);
  std::vector<po::complex<T>> row_factors = po::factors_of<T, po::stages<Width, Points>>(),
                              factors = po::factors_of<T, po::stages<Height, Points>>(),
                              row_roots = po::cosine_row_roots_of<T>(plan);
  po::cosine_tables<columns> tables{plan, divisor};
  std::vector<T> eigenvalues = po::cosine_row_eigenvalues_of<T>(plan, divisor);

  solver(po::transform along_y, po::transform along_x, double lambda)
      : plan{plan_of(Height, Width, along_y, along_x, lambda)} {}

  simt::square_passes<T> passes() const {
    constexpr int blocks = Width / 2 / Columns;
    auto const odd = [&](std::size_t axis) {
      return T(plan.axes[axis].forward == po::transform::sine_2 ? -1 : 1);
    };
    po::row_arrays<T> of_rows{};
    of_rows.factors = row_factors.data();
    of_rows.odd = odd(1);
    auto of_columns =
        simt::column_arrays_of<T>(*this, .25 / (Height * Width), Width, Interleaved, Columns);
    of_columns.row_roots = row_roots.data();
    of_columns.odd = odd(0);
    return simt::square_passes_of<rows, columns>(
        plan, of_rows, of_columns, blocks,
        [](simt::block const& block, auto const& arrays, int number, po::complex<T>* shared) {
          po::solve_cosine_columns<columns>(block, arrays,
                                            static_cast<std::size_t>(number / blocks),
                                            number % blocks * Columns, shared);
        });
  }
};

constexpr auto cosines = po::transform::cosine_2, sines = po::transform::sine_2,
               waves = po::transform::fourier;

template <class T, int Height, int Width, int Points, int Lines, int Columns, int Interleaved = 2,
          bool FoldedColumns = true, bool FoldedRows = true>
void check(po::transform along_y, po::transform along_x, double lambda = 0) {
  solver<T, Height, Width, Points, Lines, Columns, Interleaved, FoldedColumns, FoldedRows> const
      solver{along_y, along_x, lambda};
  simt::check_squares(solver.passes(),
                      [&](numbers const& one) { return expected(solver.plan, one); });
}

} // namespace

TEST_CASE("cosines: three passes solve what sums of modes do") {
  check<float, 64, 64, 16, 2, 2>(cosines, cosines);
  check<float, 64, 64, 8, 4, 4>(sines, sines);
  check<double, 128, 64, 4, 4, 1>(cosines, sines);
  check<double, 64, 128, 8, 2, 2>(sines, cosines, 1.5);
  check<float, 64, 128, 8, 1, 4>(cosines, cosines); // spectra apart
  check<float, 128, 64, 16, 2, 1>(cosines, cosines, .25);
  check<float, 64, 64, 4, 8, 8>(sines, cosines);
  check<double, 64, 64, 4, 4, 2>(cosines, cosines);
  check<float, 128, 64, 8, 1, 2, 4>(sines, sines, .5);
  check<float, 128, 64, 8, 4, 1, 4>(cosines, sines);
}

TEST_CASE("cosines: along one axis, the other one periodic") {
  check<float, 64, 64, 16, 2, 2, 2, true, false>(cosines, waves);
  check<float, 128, 64, 8, 2, 2, 2, true, false>(sines, waves);
  check<double, 64, 128, 4, 2, 1, 2, true, false>(cosines, waves, 1.5);
  check<float, 64, 64, 16, 2, 2, 2, false, true>(waves, cosines);
  check<float, 128, 64, 8, 2, 1, 4, false, true>(waves, sines);
  check<double, 128, 64, 4, 4, 4, 2, false, true>(waves, cosines, 1.5);
}

TEST_CASE("cosines: every barrier is needed") {
  solver<float, 256, 256, 4, 2, 1, 2, true, true> const solver{cosines, sines, 0};
  auto const rhs = test::rough_values<float>(256 * 256, simt::seed());
  auto const passes = solver.passes();
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return passes.solve(how, rhs, false); }) == "");
}
