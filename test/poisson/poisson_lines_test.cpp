// Lines of any boundaries in hand-written passes, against cuFFT in double, or a host.

#include "poisson.hpp"

namespace poisson_lines_test {

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
  for (auto const& one : axis_kinds)
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

/// Every kind along x, beside so many along y.
template <class T>
void check_units(std::size_t height, std::size_t width, std::size_t others) {
  wf::gpu place;
  unsigned seed = 101;
  for (std::size_t i = 0; i < std::size(axis_kinds); ++i)
    for (std::size_t other = 0; other < others; ++other) {
      auto const& y = axis_kinds[(3 * i + 1 + other) % std::size(axis_kinds)];
      po::problem of{{axis_with(y, height), axis_with(axis_kinds[i], width)}};
      of.batch = 3;
      check_lines<T>(place, of, ++seed);
    }
}

/// Boxes of three axes with every kind along each of them, beside others.
template <class T>
void check_boxes(std::size_t depth, std::size_t height, std::size_t width, std::size_t batch = 2) {
  wf::gpu place;
  unsigned seed = 151;
  for (std::size_t i = 0; i < std::size(axis_kinds); ++i) {
    auto const& y = axis_kinds[(3 * i + 1) % std::size(axis_kinds)];
    auto const& z = axis_kinds[(7 * i + 2) % std::size(axis_kinds)];
    po::problem of{{axis_with(z, depth), axis_with(y, height), axis_with(axis_kinds[i], width)}};
    of.batch = batch;
    check_lines<T>(place, of, ++seed);
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: boxes of every kind are cuFFT's", T, float, double) {
    check_boxes<T>(64, 64, 128);
  }
  TEST_CASE_TEMPLATE("boxes of other lengths are cuFFT's", T, float, double) {
    check_boxes<T>(128, 256, 64, 3);
    check_boxes<T>(512, 64, 256);
    check_boxes<T>(64, 1024, 64);
    check_boxes<T>(1024, 128, 128, 1);
    check_boxes<T>(64, 64, 2048, 1);
    check_boxes<T>(128, 512, 256, 1); // in slices
  }
  TEST_CASE_TEMPLATE("fast: units of every kind are cuFFT's", T, float, double) {
    check_units<T>(64, 128, 1);
  }
  TEST_CASE_TEMPLATE("units of every pair of axis_kinds are cuFFT's", T, float, double) {
    check_units<T>(256, 64, std::size(axis_kinds));
    check_units<T>(1024, 512, 2);
    check_units<T>(128, 2048, 2);
  }
  TEST_CASE_TEMPLATE("long units of every kind are cuFFT's", T, float, double) {
    wf::gpu place;
    unsigned seed = 131;
    for (std::size_t const n : {4096, 8192, 16384})
      for (auto const& one : axis_kinds) {
        auto const along = axis_with(one, n),
                   other = axis_with(axis_kinds[seed % std::size(axis_kinds)], 64);
        for (auto const& axes : {std::vector{along, other}, std::vector{other, along}})
          if (po::can_fuse<T>(place, {axes})) check_lines<T>(place, {axes}, ++seed);
      }
  }
  TEST_CASE_TEMPLATE("fast: lines of every boundary are cuFFT's", T, float, double) {
    check_kinds<T>({15}, 20);
  }
  TEST_CASE_TEMPLATE("more lines of every boundary are cuFFT's", T, float, double) {
    check_kinds<T>({24, 49}, 40);
  }
  TEST_CASE_TEMPLATE("fast: lines of any length are cuFFT's", T, float, double) {
    check_kinds<T>({13}, 28);
  }
  TEST_CASE_TEMPLATE("more lines of any length are cuFFT's", T, float, double) {
    check_kinds<T>({11, 17, 67, 101, 127, 143}, 170);
  }
  TEST_CASE_TEMPLATE("long lines of any length are a host's", T, float, double) {
    wf::gpu place;
    wf::host here;
    unsigned seed = 211;
    for (std::size_t const n : {211, 1009, 4099, 6397})
      for (auto const& one :
           {axis_kinds[0], axis_kinds[2], axis_kinds[5], axis_kinds[6], axis_kinds[9]})
        for (bool const is_last : {false, true}) {
          auto const along = axis_of(one, n),
                     other = axis_of(axis_kinds[seed % std::size(axis_kinds)], 22);
          po::problem of{{is_last ? other : along, is_last ? along : other}};
          if (!po::can_fuse<T>(place, of)) continue;
          CAPTURE(name_of(of));
          question<T> const asked{of, rough_values<T>(size_of(of), ++seed)};
          auto const expected = solve(here, asked).u;
          CHECK(rms_error(solve(place, asked, engine::fused).u, expected) <
                (sizeof(T) == 4 ? 1e-5L : 1e-13L) * rms(expected));
        }
    CHECK(seed >= 211 + 36);
  }
  TEST_CASE("convolutions are chosen for boundaries and squares, other periods left to cuFFT") {
    wf::gpu place;
    po::problem const bounded{{axis_of(axis_kinds[5], 131), axis_of(axis_kinds[0], 60)}};
    CHECK(po::can_fuse<float>(place, bounded));
    CHECK(po::solver<float, wf::gpu>(place, bounded).engine_name() == "fused");
    po::problem const open{{axis_of(axis_kinds[0], 1009), axis_of(axis_kinds[0], 60)}};
    CHECK(po::solver<float, wf::gpu>(place, open).engine_name() == "fused");
    po::problem const line{{axis_of(axis_kinds[0], 1009)}};
    CHECK(po::can_fuse<float>(place, line));
    CHECK(po::solver<float, wf::gpu>(place, line).engine_name() == "cuFFT");
  }
  TEST_CASE_TEMPLATE("long lines are cuFFT's", T, float, double) {
    wf::gpu place;
    unsigned seed = 61;
    for (std::size_t const n : {1000, 3000, 4096, 12600})
      for (auto const& one : {axis_kinds[0], axis_kinds[3], axis_kinds[6], axis_kinds[9]}) {
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
    check_lines<float>(
        place, {.axes = {{.points = 4096, .length = 1e-8}, {.points = 2048, .length = 1e-8}}}, 12);
    for (double const length : {1e9, 1e-9}) {
      po::axis const cells{64, length, neumann, neumann, grid::cells};
      check_lines<float>(place, {.axes = {{.points = 64}, cells}}, 10);
      check_lines<float>(place, {.axes = {cells, cells}}, 11);
    }
  }
}

} // namespace poisson_lines_test
