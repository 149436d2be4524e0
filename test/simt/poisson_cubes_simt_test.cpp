// The passes over three periodic axes in the emulator, against sums in double.

#include "simt_test.hpp"

#include "poisson/fused_cube_passes.hpp"
#include "poisson/fused_tables.hpp"

#include <complex>
#include <numbers>

namespace {

namespace po = warpfold::poisson;

using numbers = std::vector<std::complex<double>>;

/// The Fourier sums of lines of n, `step` apart, term by term; sign is that of the exponent.
void transform(numbers& all, std::size_t n, std::size_t step, int sign) {
  numbers roots, sums(n);
  for (std::size_t j = 0; j < n; ++j)
    roots.push_back(std::polar(1., sign * 2 * std::numbers::pi * static_cast<double>(j) /
                                       static_cast<double>(n)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i / step % n != 0) continue;
    for (std::size_t k = 0; k < n; ++k) {
      double re = 0, im = 0;
      for (std::size_t j = 0; j < n; ++j) {
        auto const a = all[i + j * step], w = roots[j * k % n];
        re += a.real() * w.real() - a.imag() * w.imag();
        im += a.real() * w.imag() + a.imag() * w.real();
      }
      sums[k] = {re, im};
    }
    for (std::size_t k = 0; k < n; ++k) all[i + k * step] = sums[k];
  }
}

/// Eigenvalues of the plain kind, not those of any symbol.
po::plan plan_of(int depth, int height, int width, double lambda) {
  po::plan plan;
  double slope = 4;
  for (int const n : {depth, height, width}) {
    po::axis_plan axis{};
    axis.points = static_cast<std::size_t>(n);
    axis.forward = po::transform::fourier;
    for (int k = 0; k < n; ++k) axis.eigenvalues.push_back(-std::abs(std::min(k, n - k)) * slope);
    slope -= 1;
    plan.axes.push_back(axis);
  }
  plan.of.lambda = lambda;
  plan.singular = lambda == 0;
  return plan;
}

numbers expected(po::plan const& plan, std::vector<double> const& rhs) {
  numbers all(rhs.begin(), rhs.end());
  std::size_t const depth = plan.axes[0].points, height = plan.axes[1].points,
                    width = plan.axes[2].points;
  auto const transform_all = [&](int sign) {
    transform(all, width, 1, sign);
    transform(all, height, width, sign);
    transform(all, depth, height * width, sign);
  };
  transform_all(-1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    double const divisor = plan.axes[0].eigenvalues[i / (height * width)] +
                           plan.axes[1].eigenvalues[i / width % height] +
                           plan.axes[2].eigenvalues[i % width] - plan.of.lambda;
    all[i] *= divisor == 0 ? 0 : 1 / divisor / static_cast<double>(all.size());
  }
  transform_all(+1);
  return all;
}

template <std::size_t Bytes>
struct shared_bytes {
  alignas(16) unsigned char bytes[Bytes];
};

/// Slices is into how many parts the passes along z and y take the columns.
template <class T, int Depth, int Height, int Width, int Points, int Lines, int Columns, int Slices>
struct solver {
  using rows = po::row_shape<
      T, Width,
      po::row_layout{
          .points = Points, .lines = Lines, .interleaved = 1, .beside = std::min(Lines, 4)}>;
  using depths = po::depth_shape<T, Depth, Points, Columns>;
  using columns = po::column_shape<T, Height, Points, Columns>;
  static constexpr int lines = Depth * Height / 2, size = Depth * Height * Width;
  static constexpr int slice = Width / 2 / Slices;

  po::plan plan;
  std::vector<po::complex<T>> row_factors = po::factors_of<T, po::stages<Width, Points>>(),
                              depth_factors = po::factors_of<T, po::stages<Depth, Points>>(),
                              factors = po::factors_of<T, po::stages<Height / 2, Points>>();
  po::column_tables<columns> tables{plan, po::largest_divisor(plan)};
  std::vector<T> eigenvalues = po::row_eigenvalues_of<T>(plan, po::largest_divisor(plan)),
                 depth_eigenvalues = po::depth_eigenvalues_of<T>(plan, po::largest_divisor(plan));

  explicit solver(double lambda) : plan{plan_of(Depth, Height, Width, lambda)} {}

  /// Of some right-hand sides; of_block makes a block into the one that the bodies see.
  template <class OfBlock>
  std::pair<std::vector<T>, std::vector<T>>
  solve(simt::options const& how, int batch, std::vector<T> const& rhs, OfBlock of_block) const {
    struct alignas(16) line {
      T values[4];
    };
    std::vector<line> own(static_cast<std::size_t>(batch * size / 4));
    T* const solution = own.data()->values;
    std::copy(rhs.begin(), rhs.end(), solution);
    std::vector<T> means(static_cast<std::size_t>(batch), T(NAN));
    auto* const spectra = reinterpret_cast<po::complex_pair<T>*>(own.data());
    po::row_arrays<T> const row_arrays{solution,
                                       spectra,
                                       solution,
                                       row_factors.data(),
                                       nullptr,
                                       std::countr_zero(static_cast<unsigned>(lines)),
                                       static_cast<std::size_t>(batch * lines),
                                       0};
    po::depth_arrays<T> depth_arrays{spectra,
                                     depth_factors.data(),
                                     Width,
                                     std::countr_zero(static_cast<unsigned>(Height / 2)),
                                     {0, std::countr_zero(static_cast<unsigned>(slice / Columns))}};
    double const share = .5 / size;
    po::cube_column_arrays<T> column_arrays{
        {spectra, means.data(), factors.data(), tables.roots.data(), tables.modes.data(),
         eigenvalues.data(), static_cast<T>(share / po::largest_divisor(plan)),
         static_cast<T>(plan.singular ? share : 0), Width, 0, 0},
        depth_eigenvalues.data(),
        std::countr_zero(static_cast<unsigned>(Depth)),
        depth_arrays.range,
        static_cast<unsigned>(batch * Depth * (slice / Columns))};
    auto const pass = [&](auto shape, int grid, auto body) {
      using Shape = decltype(shape);
      simt::launch<shared_bytes<Shape::shared>>(
          grid, Shape::threads, how, [&](simt::block const& block, auto& shared) {
            body(of_block(block), reinterpret_cast<po::complex<T>*>(shared.bytes));
          });
    };
    auto const first_of = [](auto const& block) {
      return static_cast<std::size_t>(block.block_rank()) * Lines;
    };
    pass(rows{}, batch * lines / Lines, [&](auto const& block, auto* shared) {
      po::rows_forward<rows>(block, row_arrays, first_of(block), shared);
    });
    for (int x = 0; x < Width / 2; x += slice) {
      depth_arrays.range.first = column_arrays.range.first = x;
      int const depth_blocks = batch * Height / 2 * (slice / Columns);
      pass(depths{}, depth_blocks, [&](auto const& block, auto* shared) {
        po::transform_depths<false, depths>(block, depth_arrays, shared);
      });
      int const apart = x == 0 ? 2 * batch : 0;
      pass(columns{}, static_cast<int>(column_arrays.blocks) + apart,
           [&](auto const& block, auto* shared) {
             po::solve_cube_columns<columns>(block, column_arrays, shared);
           });
      pass(depths{}, depth_blocks, [&](auto const& block, auto* shared) {
        po::transform_depths<true, depths>(block, depth_arrays, shared);
      });
    }
    pass(rows{}, batch * lines / Lines, [&](auto const& block, auto* shared) {
      po::rows_back<rows>(block, row_arrays, first_of(block), false, shared);
    });
    return {std::vector<T>(solution, solution + rhs.size()), means};
  }
};

template <class T, int Depth, int Height, int Width, int Points, int Lines, int Columns,
          int Slices = 1>
void check(double lambda = 0, int batch = 1) {
  CAPTURE(Depth);
  CAPTURE(Height);
  CAPTURE(Width);
  CAPTURE(Points);
  solver<T, Depth, Height, Width, Points, Lines, Columns, Slices> const solver{lambda};
  std::size_t const size = Depth * Height * Width;
  auto const rhs = test::rough_values<T>(static_cast<std::size_t>(batch) * size, simt::seed());
  std::vector<numbers> exact;
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch); ++b)
    exact.push_back(
        expected(solver.plan, {rhs.begin() + static_cast<std::ptrdiff_t>(b * size),
                               rhs.begin() + static_cast<std::ptrdiff_t>((b + 1) * size)}));
  simt::in_every_order([&](simt::options const& how) {
    auto const [u, means] =
        solver.solve(how, batch, rhs, [](simt::block const& block) { return block; });
    for (std::size_t b = 0; b < exact.size(); ++b) {
      double error = 0, norm = 0, mean = 0, absolute = 0;
      for (std::size_t i = 0; i < size; ++i) {
        double const value = exact[b][i].real(), own = rhs[b * size + i];
        error += std::pow(u[b * size + i] - value, 2);
        norm += value * value;
        mean += own / static_cast<double>(size);
        absolute += std::abs(own) / static_cast<double>(size);
      }
      double const unit = std::numeric_limits<T>::epsilon();
      CHECK(std::sqrt(error / norm) < 100 * unit);
      CHECK(std::abs(means[b] - (lambda == 0 ? mean : 0)) <= 100 * unit * absolute);
    }
  });
}

} // namespace

TEST_CASE("cubes: five passes solve what sums of modes do") {
  check<float, 16, 32, 32, 4, 4, 2>(0, 2);
  check<float, 32, 64, 32, 4, 4, 4, 2>();
  check<double, 16, 32, 64, 4, 2, 8, 4>(1.5);
  check<double, 64, 32, 32, 4, 1, 1, 16>(0, 2);
  check<float, 16, 32, 32, 8, 8, 8>();
  check<double, 64, 64, 64, 8, 4, 2>(.25);
  check<float, 32, 64, 64, 16, 2, 4, 4>(0, 2);
}

TEST_CASE("cubes: every barrier is needed") {
  solver<float, 64, 128, 32, 4, 16, 4, 1> const solver{0};
  auto const rhs = test::rough_values<float>(64 * 128 * 32, simt::seed());
  auto const expected = solver.solve({}, 1, rhs, [](simt::block const& block) { return block; });
  CHECK(simt::unneeded_barriers([&](simt::options const& how, simt::dropped_barrier& dropped) {
          return solver.solve(how, 1, rhs, [&](simt::block const& block) {
            return simt::skipping(block, dropped);
          }) == expected;
        }) == "");
}
