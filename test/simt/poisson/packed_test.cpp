// One axis in one pass in the emulator, against a host's solutions.

#include "simt/poisson/unit_checks.hpp"

#include "poisson/engine/tuning.hpp"

namespace {

/// Lines of 2 * M numbers.
template <class T, po::unit_kind Kind, int M, int P, int Units>
using line = po::packed_core<po::paired_shape<T, Kind, M, P, Units, 1>>;
template <class T, int M, po::unit_kind Kind>
using tuned = typename po::packed_layout<T, M>::template core<Kind>;

template <class Core>
using one_pass = unit_passes<typename Core::T, Core, void, 1>;

template <class Core>
po::axis axis_with(ends const& of) {
  return axis_of(2 * Core::length, of.lower, of.upper, of.where);
}
/// Every kind of ends, three right-hand sides.
template <class Core>
void check_line() {
  for (auto const& of : ends_of<Core>())
    check_passes<one_pass<Core>>({.axes = {axis_with<Core>(of)}}, 3);
}

} // namespace

TEST_CASE("packed: lines of every kind") {
  check_line<line<float, fourier, 64, 4, 2>>();
  check_line<line<float, second, 64, 4, 2>>();
  check_line<line<double, fourier, 128, 8, 1>>();
  check_line<line<double, second, 128, 4, 4>>();
  check_line<line<float, fourier, 256, 4, 2>>();
  check_line<line<float, second, 512, 8, 2>>();
}

TEST_CASE("packed: stages as they are on a GPU") {
  check_line<tuned<float, 4096, fourier>>();
  check_line<tuned<float, 2048, second>>();
  check_line<tuned<double, 2048, fourier>>();
  check_line<tuned<float, 8192, fourier>>();
  check_line<tuned<float, 256, fourier>>();
  check_line<tuned<double, 128, fourier>>();
  check_line<tuned<double, 256, second>>();
  check_line<tuned<double, 512, fourier>>();
}

TEST_CASE("packed: fields with gaps have the bits of dense ones") {
  for (auto const& of : ends_of<line<float, second, 64, 4, 2>>())
    check_gaps(one_pass<line<float, second, 64, 4, 2>>{po::make_plan(
        {.axes = {axis_with<line<float, second, 64, 4, 2>>(of)}, .batch = 5}, sizeof(float))});
  check_gaps(one_pass<line<double, fourier, 64, 4, 4>>{
      po::make_plan({.axes = {axis_of(128, p, p, grid::nodes)}, .batch = 9}, sizeof(double))});
}

TEST_CASE("packed: a lambda for each right-hand side") {
  check_lambdas<one_pass<line<float, second, 64, 4, 2>>>(
      {.axes = {axis_of(128, n, n, grid::cells)}}, true);
  check_lambdas<one_pass<line<float, second, 64, 4, 2>>>(
      {.axes = {axis_of(128, d, d, grid::cells)}}, false);
  check_lambdas<one_pass<line<double, fourier, 64, 4, 2>>>(
      {.axes = {axis_of(128, p, p, grid::nodes)}}, true);
}

TEST_CASE("packed: the same in every order of threads and blocks, and every barrier is needed") {
  for (auto const gauge : {po::gauge::zero_mean, po::gauge::first_point}) {
    one_pass<line<float, second, 64, 4, 2>> const passes{po::make_plan(
        {.axes = {axis_of(128, n, n, grid::cells)}, .gauge = gauge, .batch = 3}, sizeof(float))};
    auto const rhs = test::rough_values<float>(3 * passes.plan.size(), simt::seed());
    auto const expected = passes.solve({}, rhs);
    simt::in_every_order(
        [&](simt::options const& how) { CHECK(passes.solve(how, rhs) == expected); });
    CHECK(simt::unneeded_barriers_of<float>(
              [&](simt::options const& how) { return passes.solve(how, rhs); }) == "");
  }
}
