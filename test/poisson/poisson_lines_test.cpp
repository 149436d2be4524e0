// Lines of any boundaries in hand-written passes, against cuFFT in double.

#include "gpu.hpp"
#include "poisson.hpp"

#include <warpfold/poisson.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

namespace po = warpfold::poisson;
namespace wf = warpfold;
using wf::twins::engine;

template <class T>
std::vector<T> solve_lines(wf::gpu& place, po::problem const& of, engine how,
                           std::vector<T> const& rhs) {
  po::solver<T, wf::gpu> solver(place, of, how);
  wf::device_buffer<T> from(place, std::span<T const>(rhs));
  wf::device_buffer<T> to(place, std::span<T const>(std::vector<T>(rhs.size(), T(NAN))));
  po::fields<T, wf::gpu> fields;
  fields.rhs = from;
  fields.solution = to;
  solver.solve(fields);
  return wf::to_vector(place, to.span());
}

template <class T>
void check_lines(wf::gpu& place, po::problem of, unsigned seed) {
  CAPTURE(seed);
  CAPTURE(test::name_of(of));
  if (po::is_singular(of)) of.fixed_by = po::gauge::first_point;
  REQUIRE(po::can_fuse<T>(place, of));
  std::size_t size = 1;
  for (auto const& a : of.axes) size *= a.points;
  std::mt19937 random{seed};
  std::uniform_real_distribution<float> uniform{-.4F, .6F};
  std::vector<double> wide(size * of.batch);
  for (double& x : wide) x = uniform(random);
  std::vector<T> const rhs(wide.begin(), wide.end());
  auto const expected = solve_lines<double>(place, of, engine::vendor, wide);
  auto const ours = solve_lines<T>(place, of, engine::fused, rhs);
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    difference += std::pow(static_cast<double>(ours[i]) - expected[i], 2);
    norm += expected[i] * expected[i];
  }
  CHECK(std::sqrt(difference / norm) < (sizeof(T) == 4 ? 1e-5 : 1e-13));
  if (po::is_singular(of)) CHECK(ours[0] == 0);
  // The same bits alone.
  auto one = of;
  one.batch = 1;
  auto const last = solve_lines<T>(place, one, engine::fused,
                                   {rhs.end() - static_cast<std::ptrdiff_t>(size), rhs.end()});
  CHECK(std::equal(last.begin(), last.end(), ours.end() - static_cast<std::ptrdiff_t>(size)));
}

/// At least so many problems are to be of the form.
template <class T>
void check_kinds(std::vector<std::size_t> const& lengths, unsigned least) {
  wf::gpu place;
  unsigned seed = 31;
  for (auto const& kind : test::kinds)
    for (std::size_t const n : lengths) {
      auto const along = test::axis_of(kind, n), other = test::axis_of(kind, 35);
      for (auto const& axes :
           {std::vector{along}, std::vector{along, other}, std::vector{other, along, along}}) {
        po::problem of;
        of.axes = axes;
        of.batch = 3;
        if (po::can_fuse<T>(place, of)) check_lines<T>(place, of, ++seed);
      }
    }
  CHECK(seed > 31 + least);
}

} // namespace

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: lines of every boundary are cuFFT's", T, float, double) {
    check_kinds<T>({15}, 20);
  }
  TEST_CASE_TEMPLATE("more lines of every boundary are cuFFT's", T, float, double) {
    check_kinds<T>({24, 49}, 40);
  }

  TEST_CASE_TEMPLATE("long lines are cuFFT's", T, float, double) {
    wf::gpu place;
    unsigned seed = 61;
    for (std::size_t const n : {1000, 3000, 4096, 12600})
      for (auto const& kind : {test::kinds[0], test::kinds[3], test::kinds[6], test::kinds[9]}) {
        po::problem of;
        of.axes = {test::axis_of(kind, n), test::axis_of(kind, 42)};
        check_lines<T>(place, of, ++seed);
        std::swap(of.axes[0], of.axes[1]);
        check_lines<T>(place, of, ++seed);
      }
  }

  TEST_CASE("fast: solvers of other lengths leave each other alone") {
    wf::gpu place;
    po::problem const longer{{{.points = 3000}, {.points = 4}}},
        shorter{{{.points = 2000}, {.points = 4}}};
    std::vector<float> rhs(12'000);
    for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] = static_cast<float>(i % 7) - 3;
    wf::device_buffer<float> array(place, std::span<float const>(rhs));
    po::solver<float, wf::gpu> first(place, longer, engine::fused);
    auto const expected = solve_lines<float>(place, longer, engine::fused, rhs);
    po::solver<float, wf::gpu> const second(place, shorter, engine::fused);
    po::fields<float, wf::gpu> fields;
    fields.rhs = fields.solution = array.span();
    first.solve(fields);
    CHECK(wf::to_vector(place, array.span()) == expected);
  }

  TEST_CASE("axes of a problem that need different shared memory are cuFFT's") {
    wf::gpu place;
    check_lines<float>(place, {.axes = {{.points = 3000}, {.points = 1500}, {.points = 8}}}, 7);
  }

  TEST_CASE("fast: extreme sides of squares are cuFFT's") {
    wf::gpu place;
    for (double const length : {1e18, 1e-9})
      check_lines<float>(place, {.axes = {{.points = 64}, {.points = 64, .length = length}}}, 8);
    check_lines<float>(
        place, {.axes = {{.points = 64, .length = 1e-14}, {.points = 64, .length = 1e-14}}}, 9);
  }
}
