// Lines of any boundaries in hand-written passes, against cuFFT in double.

#include "poisson.hpp"

namespace {

using namespace test;
namespace wf = warpfold;

template <class T>
void check_lines(wf::gpu& place, po::problem of, unsigned seed) {
  CAPTURE(seed);
  CAPTURE(name_of(of));
  if (po::is_singular(of)) of.gauge = po::gauge::first_point;
  REQUIRE(po::can_fuse<T>(place, of));
  std::mt19937 random{seed};
  std::uniform_real_distribution<float> uniform{-.4F, .6F};
  question<double> wide{of, std::vector<double>(size_of(of) * of.batch)};
  for (double& x : wide.rhs) x = uniform(random);
  question<T> const asked{of, {wide.rhs.begin(), wide.rhs.end()}};
  auto const expected = solve(place, wide, engine::vendor).u;
  auto const ours = solve(place, asked, engine::fused).u;
  CHECK(rms_error(ours, expected) < (sizeof(T) == 4 ? 1e-5L : 1e-13L) * rms(expected));
  if (po::is_singular(of)) CHECK(ours[0] == 0);
  // The same bits alone.
  question<T> last{of, part_of_batch(asked.rhs, of.batch - 1, of.batch)};
  last.of.batch = 1;
  CHECK(solve(place, last, engine::fused).u == part_of_batch(ours, of.batch - 1, of.batch));
}

/// At least so many problems are to be of the form.
template <class T>
void check_kinds(std::vector<std::size_t> const& lengths, unsigned least) {
  wf::gpu place;
  unsigned seed = 31;
  for (auto const& one : kinds)
    for (std::size_t const n : lengths) {
      auto const along = axis_of(one, n), other = axis_of(one, 35);
      for (auto const& axes :
           {std::vector{along}, std::vector{along, other}, std::vector{other, along, along}}) {
        po::problem of{axes};
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
      for (auto const& one : {kinds[0], kinds[3], kinds[6], kinds[9]}) {
        auto const along = axis_of(one, n), other = axis_of(one, 42);
        check_lines<T>(place, {{along, other}}, ++seed);
        check_lines<T>(place, {{other, along}}, ++seed);
      }
  }

  TEST_CASE("fast: solvers of other lengths leave each other alone") {
    wf::gpu place;
    po::problem const longer{{{.points = 3000}, {.points = 4}}},
        shorter{{{.points = 2000}, {.points = 4}}};
    question<float> asked{longer, std::vector<float>(12'000)};
    for (std::size_t i = 0; i < asked.rhs.size(); ++i) asked.rhs[i] = static_cast<float>(i % 7) - 3;
    po::solver<float, wf::gpu> first(place, longer, engine::fused);
    auto const expected = solve(place, asked, engine::fused).u;
    po::solver<float, wf::gpu> const second(place, shorter, engine::fused);
    arrays_of<wf::gpu, float> arrays(place, asked, true);
    first.solve(arrays.fields());
    CHECK(arrays.read_back().u == expected);
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
