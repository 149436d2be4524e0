// The passes over three periodic axes in the emulator, against a host's solutions.

#include "simt/poisson/passes.hpp"

#include "poisson/cubes/fused_cube_passes.hpp"
#include "poisson/squares/fused_tables.hpp"

namespace {

namespace po = warpfold::poisson;

/// Slices is into how many parts the passes along z and y take the columns.
template <class T, int Depth, int Height, int Width, int Points, int Lines, int Columns, int Slices>
struct solver {
  using rows = po::row_shape<
      T, Width,
      po::row_layout{
          .points = Points, .lines = Lines, .interleaved = 1, .beside = std::min(Lines, 4)}>;
  using depths = po::depth_shape<T, Depth, Points, Columns>;
  using columns = po::column_shape<T, Height, Points, Columns>;
  static constexpr int lines = Depth * Height / 2;
  static constexpr int slice = Width / 2 / Slices;

  po::plan plan;
  std::vector<po::complex<T>> row_factors = po::factors_of<T, po::stages<Width, Points>>(),
                              depth_factors = po::factors_of<T, po::stages<Depth, Points>>(),
                              factors = po::factors_of<T, po::stages<Height / 2, Points>>();
  po::column_tables<columns> tables{plan, po::largest_eigenvalue(plan)};
  std::vector<T> eigenvalues = po::row_eigenvalues_of<T>(plan, po::largest_eigenvalue(plan)),
                 depth_eigenvalues =
                     po::depth_eigenvalues_of<T>(plan, po::largest_eigenvalue(plan));

  std::vector<T> lambdas; ///< by right-hand side, or none

  explicit solver(double lambda, std::size_t batch)
      : plan{po::make_plan(
            {.axes = {{.points = Depth}, {.points = Height, .length = 1.5}, {.points = Width}},
             .lambda = lambda,
             .batch = batch},
            sizeof(T))} {}

  simt::solved<T> solve(simt::options const& how, std::vector<T> const& rhs) const {
    int const batch = static_cast<int>(plan.problem.batch);
    std::vector<T> own = rhs, means(plan.problem.batch, T(NAN));
    T* const solution = own.data();
    auto* const spectra = reinterpret_cast<po::complex_pair<T>*>(solution);
    po::row_arrays<T> const row_arrays{solution, spectra,
                                       solution, row_factors.data(),
                                       nullptr,  std::countr_zero(static_cast<unsigned>(lines))};
    po::depth_arrays<T> depth_arrays{spectra,
                                     depth_factors.data(),
                                     Width,
                                     std::countr_zero(static_cast<unsigned>(Height / 2)),
                                     {0, std::countr_zero(static_cast<unsigned>(slice / Columns))}};
    double const share = .5 / (Depth * Height * Width);
    po::cube_column_arrays<T> column_arrays{
        {spectra,
         means.data(),
         factors.data(),
         tables.roots.data(),
         tables.modes.data(),
         eigenvalues.data(),
         {lambdas.empty() ? nullptr : lambdas.data(), static_cast<T>(plan.problem.lambda)},
         static_cast<T>(1 / po::largest_eigenvalue(plan)),
         static_cast<T>(share / po::largest_eigenvalue(plan)),
         static_cast<T>(share),
         Width,
         0},
        depth_eigenvalues.data(),
        std::countr_zero(static_cast<unsigned>(Depth)),
        depth_arrays.range,
        static_cast<unsigned>(batch * Depth * (slice / Columns))};
    auto const pass = [&](auto shape, int grid, auto body) {
      simt::run_pass<decltype(shape)>(grid, how, body);
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
    return {own, means};
  }
};

template <class T, int Depth, int Height, int Width, int Points, int Lines, int Columns,
          int Slices = 1>
void check(double lambda = 0, std::size_t batch = 1) {
  INFO(Depth, " x ", Height, " x ", Width, ", ", Points, " points a thread");
  solver<T, Depth, Height, Width, Points, Lines, Columns, Slices> const solver{lambda, batch};
  auto const rhs = test::rough_values<T>(batch * solver.plan.size(), simt::seed());
  auto const exact = simt::solve_on_host(solver.plan.problem, rhs);
  simt::in_every_order(
      [&](simt::options const& how) { simt::check_solved(solver.solve(how, rhs), exact); });
}

} // namespace

TEST_CASE("cubes: five passes solve what a host does") {
  check<float, 16, 32, 32, 4, 4, 2>(0, 2);
  check<float, 32, 64, 32, 4, 4, 4, 2>();
  check<double, 16, 32, 64, 4, 2, 8, 4>(1.5);
  check<double, 64, 32, 32, 4, 1, 1, 16>(0, 2);
  check<float, 16, 32, 32, 8, 8, 8>();
  check<double, 64, 64, 64, 8, 4, 2>(.25);
  check<float, 32, 64, 64, 16, 2, 4, 4>(0, 2);
}

TEST_CASE("cubes: a lambda for each right-hand side") {
  using cube = solver<double, 16, 32, 32, 4, 4, 2, 1>;
  cube each{7, 2};
  each.lambdas = {1.5, 0};
  constexpr std::size_t size = std::size_t{16} * 32 * 32;
  auto const rhs = test::rough_values<double>(2 * size, simt::seed());
  auto const got = each.solve({}, rhs);
  for (std::size_t b = 0; b < 2; ++b) {
    auto const alone = cube{each.lambdas[b], 2}.solve({}, rhs);
    CHECK(got.means[b] == alone.means[b]);
    CHECK((got.means[b] != 0) == (b == 1));
    auto const first = static_cast<std::ptrdiff_t>(b * size);
    CHECK(std::equal(got.solutions.begin() + first,
                     got.solutions.begin() + first + std::ptrdiff_t{size},
                     alone.solutions.begin() + first));
  }
}

TEST_CASE("cubes: every barrier is needed") {
  solver<float, 64, 128, 32, 4, 16, 4, 1> const solver{0, 1};
  auto const rhs = test::rough_values<float>(64 * 128 * 32, simt::seed());
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return solver.solve(how, rhs); }) == "");
}
