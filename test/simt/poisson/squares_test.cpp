// The three passes over two periodic axes in the emulator, against a host's solutions.

#include "simt/poisson/passes.hpp"

#include "poisson/squares/fused_tables.hpp"

namespace {

namespace po = warpfold::poisson;

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

  po::plan plan;
  double divisor = po::largest_eigenvalue(plan);
  std::vector<po::complex<T>> row_factors = po::factors_of<T, typename rows::digits>(),
                              factors = po::factors_of<T, typename columns::digits>();
  po::column_tables<columns> tables{plan, divisor};
  std::vector<T> eigenvalues = po::row_eigenvalues_of<T>(plan, divisor);

  explicit solver(double lambda)
      : plan{po::make_plan(
            {.axes = {{.points = Height}, {.points = Width, .length = 1.5}}, .lambda = lambda},
            sizeof(T))} {}

  simt::square_passes<T> passes() const {
    constexpr int blocks = Width / 2 / Columns + 1;
    po::row_arrays<T> of_rows{};
    of_rows.factors = row_factors.data();
    return simt::square_passes_of<rows, columns>(
        plan, of_rows, simt::column_arrays_of<T>(*this, .5 / (Height * Width), Width, Interleaved),
        blocks,
        [](simt::block const& block, auto const& arrays, int number, po::complex<T>* shared) {
          po::solve_columns<columns>(block, arrays, static_cast<std::size_t>(number / blocks),
                                     number % blocks * Columns, shared);
        });
  }
};

template <class T, int Height, int Width, int Points, int Lines, int Columns, int Interleaved = 2,
          po::row_layout More = po::row_layout{}>
void check(double lambda = 0) {
  solver<T, Height, Width, Points, Lines, Columns, Interleaved, More> const solver{lambda};
  simt::check_squares(solver.passes());
}

} // namespace

TEST_CASE("squares: three passes solve what a host does") {
  check<float, 64, 64, 16, 2, 2>();
  check<float, 64, 64, 8, 4, 4>();
  check<double, 128, 64, 4, 4, 1>();
  check<double, 64, 128, 8, 2, 2>(1.5);
  check<float, 64, 128, 8, 2, 4>();
  check<float, 128, 64, 16, 2, 1>(.25);
  check<float, 64, 64, 4, 8, 8>();
  check<double, 64, 64, 4, 4, 2>();
  check<float, 128, 64, 8, 4, 1, 4>();
  check<float, 128, 64, 4, 4, 4, 2, po::row_layout{.keeps = true, .streams = false}>();
  check<float, 64, 128, 8, 2, 2, 2, po::row_layout{.keeps = true, .streams = false}>(.5);
  check<double, 64, 64, 4, 2, 2, 2, po::row_layout{.keeps = true, .streams = false}>();
}

/// Of each right-hand side the bits of a solve with its lambda for all.
template <class T, po::row_layout Layout>
void check_lambdas() {
  solver<T, 64, 128, 8, 2, 2, 2, Layout> const solver{7};
  auto passes = solver.passes();
  auto const rhs = test::rough_values<T>(std::size_t{2} * 64 * 128, simt::seed());
  T const lambdas[] = {T(1.5), T(0)};
  passes.columns.lambda = {lambdas, T(7)};
  auto const got = passes.solve({}, rhs, false);
  CHECK(got.means[0] == 0);
  CHECK(got.means[1] != 0);
  for (std::size_t b = 0; b < 2; ++b) {
    passes.columns.lambda = {nullptr, lambdas[b]};
    auto const alone = passes.solve({}, rhs, false);
    CHECK(got.means[b] == alone.means[b]);
    auto const first = static_cast<std::ptrdiff_t>(b * rhs.size() / 2),
               last = static_cast<std::ptrdiff_t>((b + 1) * rhs.size() / 2);
    CHECK(std::equal(got.solutions.begin() + first, got.solutions.begin() + last,
                     alone.solutions.begin() + first));
  }
}

TEST_CASE("squares: a lambda for each right-hand side") {
  check_lambdas<float, po::row_layout{}>();
  check_lambdas<double, po::row_layout{.keeps = true, .streams = false}>();
}

TEST_CASE("squares: every barrier is needed") {
  solver<float, 256, 256, 4, 2, 1> const solver{0};
  auto const rhs = test::rough_values<float>(256 * 256, simt::seed());
  auto const passes = solver.passes();
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return passes.solve(how, rhs, false); }) == "");
}
