// The three passes over two axes of every kind in the emulator, against a host's solutions.

#include "simt/poisson/unit_checks.hpp"

#include "poisson/engine/tuning.hpp"

namespace {

template <class T, class Columns, int Beside, class Rows>
void check_with() {
  for (std::size_t y = 0; y < ends_of<Columns>().size(); ++y)
    for (std::size_t x = 0; x < ends_of<Rows>().size(); ++x)
      check_passes<unit_passes<T, Rows, Columns, Beside>>(
          {.axes = {axis_for<Columns>(y), axis_for<Rows>(x)}});
}

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

TEST_CASE("units: dividers") {
  std::mt19937 random{simt::seed()};
  for (unsigned const by :
       {1U, 2U, 3U, 7U, 1U << 16, (1U << 31) - 1, 1U << 31, (1U << 31) + 1, ~0U,
        static_cast<unsigned>(random()) | 1U, static_cast<unsigned>(random()) % 4096 + 1}) {
    po::divider const divider(by);
    auto const check = [&](unsigned n) {
      INFO(n, " / ", by);
      CHECK(divider.quotient(n) == n / by);
    };
    for (unsigned const n :
         {0U, 1U, by - 1, by, 2 * by - 1, 2 * by, ~0U, ~0U - 1, ~0U / by * by, ~0U / by * by - 1})
      check(n);
    for (int i = 0; i < 1000; ++i) check(static_cast<unsigned>(random()));
  }
}

TEST_CASE("units: factors and quotients that are kept") {
  using rows = keeping<float, 64, 4, 2, 2>;
  check_with<float, keeping<float, 64, 4, 2, 2>, 2, rows>();
  check_with<double, keeping<double, 128, 4, 2, 2>, 2, keeping<double, 256, 8, 2, 2>>();
  check_with<float, paired<float, second, 64, 4, 2, 2>, 2, keeping<float, 128, 4, 4, 4>>();
  check_with<float, keeping<float, 1024, 8, 2, 2>, 2, paired<float, fourth, 64, 4, 2, 2>>();
  check_lambdas<unit_passes<float, rows, rows, 2>>({.axes = {axis_for<rows>(0), axis_for<rows>(0)}},
                                                   true);
  unit_passes<float, rows, rows, 2> const passes{
      po::make_plan({.axes = {axis_for<rows>(0), axis_for<rows>(0)}, .batch = 3}, sizeof(float))};
  check_gaps(passes);
  auto const rhs = test::rough_values<float>(3 * passes.plan.size(), simt::seed());
  auto const expected = passes.solve({}, rhs);
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(passes.solve(how, rhs) == expected); });
}

template <class T, class Columns, int Beside, class Rows>
void check_clusters() {
  // Nodes have an odd number of units: then a block has none.
  for (std::size_t const batch : {1, 2, 3})
    check_passes<unit_passes<T, Rows, Columns, Beside, void, 2>>(
        {.axes = {axis_for<Columns>(0), axis_for<Rows>(0)}}, batch);
}

TEST_CASE("units: clusters of two blocks store together") {
  check_clusters<float, paired<float, fourier, 64, 4, 2, 2>, 8,
                 paired<float, fourier, 64, 4, 1, 1>>();
  check_clusters<double, pruned<double, 64, 4, 2, 2>, 4, paired<double, third, 64, 4, 1, 1>>();
  check_clusters<float, paired<float, second, 64, 4, 2, 2>, 8, pruned<float, 64, 4, 1, 1>>();
  check_clusters<double, paired<double, fourth, 64, 4, 2, 2>, 4,
                 paired<double, second, 128, 4, 1, 1>>();
  check_clusters<double, pruned<double, 64, 4, 2, 2>, 4, paired<double, fourth, 64, 4, 1, 1>>();
}

TEST_CASE("units: slots that neighbouring threads load together") {
  using one_warp = paired<double, fourier, 256, 4, 1, 1>;
  using two_warps = paired<double, second, 512, 4, 1, 1>;
  using two_units = paired<double, fourth, 128, 4, 2, 2>;
  static_assert(one_warp::loads_together<4> && two_warps::loads_together<4> &&
                two_units::loads_together<8> && !two_units::loads_together<2>);
  check_with<double, paired<double, second, 64, 4, 2, 2>, 4, one_warp>();
  check_with<double, paired<double, fourier, 64, 4, 2, 2>, 8, two_units>();
  check_clusters<double, paired<double, third, 64, 4, 2, 2>, 4, two_warps>();
}

TEST_CASE("units: an odd number of rows, alone") {
  check_passes<
      unit_passes<float, paired<float, second, 64, 4, 2, 2>, pruned<float, 64, 4, 2, 2>, 4>>(
      {.axes = {axis_for<pruned<float, 64, 4, 2, 2>>(0),
                axis_for<paired<float, second, 64, 4, 2, 2>>(0)}},
      1);
}

/// One right-hand side, by the kernels that a GPU has for one axis, and short ones.
template <class Rows, class Columns, int Beside = 2>
void check_tuned() {
  using T = typename Rows::T;
  check_passes<unit_passes<T, Rows, Columns, Beside>>(
      {.axes = {axis_for<Columns>(1), axis_for<Rows>(1)}}, 1);
}
template <class T, int Length, po::unit_kind Kind>
using tuned_rows = typename po::unit_row_layout<T, Length, false>::template core<Kind>;
template <class T, int Length, po::unit_kind Kind>
using tuned_columns = typename po::unit_column_layout<T, Length>::template core<Kind>;

TEST_CASE("units: first stages that are wide, twice wide, or split") {
  using short_float = paired<float, second, 64, 4, 2, 2>;
  using short_double = paired<double, fourier, 64, 4, 2, 2>;
  check_tuned<tuned_rows<float, 8192, fourier>, short_float, 4>();
  check_tuned<tuned_rows<double, 2048, fourier>, short_double>();
  check_tuned<short_double, po::unit_row_layout<double, 2048, false>::core<fourier>>();
  check_tuned<short_float, tuned_columns<float, 2048, third>>();
  check_tuned<short_float, po::box_layout<float, 1024>::core<fourier>>();
  check_tuned<short_float, tuned_columns<float, 2048, first>>();
  check_tuned<short_double, tuned_columns<double, 1024, first>>();
}

TEST_CASE("units: shapes as they are on a GPU") {
  using short_float = paired<float, second, 64, 4, 2, 2>;
  using short_double = paired<double, fourier, 64, 4, 2, 2>;
  check_tuned<tuned_rows<float, 2048, fourier>, short_float>();
  check_tuned<tuned_rows<float, 2048, second>, short_float>();
  check_tuned<tuned_rows<float, 2048, third>, short_float>();
  check_tuned<tuned_rows<float, 2048, fourth>, short_float>();
  check_tuned<tuned_rows<float, 2048, first>, short_float>();
  check_tuned<tuned_rows<float, 512, first>, tuned_columns<float, 256, second>>();
  check_tuned<tuned_rows<double, 512, fourth>, tuned_columns<double, 512, fourier>>();
  check_tuned<tuned_rows<float, 16384, fourier>, short_float, 8>();
  check_tuned<short_double, tuned_columns<double, 1024, fourier>>();
  check_tuned<short_float, tuned_columns<float, 2048, fourth>>();
  check_tuned<short_double, tuned_columns<double, 4096, fourier>, 4>();
  check_tuned<short_float, tuned_columns<float, 8192, fourier>, 8>();
  check_tuned<short_double, tuned_columns<double, 8192, fourth>, 4>();
  check_tuned<short_float, tuned_columns<float, 16384, second>, 8>();
  check_tuned<typename po::unit_row_layout<float, 128, true>::core<fourier>, short_float>();
  using wide = tuned_rows<double, 4096, fourier>;
  check_passes<unit_passes<double, wide, short_double, 4, void, 2>>(
      {.axes = {axis_for<short_double>(0), axis_for<wide>(0)}}, 1);
}

TEST_CASE("units: fields with gaps have the bits of dense ones") {
  check_gaps(unit_passes<float, paired<float, second, 64, 4, 2, 2>, pruned<float, 64, 4, 2, 2>, 2>{
      po::make_plan(
          {.axes = {axis_of(64, d, d, grid::nodes), axis_of(64, n, n, grid::cells)}, .batch = 3},
          sizeof(float))});
  check_gaps(unit_passes<float, pruned<float, 64, 4, 2, 2>, paired<float, fourth, 64, 4, 2, 2>, 2>{
      po::make_plan(
          {.axes = {axis_of(64, d, n, grid::cells), axis_of(64, n, n, grid::nodes)}, .batch = 3},
          sizeof(float))});
}

// All right-hand sides lie in the memory of one.
TEST_CASE("units: as many rows as 32 bits count") {
  using rows = paired<float, second, 64, 4, 2, 2>;
  auto const plan = po::make_plan({.axes = {axis_for<rows>(0)}}, sizeof(float));
  auto const tables = po::unit_tables_of<rows>(plan.axes[0]);
  constexpr unsigned planes = 3, pairs = 4, of_entry = planes * pairs;
  auto const in = test::rough_values<float>(planes * 2 * pairs * 64, simt::seed());
  std::vector<float> modes(2 * pairs * 64);
  po::unit_rows<float> pass{};
  pass.axis = tables.at(tables.factors.data(), tables.turns.data(), nullptr);
  pass.in = in.data();
  pass.slots = reinterpret_cast<po::complex_pair<float>*>(modes.data());
  pass.rows = 2 * pairs - 1;
  pass.width = 64;
  pass.strides = {64, 2 * pairs * 64, 0, true};
  pass.slots_of_row = 32;
  pass.units = ~0U;
  pass.pairs = po::divider(pairs);
  pass.planes = po::divider(planes);
  auto const modes_from = [&](unsigned first) {
    modes.assign(modes.size(), 7);
    run_blocks<rows::shape>(1, [&](auto const& block, unsigned, auto* shared) {
      po::transform_rows<rows, 2, 1, false, true>(block, pass, first, false, shared);
    });
    return modes;
  };
  for (unsigned first = 0; first < of_entry; first += 2)
    for (unsigned const far : {1U << 28, 1U << 31, ~0U - of_entry})
      CHECK(modes_from(far / of_entry * of_entry + first) == modes_from(first));
}

template <class T, class Rows, class Columns>
void check_lambdas_of(ends y, ends x, bool is_open) {
  check_lambdas<unit_passes<T, Rows, Columns, 2>>(
      {.axes = {axis_of(Columns::shape::length, y.lower, y.upper, y.where),
                axis_of(Rows::shape::length, x.lower, x.upper, x.where)}},
      is_open);
}

TEST_CASE("units: a lambda for each right-hand side") {
  check_lambdas_of<float, paired<float, second, 64, 4, 2, 2>, pruned<float, 64, 4, 2, 2>>(
      {n, n, grid::nodes}, {n, n, grid::cells}, true);
  check_lambdas_of<double, paired<double, fourier, 64, 4, 2, 2>,
                   paired<double, second, 64, 4, 2, 2>>({n, n, grid::cells}, {p, p, grid::nodes},
                                                        true);
  check_lambdas_of<float, paired<float, second, 64, 4, 2, 2>, paired<float, third, 64, 4, 2, 2>>(
      {n, d, grid::nodes}, {n, n, grid::cells}, false);
}

TEST_CASE("units: the same in every order of threads and blocks") {
  unit_passes<float, pruned<float, 64, 4, 2, 2>, paired<float, fourth, 64, 4, 2, 2>, 2> const
      passes{
          po::make_plan({.axes = {axis_of(64, d, n, grid::cells), axis_of(64, n, n, grid::nodes)}},
                        sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  auto const expected = passes.solve({}, rhs);
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(passes.solve(how, rhs) == expected); });
}

template <class Rows, class Columns, int Beside, int Cluster>
std::string unneeded_barriers() {
  unit_passes<float, Rows, Columns, Beside, void, Cluster> const passes{
      po::make_plan({.axes = {axis_for<Columns>(0), axis_for<Rows>(1)}}, sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  return simt::unneeded_barriers_of<float>(
      [&](simt::options const& how) { return passes.solve(how, rhs); });
}

TEST_CASE("units: every barrier is needed") {
  using wide = paired<float, fourth, 256, 4, 1, 1>;
  CHECK(unneeded_barriers<pruned<float, 256, 4, 2, 2>, wide, 2, 1>() == "");
  // The last one of five: on a GPU a block's memory ends with it, here with its cluster.
  using alone = paired<float, second, 64, 4, 1, 1>;
  CHECK(unneeded_barriers<alone, pruned<float, 64, 4, 2, 2>, 4, 2>() == "4 store_cluster, ");
}
