// The three passes over two axes of every kind in the emulator, against sums in long double.

#include "simt/poisson/unit_passes.hpp"

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

TEST_CASE("units: an odd number of rows, alone") {
  check_passes<
      unit_passes<float, paired<float, second, 64, 4, 2, 2>, pruned<float, 64, 4, 2, 2>, 4>>(
      {.axes = {axis_for<pruned<float, 64, 4, 2, 2>>(0),
                axis_for<paired<float, second, 64, 4, 2, 2>>(0)}},
      1);
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
  auto const expected = passes.solve({}, rhs, false);
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(passes.solve(how, rhs, false) == expected); });
}

TEST_CASE("units: every barrier is needed") {
  unit_passes<float, pruned<float, 256, 4, 2, 2>, paired<float, fourth, 256, 4, 1, 1>, 2> const
      passes{po::make_plan(
          {.axes = {axis_of(256, n, d, grid::cells), axis_of(256, d, d, grid::nodes)}},
          sizeof(float))};
  auto const rhs = test::rough_values<float>(passes.plan.size(), simt::seed());
  CHECK(simt::unneeded_barriers_of<float>(
            [&](simt::options const& how) { return passes.solve(how, rhs, false); }) == "");
}
