#pragma once
// The passes over two and three axes of units in the emulator, and what their solutions are held
// against.

#include "simt/poisson/mode_sums.hpp"
#include "simt/poisson/passes.hpp"
#include "simt/simt.hpp"

#include "poisson/engine/passes.hpp"
#include "poisson/engine/tables.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

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

/// An axis' tables, which the emulator's kernels read where they are.
template <class T, class Core>
struct axis_tables {
  po::unit_tables<T> tables;
  explicit axis_tables(po::axis_plan const& of) : tables{po::unit_tables_of<Core>(of)} {}
  [[nodiscard]] po::unit_axis<T> axis() const {
    return tables.at(tables.factors.data(), tables.turns.data(), tables.tilts.data());
  }
};
template <class T>
struct axis_tables<T, void> {
  explicit axis_tables(po::axis_plan const&) {}
};

/// Passes over boxes of three axes, if Planes is a core, or of two. The passes over planes and
/// columns take the slots in so many slices.
template <class T, class Rows, class Columns, int Beside, class Planes = void, int Slices = 1>
struct unit_passes {
  static constexpr bool is_box = !std::is_void_v<Planes>;

  po::plan plan;
  double share = po::unit_share(plan);
  po::axis_plan const &along_x = plan.axes.back(), &along_y = plan.axes[plan.axes.size() - 2];
  axis_tables<T, Rows> rows{along_x};
  axis_tables<T, Columns> columns{along_y};
  axis_tables<T, Planes> planes{plan.axes[0]};
  std::vector<po::complex<T>> across = po::across_of<T>(along_x, share),
                              along = po::along_of<Columns>(along_y, share);
  std::vector<T> of_planes = po::plane_eigenvalues_of<T>(plan.axes[0], share);
  std::vector<T> lambdas{}; ///< by right-hand side, or none
  std::size_t gap = 0;      ///< elements between rows

  /// With `fixes`, first points are subtracted.
  simt::solved<T> solve(simt::options const& how, std::vector<T> const& rhs, bool fixes) const {
    int const height = static_cast<int>(along_y.points), width = static_cast<int>(along_x.points);
    int const batch = static_cast<int>(plan.problem.batch), pairs = (height + 1) / 2;
    int const depth = is_box ? static_cast<int>(plan.axes[0].points) : 1;
    int const slots = (width + 1) / 2, tiles = (pairs + Beside - 1) / Beside;
    auto const entry = static_cast<std::size_t>(tiles * Beside * slots);
    std::size_t const modes = 4 * entry * static_cast<std::size_t>(batch * depth);
    auto const apart = static_cast<std::size_t>(width) + gap;
    std::size_t const all_rows = rhs.size() / static_cast<std::size_t>(width);
    auto const each_element = [&](auto use) {
      for (std::size_t i = 0; i < rhs.size(); ++i)
        use(i, i / static_cast<std::size_t>(width) * apart + i % static_cast<std::size_t>(width));
    };
    std::vector<T> in(all_rows * apart, T(NAN)), out(in);
    each_element([&](std::size_t i, std::size_t at) { in[at] = rhs[i]; });
    std::vector<T> means(plan.problem.batch, T(NAN)), firsts = means;
    simt::aligned<T> spectra(modes);
    std::fill_n(spectra.data(), modes, T(NAN));

    po::unit_rows<T> row_pass{};
    row_pass.axis = rows.axis();
    row_pass.in = in.data();
    row_pass.out = out.data();
    auto const of_plane = static_cast<std::size_t>(height) * apart;
    std::size_t const of_entry = of_plane * static_cast<std::size_t>(depth);
    row_pass.strides = {apart, of_plane, of_entry, (apart | of_plane | of_entry) % 2 == 0};
    row_pass.slots = spectra.pairs();
    row_pass.rows = height;
    row_pass.width = width;
    row_pass.slots_of_row = slots;
    row_pass.entry = entry;
    row_pass.units = static_cast<unsigned>(pairs * depth * batch);
    row_pass.ahead = gap == 0 ? Rows::shape::units : 0;
    row_pass.planes = depth;
    auto const run_rows = [&](bool leaves, bool probes) {
      auto pass = row_pass;
      pass.fetchable = leaves ? static_cast<unsigned>(height * depth * batch / 2) : pass.units;
      pass.first_point = !leaves && fixes ? firsts.data() : nullptr;
      constexpr int units = Rows::shape::units;
      int const blocks = probes ? batch : (pairs * depth * batch + units - 1) / units;
      unsigned const of_block = probes ? static_cast<unsigned>(pairs * depth) : units;
      auto const first_of = [&](auto const& block) {
        return static_cast<unsigned>(block.block_rank()) * of_block;
      };
      simt::run_pass<typename Rows::shape>(blocks, how, [&](auto const& block, auto* shared) {
        unsigned const first = first_of(block);
        if (leaves)
          po::transform_rows<Rows, Beside, false, true>(block, pass, first, probes, shared);
        else po::transform_rows<Rows, Beside, false, false>(block, pass, first, probes, shared);
      });
    };

    po::unit_boxes<T> pass{};
    pass.axis = columns.axis();
    pass.symbol = {
        .across = across.data(),
        .along = along.data(),
        .lambda = {lambdas.empty() ? nullptr : lambdas.data(), static_cast<T>(plan.problem.lambda)},
        .lambda_unit = static_cast<T>(1 / share),
        .mean_scale = static_cast<T>(plan.has_constant() ? share : 0),
        .removed_mean = means.data()};
    pass.entries = reinterpret_cast<po::complex<T>*>(spectra.pairs());
    pass.slots = slots;
    pass.tile_log2 = std::countr_zero(2U * Beside);
    int const beside = Columns::takes_two ? Beside : 2 * Beside;
    pass.beside_log2 = std::min(std::countr_zero(static_cast<unsigned>(beside)),
                                std::countr_zero(static_cast<unsigned>(Columns::shape::per_line)));
    pass.entry = 2 * entry;
    pass.ahead = 1;

    run_rows(true, false);
    if constexpr (is_box) run_box(how, pass, 2 * pairs, depth, batch);
    else {
      constexpr int units = Columns::shape::units;
      int const blocks = (slots + units - 1) / units;
      simt::run_pass<typename Columns::shape>(
          batch * blocks, how, [&](auto const& block, auto* shared) {
            auto const number = static_cast<std::size_t>(block.block_rank() / blocks);
            int const first = block.block_rank() % blocks * units;
            po::solve_units<Columns>(block, pass, number, first, shared);
          });
    }
    if (fixes) run_rows(false, true);
    run_rows(false, false);
    std::vector<T> solution(rhs.size());
    each_element(
        [&](std::size_t i, std::size_t at) { solution[i] = std::exchange(out[at], T(NAN)); });
    // Nothing was written between rows.
    CHECK(std::ranges::all_of(out, [](T value) { return std::isnan(value); }));
    return {solution, means};
  }

private:
  void run_box(simt::options const& how, po::unit_boxes<T> columns_pass, int height, int depth,
               int batch) const {
    columns_pass.rows = height;
    columns_pass.planes = depth;
    columns_pass.plane_eigenvalues = of_planes.data();
    int const slots = columns_pass.slots, slice = (slots + Slices - 1) / Slices;
    auto const run = [&](auto core, po::unit_boxes<T> pass, po::box_role role, int units,
                         int times) {
      using Core = typename decltype(core)::type;
      pass.role = role;
      pass.blocks = static_cast<unsigned>((units + Core::shape::units - 1) / Core::shape::units);
      simt::run_pass<typename Core::shape>(
          static_cast<int>(pass.blocks) * times, how, [&](auto const& block, auto* shared) {
            po::pass_box<Core>(block, pass, static_cast<unsigned>(block.block_rank()), shared);
          });
    };
    for (int first = 0; first < slots; first += slice) {
      columns_pass.first = first;
      columns_pass.last = std::min(slots, first + slice);
      auto planes_pass = columns_pass;
      planes_pass.axis = planes.axis();
      planes_pass.beside_log2 = 0;
      int const count = columns_pass.last - first;
      int const tiles = ((height - 1) >> columns_pass.tile_log2) + 1;
      using column = std::type_identity<Columns>;
      using plane = std::type_identity<Planes>;
      run(plane{}, planes_pass, po::box_role::leave, count << columns_pass.tile_log2,
          tiles * batch);
      run(column{}, columns_pass, po::box_role::solve, count, depth * batch);
      run(plane{}, planes_pass, po::box_role::come_back, count << columns_pass.tile_log2,
          tiles * batch);
    }
  }
};

/// Right-hand sides against sums.
template <class Passes>
void check_passes(po::problem problem, std::size_t batch = 2) {
  problem.batch = batch;
  if (po::is_singular(problem)) problem.gauge = po::gauge::zero_mean;
  using T = typename decltype(Passes::of_planes)::value_type;
  Passes const passes{po::make_plan(problem, sizeof(T))};
  auto const& plan = passes.plan;
  std::string kinds;
  for (auto const& axis : plan.axes)
    kinds +=
        " " + std::to_string(static_cast<int>(axis.forward)) + " of " + std::to_string(axis.points);
  INFO("transforms", kinds);
  std::size_t const size = plan.size();
  auto const rhs = test::rough_values<T>(batch * size, simt::seed());
  for (bool const fixes : {false, true}) {
    if (fixes && !plan.singular) continue;
    auto const got = passes.solve({}, rhs, fixes);
    for (std::size_t b = 0; b < batch; ++b) {
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
      CHECK(std::sqrt(error / norm) < 30 * unit);
      CHECK(std::abs(static_cast<double>(got.means[b]) - exact.mean) < 20 * unit);
    }
  }
}

/// Each right-hand side has the bits of a problem planned with its lambda.
template <class Passes>
void check_lambdas(po::problem problem, bool is_open) {
  using T = typename decltype(Passes::of_planes)::value_type;
  problem.lambda = 7;
  problem.batch = 2;
  Passes each{po::make_plan(problem, sizeof(T))};
  each.lambdas = {T(1.5), T(0)};
  auto const rhs = test::rough_values<T>(2 * each.plan.size(), simt::seed());
  auto const got = each.solve({}, rhs, false);
  for (std::size_t b = 0; b < 2; ++b) {
    problem.lambda = static_cast<double>(each.lambdas[b]);
    auto const alone = Passes{po::make_plan(problem, sizeof(T))}.solve({}, rhs, false);
    CHECK(got.means[b] == alone.means[b]);
    CHECK((got.means[b] != 0) == (b == 1 && is_open));
    auto const first = static_cast<std::ptrdiff_t>(b * each.plan.size()),
               last = first + static_cast<std::ptrdiff_t>(each.plan.size());
    CHECK(std::equal(got.solutions.begin() + first, got.solutions.begin() + last,
                     alone.solutions.begin() + first));
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

/// The axis of a core's first or second kind of ends, of its length.
template <class Core>
po::axis axis_for(std::size_t which) {
  auto const one = ends_of<Core>()[which % ends_of<Core>().size()];
  return axis_of(Core::shape::length, one.lower, one.upper, one.where);
}

using enum po::unit_kind;

} // namespace
