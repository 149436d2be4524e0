// The three passes over two axes of every kind in the emulator, against sums in long double.

#include "simt/poisson/mode_sums.hpp"
#include "simt/poisson/passes.hpp"
#include "simt/simt.hpp"

#include "poisson/engine/passes.hpp"
#include "poisson/engine/tables.hpp"

#include <bit>
#include <limits>

namespace {

namespace po = warpfold::poisson;
using po::boundary, po::grid;

/// The points of an axis whose transform has the length n.
po::axis axis_of(int n, boundary lower, boundary upper, grid where) {
  bool const is_first = where == grid::nodes && lower == upper && lower != boundary::periodic;
  int const points = !is_first ? n : lower == boundary::neumann ? n + 1 : n - 1;
  return {.points = static_cast<std::size_t>(points),
          .length = 1 + .25 * n,
          .lower = lower,
          .upper = upper,
          .grid = where};
}

/// A core for the kind of axis: of length N, P points, and units of a block.
template <class T, po::unit_kind Kind, int N, int P, int Units, int Beside>
using paired = po::paired_core<po::paired_shape<T, Kind, N, P, Units, Beside>>;
template <class T, int N, int P, int Units, int Beside>
using pruned = po::pruned_core<po::pruned_shape<T, N, P, Units, Beside>>;

template <class T, class Rows, class Columns, int Beside>
struct three_passes {
  po::plan plan;
  double share = 1 / po::unit_period(plan.axes[0]) / po::unit_period(plan.axes[1]);
  po::unit_tables<T> rows = po::unit_tables_of<Rows>(plan.axes[1]),
                     columns = po::unit_tables_of<Columns>(plan.axes[0]);
  std::vector<po::complex<T>> across = po::across_of<T>(plan.axes[1], share),
                              along = po::along_of<Columns>(plan.axes[0], share);
  std::vector<T> lambdas{}; ///< by right-hand side, or none

  /// With `fixes`, first points are subtracted.
  simt::solved<T> solve(simt::options const& how, std::vector<T> const& rhs, bool fixes) const {
    int const height = static_cast<int>(plan.axes[0].points),
              width = static_cast<int>(plan.axes[1].points);
    int const batch = static_cast<int>(plan.problem.batch), pairs = (height + 1) / 2;
    int const slots = (width + 1) / 2, tiles = (pairs + Beside - 1) / Beside;
    auto const entry = static_cast<std::size_t>(tiles * Beside * slots);
    std::vector<T> solution(rhs.size(), T(NAN)), means(plan.problem.batch, T(NAN)), firsts = means;
    simt::aligned<T> spectra(4 * entry * plan.problem.batch);
    std::fill_n(spectra.data(), 4 * entry * plan.problem.batch, T(NAN));

    po::unit_rows<T> row_pass{};
    row_pass.axis = rows.at(rows.factors.data(), rows.turns.data(), rows.tilts.data());
    row_pass.in = rhs.data();
    row_pass.out = solution.data();
    row_pass.slots = spectra.pairs();
    row_pass.rows = height;
    row_pass.width = width;
    row_pass.slots_of_row = slots;
    row_pass.entry = entry;
    row_pass.units = static_cast<std::size_t>(pairs * batch);
    row_pass.ahead = Rows::shape::units;
    auto const run_rows = [&](bool leaves, bool probes) {
      auto pass = row_pass;
      pass.first_point = !leaves && fixes ? firsts.data() : nullptr;
      constexpr int units = Rows::shape::units;
      int const blocks = probes ? batch : (pairs * batch + units - 1) / units;
      std::size_t const apart = probes ? static_cast<std::size_t>(pairs) : units;
      simt::run_pass<typename Rows::shape>(blocks, how, [&](auto const& block, auto* shared) {
        std::size_t const first = static_cast<std::size_t>(block.block_rank()) * apart;
        if (leaves)
          po::transform_rows<Rows, Beside, false, true>(block, pass, first, probes, shared);
        else po::transform_rows<Rows, Beside, false, false>(block, pass, first, probes, shared);
      });
    };

    po::unit_columns<T> column_pass{};
    column_pass.axis =
        columns.at(columns.factors.data(), columns.turns.data(), columns.tilts.data());
    column_pass.symbol = {
        .across = across.data(),
        .along = along.data(),
        .lambda = {lambdas.empty() ? nullptr : lambdas.data(), static_cast<T>(plan.problem.lambda)},
        .lambda_unit = static_cast<T>(1 / share),
        .mean_scale = static_cast<T>(plan.has_constant() ? share : 0),
        .removed_mean = means.data()};
    column_pass.entries = reinterpret_cast<po::complex<T>*>(spectra.pairs());
    column_pass.slots = slots;
    column_pass.tile_log2 = std::countr_zero(2U * Beside);
    int const beside = Columns::is_pruned || Columns::is_third ? 2 * Beside : Beside;
    column_pass.beside_log2 =
        std::min(std::countr_zero(static_cast<unsigned>(beside)),
                 std::countr_zero(static_cast<unsigned>(Columns::shape::per_line)));
    column_pass.entry = 2 * entry;
    column_pass.ahead = 1;

    run_rows(true, false);
    constexpr int units = Columns::shape::units;
    int const blocks = (slots + units - 1) / units;
    simt::run_pass<typename Columns::shape>(
        batch * blocks, how, [&](auto const& block, auto* shared) {
          auto const number = static_cast<std::size_t>(block.block_rank() / blocks);
          int const first = block.block_rank() % blocks * units;
          po::solve_units<Columns>(block, column_pass, number, first, shared);
        });
    if (fixes) run_rows(false, true);
    run_rows(false, false);
    return {solution, means};
  }
};

template <class T, class Rows, class Columns, int Beside>
void check(po::axis const& along_y, po::axis const& along_x, double lambda = 0) {
  po::problem problem{.axes = {along_y, along_x}, .lambda = lambda, .batch = 2};
  if (po::is_singular(problem)) problem.gauge = po::gauge::zero_mean;
  three_passes<T, Rows, Columns, Beside> const passes{po::make_plan(problem, sizeof(T))};
  auto const& plan = passes.plan;
  INFO("transforms ", static_cast<int>(plan.axes[0].forward), " and ",
       static_cast<int>(plan.axes[1].forward), ", ", along_y.points, " x ", along_x.points);
  std::size_t const size = plan.size();
  auto const rhs = test::rough_values<T>(2 * size, simt::seed());
  for (bool const fixes : {false, true}) {
    if (fixes && !plan.singular) continue;
    auto const got = passes.solve({}, rhs, fixes);
    for (std::size_t b = 0; b < 2; ++b) {
      auto const begin = rhs.begin() + static_cast<std::ptrdiff_t>(b * size);
      auto const exact =
          simt::solve_by_sums(plan, {begin, begin + static_cast<std::ptrdiff_t>(size)});
      double error = 0, norm = 0, first = fixes ? exact.solution[0] : 0;
      for (std::size_t i = 0; i < size; ++i) {
        double const wanted = exact.solution[i] - first;
        error += std::pow(static_cast<double>(got.solutions[b * size + i]) - wanted, 2);
        norm += wanted * wanted;
      }
      double const unit = std::numeric_limits<T>::epsilon();
      CHECK(std::sqrt(error / norm) < 20 * unit);
      CHECK(std::abs(static_cast<double>(got.means[b]) - exact.mean) < 20 * unit);
    }
  }
}

struct ends {
  boundary lower, upper;
  grid where;
};
constexpr auto p = boundary::periodic, d = boundary::dirichlet, n = boundary::neumann;

/// The ends that a core is for.
template <class Core>
std::vector<ends> ends_of() {
  if constexpr (Core::is_pruned) return {{n, n, grid::nodes}, {d, d, grid::nodes}};
  else if constexpr (Core::is_third) return {{n, d, grid::nodes}, {d, n, grid::nodes}};
  else if constexpr (Core::shape::kind == po::unit_kind::fourier) return {{p, p, grid::nodes}};
  else if constexpr (Core::shape::kind == po::unit_kind::second)
    return {{d, d, grid::cells}, {n, n, grid::cells}};
  else return {{n, d, grid::cells}, {d, n, grid::cells}};
}

template <class T, class Columns, int Beside, class Rows>
void check_with() {
  for (auto const& y : ends_of<Columns>())
    for (auto const& x : ends_of<Rows>())
      check<T, Rows, Columns, Beside>(axis_of(Columns::shape::length, y.lower, y.upper, y.where),
                                      axis_of(Rows::shape::length, x.lower, x.upper, x.where));
}

using enum po::unit_kind;

/// Rows of every kind, with columns of one.
template <class T, class Columns, int Beside, int N, int P, int Units>
void check_rows() {
  check_with<T, Columns, Beside, paired<T, fourier, N, P, Units, Units>>();
  check_with<T, Columns, Beside, paired<T, second, N, P, Units, Units>>();
  check_with<T, Columns, Beside, paired<T, third, N, P, Units, Units>>();
  check_with<T, Columns, Beside, paired<T, fourth, N, P, Units, Units>>();
  check_with<T, Columns, Beside, pruned<T, N, P, Units, Units>>();
}

} // namespace

TEST_CASE("units: every kind beside every other one") {
  check_rows<float, paired<float, fourier, 64, 4, 2, 2>, 2, 64, 4, 2>();
  check_rows<float, paired<float, second, 64, 4, 2, 2>, 2, 64, 4, 2>();
  check_rows<float, paired<float, third, 64, 4, 2, 2>, 2, 64, 4, 2>();
  check_rows<float, paired<float, fourth, 64, 4, 2, 2>, 2, 64, 4, 2>();
  check_rows<float, pruned<float, 64, 4, 2, 2>, 2, 64, 4, 2>();
}

// Lengths whose stages are of twice the radix, or of several ones; tiles wider than a block.
TEST_CASE("units: stages and tiles of other shapes") {
  check_with<double, paired<double, fourth, 128, 4, 1, 1>, 2, pruned<double, 128, 4, 2, 2>>();
  check_with<double, pruned<double, 128, 4, 1, 1>, 4, paired<double, third, 128, 4, 4, 4>>();
  check_with<float, paired<float, third, 256, 8, 2, 2>, 4, paired<float, second, 64, 8, 2, 2>>();
  check_with<float, pruned<float, 256, 4, 2, 2>, 2, paired<float, fourier, 128, 8, 2, 2>>();
  check_with<float, paired<float, fourier, 64, 4, 4, 4>, 4, pruned<float, 256, 8, 2, 2>>();
}

/// Of each right-hand side the bits of a problem planned with its lambda.
template <class T, class Rows, class Columns>
void check_lambdas(ends y, ends x, bool is_open) {
  using passes = three_passes<T, Rows, Columns, 2>;
  po::problem problem{.axes = {axis_of(Columns::shape::length, y.lower, y.upper, y.where),
                               axis_of(Rows::shape::length, x.lower, x.upper, x.where)},
                      .lambda = 7,
                      .batch = 2};
  passes each{po::make_plan(problem, sizeof(T))};
  each.lambdas = {T(1.5), T(0)};
  auto const rhs = test::rough_values<T>(2 * each.plan.size(), simt::seed());
  auto const got = each.solve({}, rhs, false);
  for (std::size_t b = 0; b < 2; ++b) {
    problem.lambda = static_cast<double>(each.lambdas[b]);
    auto const alone = passes{po::make_plan(problem, sizeof(T))}.solve({}, rhs, false);
    CHECK(got.means[b] == alone.means[b]);
    CHECK((got.means[b] != 0) == (b == 1 && is_open));
    auto const first = static_cast<std::ptrdiff_t>(b * each.plan.size()),
               last = first + static_cast<std::ptrdiff_t>(each.plan.size());
    CHECK(std::equal(got.solutions.begin() + first, got.solutions.begin() + last,
                     alone.solutions.begin() + first));
  }
}

TEST_CASE("units: a lambda for each right-hand side") {
  check_lambdas<float, paired<float, second, 64, 4, 2, 2>, pruned<float, 64, 4, 2, 2>>(
      {n, n, grid::nodes}, {n, n, grid::cells}, true);
  check_lambdas<double, paired<double, fourier, 64, 4, 2, 2>, paired<double, second, 64, 4, 2, 2>>(
      {n, n, grid::cells}, {p, p, grid::nodes}, true);
  check_lambdas<float, paired<float, second, 64, 4, 2, 2>, paired<float, third, 64, 4, 2, 2>>(
      {n, d, grid::nodes}, {n, n, grid::cells}, false);
}

TEST_CASE("units: the same in every order of threads and blocks") {
  three_passes<float, pruned<float, 64, 4, 2, 2>, paired<float, fourth, 64, 4, 2, 2>, 2> const
      passes{
          po::make_plan({.axes = {axis_of(64, d, n, grid::cells), axis_of(64, n, n, grid::nodes)}},
                        sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  auto const expected = passes.solve({}, rhs, false);
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(passes.solve(how, rhs, false) == expected); });
}

TEST_CASE("units: every barrier is needed") {
  three_passes<float, pruned<float, 256, 4, 2, 2>, paired<float, fourth, 256, 4, 1, 1>, 2> const
      passes{po::make_plan(
          {.axes = {axis_of(256, n, d, grid::cells), axis_of(256, d, d, grid::nodes)}},
          sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return passes.solve(how, rhs, false); }) == "");
}
