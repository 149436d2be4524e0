// The three passes over two axes of cosines or sines in the emulator, against sums in double.

#include "simt_test.hpp"

#include "poisson/fused_tables.hpp"

#include <cmath>
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
  plan.of.lambda = lambda;
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
          plan.axes[0].eigenvalues[y] + plan.axes[1].eigenvalues[x] - plan.of.lambda;
      all[y * width + x] *= divisor == 0 ? 0 : 1 / divisor;
    }
  transform(plan, all, false);
  return all;
}

template <std::size_t Bytes>
struct shared_bytes {
  alignas(16) unsigned char bytes[Bytes];
};

template <class T, int Height, int Width, int Points, int Lines, int Columns, int Interleaved,
          bool FoldedColumns, bool FoldedRows>
struct solver {
  using rows = po::row_shape<
      T, Width,
      po::row_layout{
          .points = Points, .lines = Lines, .interleaved = Interleaved, .folded = FoldedRows}>;
  using columns = po::cosine_shape<T, Height, Points, Columns, FoldedColumns, FoldedRows>;
  static constexpr int lines = Height / 2, size = Height * Width;

  po::plan plan;
  std::vector<po::complex<T>> row_factors = po::factors_of<T, po::stages<Width, Points>>(),
                              factors = po::factors_of<T, po::stages<Height, Points>>(),
                              row_roots = po::cosine_row_roots_of<T>(plan);
  po::cosine_tables<columns> tables{plan, po::largest_divisor(plan)};
  std::vector<T> eigenvalues = po::cosine_row_eigenvalues_of<T>(plan, po::largest_divisor(plan));

  solver(po::transform along_y, po::transform along_x, double lambda)
      : plan{plan_of(Height, Width, along_y, along_x, lambda)} {}

  /// Of some right-hand sides; of_block makes a block into the one that the bodies see.
  template <class OfBlock>
  std::pair<std::vector<T>, std::vector<T>> solve(simt::options const& how, int batch,
                                                  std::vector<T> const& rhs, bool fixes,
                                                  OfBlock of_block) const {
    struct alignas(16) line {
      T values[4];
    };
    std::vector<line> own(static_cast<std::size_t>(batch * size / 4)), spectra = own;
    T* const solution = own.data()->values;
    std::copy(rhs.begin(), rhs.end(), solution);
    std::vector<T> means(static_cast<std::size_t>(batch), T(NAN)), firsts = means;
    auto const odd = [&](std::size_t axis) {
      return T(plan.axes[axis].forward == po::transform::sine_2 ? -1 : 1);
    };
    auto* const between =
        reinterpret_cast<po::complex_pair<T>*>(rows::in_place ? own.data() : spectra.data());
    po::row_arrays<T> const arrays{solution,
                                   between,
                                   solution,
                                   row_factors.data(),
                                   fixes ? firsts.data() : nullptr,
                                   std::countr_zero(static_cast<unsigned>(lines)),
                                   static_cast<std::size_t>(batch * lines),
                                   Lines,
                                   odd(1)};
    double const share = .25 / size;
    po::column_arrays<T> const column_arrays{between,
                                             means.data(),
                                             factors.data(),
                                             tables.roots.data(),
                                             tables.modes.data(),
                                             eigenvalues.data(),
                                             static_cast<T>(share / po::largest_divisor(plan)),
                                             static_cast<T>(plan.singular ? share : 0),
                                             Width,
                                             std::countr_zero(static_cast<unsigned>(Interleaved)),
                                             Columns,
                                             row_roots.data(),
                                             odd(0)};
    constexpr int blocks = Width / 2 / Columns;
    auto const pass_rows = [&](int grid, auto body) {
      simt::launch<shared_bytes<rows::shared>>(
          grid, rows::threads, how, [&](simt::block const& block, auto& shared) {
            body(of_block(block), reinterpret_cast<po::complex<T>*>(shared.bytes));
          });
    };
    auto const first_of = [](auto const& block) {
      return static_cast<std::size_t>(block.block_rank()) * Lines;
    };
    pass_rows(batch * lines / Lines, [&](auto const& block, auto* shared) {
      po::rows_forward<rows>(block, arrays, first_of(block), shared);
    });
    simt::launch<shared_bytes<columns::shared>>(
        batch * blocks, columns::threads, how, [&](simt::block const& block, auto& shared) {
          po::solve_cosine_columns<columns>(of_block(block), column_arrays,
                                            static_cast<std::size_t>(block.block_rank() / blocks),
                                            block.block_rank() % blocks * Columns,
                                            reinterpret_cast<po::complex<T>*>(shared.bytes));
        });
    if (fixes)
      pass_rows(batch, [&](auto const& block, auto* shared) {
        po::rows_back<rows>(block, arrays, static_cast<std::size_t>(block.block_rank() * lines),
                            true, shared);
      });
    pass_rows(batch * lines / Lines, [&](auto const& block, auto* shared) {
      po::rows_back<rows>(block, arrays, first_of(block), false, shared);
    });
    return {std::vector<T>(solution, solution + rhs.size()), means};
  }
};

constexpr auto cosines = po::transform::cosine_2, sines = po::transform::sine_2,
               waves = po::transform::fourier;

template <class T, int Height, int Width, int Points, int Lines, int Columns, int Interleaved = 2,
          bool FoldedColumns = true, bool FoldedRows = true>
void check(po::transform along_y, po::transform along_x, double lambda = 0) {
  CAPTURE(Height);
  CAPTURE(Width);
  CAPTURE(Points);
  CAPTURE((along_y == sines));
  CAPTURE((along_x == sines));
  CAPTURE(simt::seed());
  solver<T, Height, Width, Points, Lines, Columns, Interleaved, FoldedColumns, FoldedRows> const
      solver{along_y, along_x, lambda};
  constexpr int batch = 2;
  std::size_t const size = Height * Width;
  auto const rhs = test::rough_values<T>(batch * size, simt::seed());
  std::vector<numbers> exact;
  for (std::size_t b = 0; b < batch; ++b)
    exact.push_back(
        expected(solver.plan, {rhs.begin() + static_cast<std::ptrdiff_t>(b * size),
                               rhs.begin() + static_cast<std::ptrdiff_t>((b + 1) * size)}));
  for (bool const fixes : {false, true}) {
    if (fixes && !solver.plan.singular) continue;
    simt::in_every_order([&](simt::options const& how) {
      auto const [u, means] =
          solver.solve(how, batch, rhs, fixes, [](simt::block const& block) { return block; });
      for (std::size_t b = 0; b < batch; ++b) {
        double const first = fixes ? exact[b][0] : 0;
        double error = 0, norm = 0, mean = 0, absolute = 0;
        for (std::size_t i = 0; i < size; ++i) {
          double const wanted = exact[b][i] - first, f = rhs[b * size + i];
          error += std::pow(u[b * size + i] - wanted, 2);
          norm += wanted * wanted;
          mean += f / static_cast<double>(size);
          absolute += std::abs(f) / static_cast<double>(size);
        }
        double const unit = std::numeric_limits<T>::epsilon();
        CHECK(std::sqrt(error / norm) < 100 * unit);
        CHECK(std::abs(means[b] - (solver.plan.singular ? mean : 0)) <= 100 * unit * absolute);
        if (fixes) CHECK(u[b * size] == 0);
      }
    });
  }
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
  auto const expected =
      solver.solve({}, 1, rhs, false, [](simt::block const& block) { return block; });
  CHECK(simt::unneeded_barriers([&](simt::options const& how, simt::dropped_barrier& dropped) {
          return solver.solve(how, 1, rhs, false, [&](simt::block const& block) {
            return simt::skipping(block, dropped);
          }) == expected;
        }) == "");
}
