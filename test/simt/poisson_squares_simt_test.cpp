// The three passes over two periodic axes in the emulator, against sums in double.

#include "cluster.hpp"
#include "simt_test.hpp"

#include "poisson/fused_tables.hpp"

#include <complex>
#include <numbers>

namespace {

namespace po = warpfold::poisson;

using numbers = std::vector<std::complex<double>>;

/// The Fourier sums of a line, term by term; sign is that of the exponent.
void transform(numbers& all, std::size_t first, std::size_t step, std::size_t n, int sign) {
  numbers sums(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      sums[k] += all[first + j * step] *
                 std::polar(1., sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                    static_cast<double>(n));
  for (std::size_t k = 0; k < n; ++k) all[first + k * step] = sums[k];
}
void transform(numbers& all, std::size_t height, std::size_t width, int sign) {
  for (std::size_t y = 0; y < height; ++y) transform(all, y * width, 1, width, sign);
  for (std::size_t x = 0; x < width; ++x) transform(all, x, width, height, sign);
}

/// Eigenvalues of the plain kind, not those of any symbol.
po::plan plan_of(int height, int width, double lambda) {
  po::plan plan;
  for (int const n : {height, width}) {
    po::axis_plan axis{};
    axis.points = static_cast<std::size_t>(n);
    axis.forward = po::transform::fourier;
    for (int k = 0; k < n; ++k)
      axis.eigenvalues.push_back(-std::abs(std::min(k, n - k)) * (n == height ? 3. : 2.));
    plan.axes.push_back(axis);
  }
  plan.of.lambda = lambda;
  plan.singular = lambda == 0;
  return plan;
}

numbers expected(po::plan const& plan, std::vector<double> const& rhs) {
  std::size_t const height = plan.axes[0].points, width = plan.axes[1].points;
  numbers all(rhs.begin(), rhs.end());
  transform(all, height, width, -1);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      double const divisor =
          plan.axes[0].eigenvalues[y] + plan.axes[1].eigenvalues[x] - plan.of.lambda;
      all[y * width + x] *= divisor == 0 ? 0 : 1 / divisor / static_cast<double>(height * width);
    }
  transform(all, height, width, +1);
  return all;
}

template <std::size_t Bytes>
struct shared_bytes {
  alignas(16) unsigned char bytes[Bytes];
};

/// `more`, with these.
constexpr po::row_layout with(po::row_layout more, int points, int lines, int interleaved) {
  more.points = points;
  more.lines = lines;
  more.interleaved = interleaved;
  return more;
}

template <class T, int Height, int Width, int Points, int Lines, int Columns, int Interleaved = 2,
          po::row_layout More = po::row_layout{}>
struct solver {
  using rows = po::row_shape<T, Width, with(More, Points, Lines, Interleaved)>;
  using columns = po::column_shape<T, Height, Points, Columns, More.keeps>;
  static constexpr int lines = Height / 2, size = Height * Width;

  po::plan plan;
  std::vector<po::complex<T>> row_factors = po::factors_of<T, typename rows::digits>(),
                              factors = po::factors_of<T, typename columns::digits>();
  po::column_tables<columns> tables{plan, po::largest_divisor(plan)};
  std::vector<T> eigenvalues = po::row_eigenvalues_of<T>(plan, po::largest_divisor(plan));

  explicit solver(double lambda) : plan{plan_of(Height, Width, lambda)} {}

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
    auto* const between =
        reinterpret_cast<po::complex_pair<T>*>(rows::in_place ? own.data() : spectra.data());
    po::row_arrays<T> const arrays{solution,
                                   between,
                                   solution,
                                   row_factors.data(),
                                   fixes ? firsts.data() : nullptr,
                                   std::countr_zero(static_cast<unsigned>(lines)),
                                   static_cast<std::size_t>(batch * lines),
                                   Lines};
    double const share = .5 / size;
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
                                             Columns};
    constexpr int blocks = Width / 2 / Columns + 1;
    auto const pass_rows = [&](int grid, auto body) {
      simt::launch<shared_bytes<rows::shared>>(
          grid, rows::threads, how, [&](simt::block const& block, auto& shared) {
            body(of_block(block), reinterpret_cast<po::complex<T>*>(shared.bytes));
          });
    };
    auto const first_of = [](auto const& block) {
      return static_cast<std::size_t>(block.block_rank()) * Lines;
    };
    if constexpr (More.cluster > 1) {
      simt::launch<shared_bytes<More.cluster * rows::shared>>(
          batch * lines / More.cluster, More.cluster * rows::threads, how,
          [&](simt::block const& all, auto& shared) {
            simt::clustered const block(of_block(all), More.cluster, rows::shared);
            po::rows_forward<rows>(block, arrays, first_of(block),
                                   reinterpret_cast<po::complex<T>*>(block.own(shared.bytes)));
          });
    } else {
      pass_rows(batch * lines / Lines, [&](auto const& block, auto* shared) {
        po::rows_forward<rows>(block, arrays, first_of(block), shared);
      });
    }
    simt::launch<shared_bytes<columns::shared>>(
        batch * blocks, columns::threads, how, [&](simt::block const& block, auto& shared) {
          po::solve_columns<columns>(of_block(block), column_arrays,
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

template <class T, int Height, int Width, int Points, int Lines, int Columns, int Interleaved = 2,
          po::row_layout More = po::row_layout{}>
void check(double lambda = 0) {
  CAPTURE(Height);
  CAPTURE(Width);
  CAPTURE(Points);
  solver<T, Height, Width, Points, Lines, Columns, Interleaved, More> const solver{lambda};
  constexpr int batch = 2;
  std::size_t const size = Height * Width;
  auto const rhs = test::rough_values<T>(batch * size, simt::seed());
  for (bool const fixes : {false, true}) {
    if (fixes && lambda != 0) continue;
    simt::in_every_order([&](simt::options const& how) {
      auto const [u, means] =
          solver.solve(how, batch, rhs, fixes, [](simt::block const& block) { return block; });
      for (std::size_t b = 0; b < batch; ++b) {
        std::vector<double> const own(rhs.begin() + static_cast<std::ptrdiff_t>(b * size),
                                      rhs.begin() + static_cast<std::ptrdiff_t>((b + 1) * size));
        auto const all = expected(solver.plan, own);
        double const first = fixes ? all[0].real() : 0;
        double error = 0, norm = 0, mean = 0, absolute = 0;
        for (std::size_t i = 0; i < size; ++i) {
          double const exact = all[i].real() - first;
          error += std::pow(u[b * size + i] - exact, 2);
          norm += exact * exact;
          mean += own[i] / size;
          absolute += std::abs(own[i]) / size;
        }
        double const unit = std::numeric_limits<T>::epsilon();
        CHECK(std::sqrt(error / norm) < 100 * unit);
        CHECK(std::abs(means[b] - (lambda == 0 ? mean : 0)) <= 100 * unit * absolute);
        if (fixes) CHECK(u[b * size] == 0);
      }
    });
  }
}

} // namespace

TEST_CASE("squares: three passes solve what sums of modes do") {
  check<float, 64, 64, 16, 2, 2>();
  check<float, 64, 64, 8, 4, 4>();
  check<double, 128, 64, 4, 4, 1>();
  check<double, 64, 128, 8, 2, 2>(1.5);
  check<float, 64, 128, 8, 1, 4>(); // spectra apart
  check<float, 128, 64, 16, 2, 1>(.25);
  check<float, 64, 64, 4, 8, 8>();
  check<double, 64, 64, 4, 4, 2>();
  check<float, 128, 64, 8, 1, 2, 4>();
  check<float, 128, 64, 8, 4, 1, 4>();
  check<float, 128, 64, 4, 4, 4, 2, po::row_layout{.keeps = true, .streams = false}>();
  check<float, 64, 128, 8, 2, 2, 2, po::row_layout{.keeps = true, .streams = false}>(.5);
  check<double, 64, 64, 4, 2, 2, 2, po::row_layout{.keeps = true, .streams = false}>();
  // Wide stages in the middle, first, and both.
  check<float, 64, 128, 4, 2, 2, 2, po::row_layout{.wide = 2}>();
  check<double, 64, 128, 4, 2, 1, 2, po::row_layout{.wide = 1}>();
  check<float, 64, 256, 4, 1, 2, 4, po::row_layout{.wide = 3}>();
  check<float, 64, 256, 4, 1, 2, 8, po::row_layout{.wide = 3, .cluster = 2}>();
  check<float, 64, 128, 8, 1, 2, 4, po::row_layout{.cluster = 4}>();
  check<double, 64, 128, 4, 1, 1, 2, po::row_layout{.cluster = 2}>();
  // Pairs that threads load together.
  check<double, 64, 256, 4, 1, 1, 4, po::row_layout{.cluster = 2}>();
  check<double, 64, 256, 4, 1, 1, 4, po::row_layout{.wide = 1, .cluster = 2}>();
}

TEST_CASE("squares: every barrier is needed") {
  solver<float, 256, 256, 4, 2, 1> const solver{0};
  auto const rhs = test::rough_values<float>(256 * 256, simt::seed());
  auto const expected =
      solver.solve({}, 1, rhs, false, [](simt::block const& block) { return block; });
  CHECK(simt::unneeded_barriers([&](simt::options const& how, simt::dropped_barrier& dropped) {
          return solver.solve(how, 1, rhs, false, [&](simt::block const& block) {
            return simt::skipping(block, dropped);
          }) == expected;
        }) == "");
}
