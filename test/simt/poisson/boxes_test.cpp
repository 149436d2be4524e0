// The five passes over three axes of every kind in the emulator, against a host's solutions.

#include "simt/poisson/unit_checks.hpp"

namespace {

template <class T, class Planes, class Columns, class Rows>
void check_box(std::size_t slices = 0) {
  for (std::size_t const i : {std::size_t{0}, std::size_t{1}})
    check_passes<unit_passes<T, Rows, Columns, 2, Planes>>(
        {.axes = {axis_for<Planes>(i), axis_for<Columns>(i), axis_for<Rows>(i)}}, 2, slices);
}

template <class T, po::unit_kind Kind, int Units = 2>
using line = paired<T, Kind, 32, 4, Units, Units>;
template <class T, int Units = 2>
using nodes = pruned<T, 64, 4, Units, Units>;

} // namespace

TEST_CASE("boxes: planes of every kind, beside others") {
  check_box<float, depths<float, 32, 4, 8>, line<float, second, 4>, line<float, fourier>>();
  check_box<double, line<double, fourier, 8>, line<double, fourier, 4>, line<double, fourier>>();
  check_box<float, depths<float, 64, 8, 2>, line<float, fourier, 4>, line<float, fourth>>();
  check_box<float, line<float, second, 8>, line<float, fourth, 4>, line<float, second>>();
  check_box<float, line<float, third, 4>, line<float, third, 4>, line<float, fourth>>();
  check_box<float, line<float, fourth, 8>, line<float, fourier, 4>, line<float, third>>();
}

TEST_CASE("boxes: nodes along each axis, and in slices") {
  check_box<float, depths<float, 32, 4, 4>, nodes<float, 4>, line<float, fourier>>(3);
  check_box<float, depths<float, 32, 4, 2>, line<float, fourier, 4>, nodes<float>>(2);
  check_box<float, nodes<float, 8>, line<float, fourier, 4>, line<float, second>>(2);
  check_box<double, line<double, second, 8>, nodes<double, 4>, line<double, third>>(3);
  check_box<float, line<float, third, 8>, line<float, second, 4>, nodes<float>>(2);
  check_box<double, nodes<double, 4>, nodes<double, 4>, line<double, fourier>>(2);
}

TEST_CASE("boxes: a lambda for each right-hand side") {
  check_lambdas<
      unit_passes<float, line<float, second>, line<float, fourier, 4>, 2, line<float, second, 8>>>(
      {.axes = {axis_of(32, n, n, grid::cells), axis_of(32, p, p, grid::nodes),
                axis_of(32, n, n, grid::cells)}},
      true);
}

TEST_CASE("boxes: fields with gaps have the bits of dense ones") {
  unit_passes<float, line<float, second>, line<float, fourier, 4>, 2, line<float, fourth, 8>>
      passes{po::make_plan({.axes = {axis_of(32, n, d, grid::cells), axis_of(32, p, p, grid::nodes),
                                     axis_of(32, d, d, grid::cells)},
                            .batch = 3},
                           sizeof(float))};
  passes.slice = 2 * passes.bytes(); // so that the third right-hand side comes alone
  check_gaps(passes);
}

TEST_CASE("boxes: the same in every order of threads and blocks") {
  unit_passes<float, line<float, fourth>, line<float, second, 4>, 2, nodes<float, 8>> const passes{
      po::make_plan({.axes = {axis_of(64, d, d, grid::nodes), axis_of(32, n, n, grid::cells),
                              axis_of(32, n, d, grid::cells)}},
                    sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  auto const expected = passes.solve({}, rhs);
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(passes.solve(how, rhs) == expected); });
  unit_passes<float, line<float, fourier>, line<float, fourier, 4>, 2,
              depths<float, 64, 4, 4>> const periods{
      po::make_plan({.axes = {axis_of(64, p, p, grid::nodes), axis_of(32, p, p, grid::nodes),
                              axis_of(32, p, p, grid::nodes)}},
                    sizeof(float))};
  auto const of_all = test::rough_values<float>(periods.plan.size(), simt::seed());
  auto const of_periods = periods.solve({}, of_all);
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(periods.solve(how, of_all) == of_periods); });
}

TEST_CASE("boxes: every barrier is needed") {
  unit_passes<float, line<float, fourier>, paired<float, fourier, 64, 4, 8, 8>, 2,
              depths<float, 64, 4, 8>> const periods{
      po::make_plan({.axes = {axis_of(64, p, p, grid::nodes), axis_of(64, p, p, grid::nodes),
                              axis_of(32, p, p, grid::nodes)}},
                    sizeof(float))};
  auto const of_periods = test::rough_values<float>(periods.plan.size(), simt::seed());
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return periods.solve(how, of_periods); }) == "");
  unit_passes<float, line<float, fourier>, paired<float, second, 64, 4, 8, 8>, 2,
              paired<float, fourth, 64, 4, 8, 8>> const passes{
      po::make_plan({.axes = {axis_of(64, d, n, grid::cells), axis_of(64, n, n, grid::cells),
                              axis_of(32, p, p, grid::nodes)}},
                    sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return passes.solve(how, rhs); }) == "");
}
