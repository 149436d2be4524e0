// One axis in one pass in the emulator, against a host's solutions.

#include "simt/poisson/unit_checks.hpp"

#include "poisson/engine/tuning.hpp"

namespace {

/// Lines of 2 * M numbers.
template <class T, po::unit_kind Kind, int M, int P, int Units>
using line = po::packed_core<po::paired_shape<T, Kind, M, P, Units, 1>>;
template <class T, int M, po::unit_kind Kind>
using tuned = typename po::packed_layout<T, M>::template core<Kind>;
/// Lines of type 1, of N - 1 or N + 1 numbers.
template <class T, int N, int P, int Units>
using lone = po::lone_core<po::pruned_shape<T, N, P, Units, 1>>;
template <class T, int N>
using tuned_lone = typename po::lone_layout<T, N>::core;

template <class Core>
using one_pass = unit_passes<typename Core::T, Core, void, 1>;

template <class Core>
po::axis axis_with(ends const& of) {
  return axis_of(Core::is_pruned ? Core::length : 2 * Core::length, of.lower, of.upper, of.where);
}
/// For every kind of ends.
template <class Core, class Use>
void with_problems(Use use) {
  for (auto const& of : ends_of<Core>()) use(po::problem{.axes = {axis_with<Core>(of)}});
}
/// Three right-hand sides.
template <class Core>
void check_line() {
  with_problems<Core>([](po::problem const& of) { check_passes<one_pass<Core>>(of, 3); });
}
template <class Core>
void check_line_gaps(std::size_t batch) {
  with_problems<Core>([&](po::problem of) {
    of.batch = batch;
    check_gaps(one_pass<Core>{po::make_plan(of, sizeof(typename Core::T))});
  });
}
template <class Core>
void check_line_lambdas() {
  with_problems<Core>(
      [](po::problem const& of) { check_lambdas<one_pass<Core>>(of, po::is_singular(of)); });
}
/// One right-hand side has the bits that it has among others.
template <class Core>
void check_alone() {
  using T = typename Core::T;
  with_problems<Core>([](po::problem of) {
    one_pass<Core> const alone{po::make_plan(of, sizeof(T))};
    of.batch = Core::shape::units + 1;
    one_pass<Core> const among{po::make_plan(of, sizeof(T))};
    auto const size = static_cast<std::ptrdiff_t>(alone.plan.size());
    auto const rhs = test::rough_values<T>(of.batch * alone.plan.size(), simt::seed());
    auto const all = among.solve({}, rhs);
    for (std::size_t b = 0; b < of.batch; ++b) {
      auto const first = static_cast<std::ptrdiff_t>(b) * size;
      auto const one = alone.solve({}, {rhs.begin() + first, rhs.begin() + first + size});
      CHECK(std::equal(one.solutions.begin(), one.solutions.end(), all.solutions.begin() + first));
      CHECK(one.means[0] == all.means[b]);
    }
  });
}
/// The same in every order of threads and blocks, and every barrier is needed.
template <class Core>
void check_orders() {
  using T = typename Core::T;
  with_problems<Core>([](po::problem of) {
    of.batch = 3;
    for (auto const gauge : {po::gauge::zero_mean, po::gauge::first_point}) {
      if (gauge == po::gauge::first_point && !po::is_singular(of)) continue;
      of.gauge = gauge;
      one_pass<Core> const passes{po::make_plan(of, sizeof(T))};
      auto const rhs = test::rough_values<T>(3 * passes.plan.size(), simt::seed());
      auto const expected = passes.solve({}, rhs);
      simt::in_every_order(
          [&](simt::options const& how) { CHECK(passes.solve(how, rhs) == expected); });
      CHECK(simt::unneeded_barriers_of<T>(
                [&](simt::options const& how) { return passes.solve(how, rhs); }) == "");
    }
  });
}

} // namespace

TEST_CASE("packed: lines of every kind") {
  check_line<line<float, fourier, 64, 4, 2>>();
  check_line<line<float, second, 64, 4, 2>>();
  check_line<line<float, third, 64, 4, 2>>();
  check_line<line<float, fourth, 64, 4, 2>>();
  check_line<line<double, fourier, 128, 8, 1>>();
  check_line<line<double, second, 128, 4, 4>>();
  check_line<line<double, third, 128, 4, 4>>();
  check_line<line<double, fourth, 128, 8, 1>>();
  check_line<line<float, fourier, 256, 4, 2>>();
  check_line<line<float, second, 512, 8, 2>>();
  check_line<line<float, third, 512, 8, 2>>();
  check_line<line<float, fourth, 256, 4, 2>>();
}

TEST_CASE("packed: lines of type 1, alone in a unit") {
  check_line<lone<float, 64, 4, 2>>();
  check_line<lone<double, 128, 4, 4>>();
  check_line<lone<float, 256, 8, 1>>();
  check_line<lone<double, 256, 4, 2>>();
}

TEST_CASE("packed: stages as they are on a GPU") {
  check_line<tuned<float, 4096, fourier>>();
  check_line<tuned<float, 2048, second>>();
  check_line<tuned<float, 2048, third>>();
  check_line<tuned<float, 4096, fourth>>();
  check_line<tuned<double, 2048, fourier>>();
  check_line<tuned<double, 512, third>>();
  check_line<tuned<double, 1024, fourth>>();
  check_line<tuned<float, 8192, fourier>>();
  check_line<tuned<float, 256, fourier>>();
  check_line<tuned<float, 256, fourth>>();
  check_line<tuned<float, 1024, third>>();
  check_line<tuned<double, 128, fourier>>();
  check_line<tuned<double, 256, second>>();
  check_line<tuned<double, 512, fourier>>();
  check_line<tuned_lone<float, 64>>();
  check_line<tuned_lone<float, 2048>>();
  check_line<tuned_lone<float, 4096>>();
  check_line<tuned_lone<double, 1024>>();
}

TEST_CASE("packed: fields with gaps have the bits of dense ones") {
  check_line_gaps<line<float, second, 64, 4, 2>>(5);
  check_line_gaps<line<double, fourier, 64, 4, 4>>(9);
  check_line_gaps<line<float, third, 64, 4, 2>>(5);
  check_line_gaps<line<float, fourth, 64, 4, 2>>(5);
  check_line_gaps<line<double, fourth, 64, 4, 4>>(9);
  check_line_gaps<lone<float, 64, 4, 2>>(5);
  check_line_gaps<lone<double, 64, 4, 4>>(9);
}

TEST_CASE("packed: a lambda for each right-hand side") {
  check_line_lambdas<line<float, second, 64, 4, 2>>();
  check_line_lambdas<line<double, fourier, 64, 4, 2>>();
  check_line_lambdas<line<float, third, 64, 4, 2>>();
  check_line_lambdas<line<double, fourth, 64, 4, 2>>();
  check_line_lambdas<lone<float, 64, 4, 2>>();
}

TEST_CASE("packed: batches are solved alike") {
  check_alone<line<float, second, 64, 4, 2>>();
  check_alone<line<float, third, 64, 4, 2>>();
  check_alone<line<float, fourth, 64, 4, 2>>();
  check_alone<lone<float, 64, 4, 2>>();
}

TEST_CASE("packed: the same in every order of threads and blocks, and every barrier is needed") {
  check_orders<line<float, second, 64, 4, 2>>();
  check_orders<line<float, third, 64, 4, 2>>();
  check_orders<line<float, fourth, 64, 4, 2>>();
  check_orders<lone<float, 64, 4, 2>>();
}
