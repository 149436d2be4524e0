// What Poisson's solver refuses, what it says of itself, and the positions of points.

#include "poisson.hpp"
#ifndef WARPFOLD_WITHOUT_CUFFT
#include "poisson/cufft/vendor_error.hpp"
#endif

namespace {

using namespace test;
namespace wf = warpfold;

po::problem box(std::size_t y = 6, std::size_t x = 8) {
  return {{axis_of(kinds[2], y), axis_of(kinds[0], x)}};
}

template <class Place>
std::string refused(Place& place, po::problem const& of, engine how = engine::automatic) {
  std::string const by_double = refused_by([&] { po::solver<double, Place>(place, of, how); });
  CHECK(refused_by([&] { po::solver<float, Place>(place, of, how); }) == by_double);
  return by_double;
}

/// The argument that is refused once the problem has been changed.
template <class Place, class Change>
std::string refused_with(Place& place, Change change) {
  auto of = box();
  change(of);
  return refused(place, of);
}

template <class Place>
void check_problems(Place& place) {
  auto const with = [&](auto change) { return refused_with(place, change); };
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(with([](auto& of) { of.axes.clear(); }) == "of.axes");
  CHECK(with([](auto& of) { of.axes.resize(4, of.axes[0]); }) == "of.axes");
  CHECK(with([](auto& of) { of.axes[0].points = 0; }) == "of.axes[0].points");
  CHECK(with([](auto& of) { of.axes[1].points = std::size_t{1} << 62; }) == "of.axes[1].points");
  CHECK(with([](auto& of) {
          of.axes[1] = {1, 1, neumann, neumann, grid::nodes};
        }) == "of.axes[1].points");
  CHECK(with([](auto& of) { of.axes[1].upper = neumann; }) == "of.axes[1].upper");
  CHECK(with([](auto& of) { of.axes[0].upper = periodic; }) == "of.axes[0].lower");
  CHECK(with([](auto& of) { of.axes[0].lower = boundary{3}; }) == "of.axes[0].lower");
  CHECK(with([](auto& of) { of.axes[0].upper = boundary{7}; }) == "of.axes[0].upper");
  CHECK(with([](auto& of) { of.axes[0].on = grid{2}; }) == "of.axes[0].on");
  for (double const length : {0., -1., infinity, std::nan("")})
    CHECK(with([&](auto& of) { of.axes[1].length = length; }) == "of.axes[1].length");
  CHECK(with([](auto& of) { of.axes[1].length = 1e-200; }) == "of.axes[1].length");
  CHECK(with([](auto& of) { of.axes[1].length = 1e200; }) == "of.axes[1].length");
  for (double const lambda : {infinity, -infinity, std::nan("")})
    CHECK(with([&](auto& of) { of.lambda = lambda; }) == "of.lambda");
  CHECK(with([](auto& of) { of.stands = symbol{3}; }) == "of.stands");
  CHECK(with([](auto& of) { of.fixed_by = po::gauge{2}; }) == "of.fixed_by");
  CHECK(with([](auto& of) { of.fixed_by = po::gauge::first_point; }) == "of.fixed_by");
  CHECK(with([](auto& of) { of.batch = 0; }) == "of.batch");
  CHECK(with([](auto& of) { of.batch = std::size_t{1} << 60; }) == "of.batch");
  CHECK(refused(place, box(), engine{6}) == "twin");
}

TEST_CASE("problems that are none are refused by the argument's name") {
  wf::host place;
  check_problems(place);
}

TEST_CASE("an eigenvalue as lambda is refused, in one to three dimensions") {
  wf::host place;
  double const pi = std::numbers::pi;
  auto const of_boxes = [&](std::vector<po::axis> axes, symbol stands, double lambda) {
    po::problem of{axes};
    of.stands = stands;
    of.lambda = lambda;
    return refused(place, of);
  };
  auto const d = [](std::size_t n, double length) { return axis_of(kinds[2], n, length); };
  CHECK(of_boxes({d(9, 1)}, symbol::spectral, -49 * pi * pi) == "of.lambda");
  CHECK(of_boxes({d(9, 1), d(4, 2)}, symbol::spectral, -pi * pi * (4 + 2.25)) == "of.lambda");
  CHECK(of_boxes({d(9, 1), axis_of(kinds[0], 8, 2)}, symbol::spectral, -pi * pi * (81 + 9)) ==
        "of.lambda");
  CHECK(of_boxes({d(3, 1), d(5, 1), d(7, 1)}, symbol::spectral, -pi * pi * (4 + 25 + 1)) ==
        "of.lambda");
  // Of a spacing of 1/4: -16 (2 - sqrt 2), 32, -16 (2 + sqrt 2), and three of them.
  CHECK(of_boxes({d(3, 1)}, symbol::second_order, -32) == "of.lambda");
  CHECK(of_boxes({d(3, 1), d(3, 1)}, symbol::second_order, -64) == "of.lambda");
  CHECK(of_boxes({d(3, 1), d(3, 1), d(3, 1)}, symbol::second_order, -96) == "of.lambda");
  CHECK(of_boxes({d(1, 1)}, symbol::fourth_order, -28. * 4 / 12) == "of.lambda");
}

TEST_CASE("lambda beside an eigenvalue is not one") {
  // make_plan alone, so that no transforms are needed.
  for (double const off : {1e-4, -1e-4})
    for (std::size_t axes : {1, 2, 3}) {
      po::problem of;
      of.axes.assign(axes, axis_of(kinds[2], 3));
      of.stands = symbol::second_order;
      of.lambda = -32. * static_cast<double>(axes) * (1 + off);
      wf::host place;
      CHECK(refused_by([&] { po::solver<float, wf::host>(place, of, engine::course); }) == "twin");
    }
}

TEST_CASE("lengths are refused at which modes would be multiplied by subnormal numbers") {
  wf::host place;
  for (double const length : {1., 1e-12, 1.5e-16}) {
    CAPTURE(length);
    po::problem const of{{axis_of(kinds[0], 128, length), axis_of(kinds[0], 32, length),
                          axis_of(kinds[0], 32, length)}};
    // Refused further on, where they are not.
    auto const refused_as = [&]<class T>(T) {
      return refused_by([&] { po::solver<T, wf::host>(place, of, engine::course); });
    };
    CHECK(refused_as(float{}) == (length < 1e-15 ? "of.axes" : "twin"));
    CHECK(refused_as(double{}) == "twin");
  }
}

TEST_CASE("engines of a gpu are refused on a host") {
  wf::host place;
  for (engine const how :
       {engine::fused, engine::course, engine::course_shared, engine::course_coalesced})
    CHECK(refused(place, box(), how) == "twin");
}

TEST_CASE("which problems have a constant that nothing fixes") {
  for (kind const a : kinds)
    for (kind const b : kinds) {
      po::problem of{{axis_of(a, 4), axis_of(b, 4)}};
      bool const has_value = a.lower == dirichlet || a.upper == dirichlet || b.lower == dirichlet ||
                             b.upper == dirichlet;
      CHECK(po::is_singular(of) == !has_value);
      of.lambda = 1e-3;
      CHECK_FALSE(po::is_singular(of));
    }
}

TEST_CASE("points lie where the grid says") {
  struct row {
    kind of;
    std::vector<double> points;
  };
  // Four points on a length of 60.
  row const rows[] = {{kinds[0], {0, 15, 30, 45}},  {kinds[1], {7.5, 22.5, 37.5, 52.5}},
                      {kinds[2], {12, 24, 36, 48}}, {kinds[3], {7.5, 22.5, 37.5, 52.5}},
                      {kinds[4], {0, 20, 40, 60}},  {kinds[5], {7.5, 22.5, 37.5, 52.5}},
                      {kinds[6], {15, 30, 45, 60}}, {kinds[7], {7.5, 22.5, 37.5, 52.5}},
                      {kinds[8], {0, 15, 30, 45}},  {kinds[9], {7.5, 22.5, 37.5, 52.5}}};
  for (auto const& [of, points] : rows) CHECK(po::points_of(axis_of(of, 4, 60)) == points);
  CHECK(refused_by([] { static_cast<void>(po::points_of({})); }) == "of.points");
  CHECK(refused_by([] { static_cast<void>(po::points_of({4, -1})); }) == "of.length");
}

/// Fields of box(), with boundary values along its first axis, changed by `change`.
template <class Place, class Change>
std::string refused_fields(Place& place, Change change, po::problem of = box()) {
  po::solver<double, Place> solver(place, of);
  question<double> asked{of, std::vector<double>(48 * of.batch, 1)};
  if (of.stands != symbol::spectral) asked.lower[0].assign(8 * of.batch, 1);
  arrays_of<Place, double> arrays(place, asked);
  auto fields = arrays.fields();
  change(fields);
  auto const name = refused_by([&] { solver.solve(fields); });
  for (double const x : arrays.read_back().u) CHECK(std::isnan(x)); // untouched
  CHECK(arrays.rhs() == asked.rhs);
  return name;
}

template <class Place>
void check_fields(Place& place) {
  using fields = po::fields<double, Place>;
  using span = po::span_on<double, Place>;
  auto of = box();
  of.stands = symbol::second_order;
  of.gradient = true;
  of.batch = 2;
  auto const with = [&](auto change) { return refused_fields(place, change, of); };
  auto const null = [](std::size_t size) { return span(static_cast<double*>(nullptr), size); };
  CHECK(with([](fields& all) { all.rhs = all.rhs.subspan(0, 95); }) == "of.rhs");
  CHECK(with([&](fields& all) { all.rhs = null(96); }) == "of.rhs");
  CHECK(with([](fields& all) { all.solution = all.solution.subspan(0, 48); }) == "of.solution");
  CHECK(with([&](fields& all) { all.solution = null(96); }) == "of.solution");
  CHECK(with([](fields& all) { all.removed_mean = all.removed_mean.subspan(0, 1); }) ==
        "of.removed_mean");
  CHECK(with([&](fields& all) { all.removed_mean = null(2); }) == "of.removed_mean");
  CHECK(with([](fields& all) { all.removed_mean = all.solution.subspan(3, 2); }) ==
        "of.removed_mean");
  CHECK(with([](fields& all) { all.gradient[1] = all.gradient[1].subspan(1, 95); }) ==
        "of.gradient[1]");
  CHECK(with([&](fields& all) { all.gradient[0] = null(96); }) == "of.gradient[0]");
  CHECK(with([](fields& all) { all.gradient[1] = all.solution; }) == "of.gradient[1]");
  CHECK(with([](fields& all) { all.gradient[1] = all.gradient[0]; }) == "of.gradient[1]");
  CHECK(with([](fields& all) { all.gradient[2] = all.gradient[0]; }) == "of.gradient[2]");
  CHECK(with([](fields& all) { all.lower[0] = all.lower[0].subspan(0, 15); }) == "of.lower[0]");
  CHECK(with([&](fields& all) { all.upper[0] = null(16); }) == "of.upper[0]");
  CHECK(with([](fields& all) { all.upper[1] = all.lower[0].subspan(0, 12); }) == "of.upper[1]");
  CHECK(with([](fields& all) { all.upper[2] = all.lower[0]; }) == "of.upper[2]");
  CHECK(with([](fields& all) { all.lower[0] = all.solution.subspan(8, 16); }) == "of.solution");
  // Overlapping, and not the same.
  CHECK(with([](fields& all) { all.rhs = span(all.solution.data() + 8, 96); }) == "of.solution");
  of.gradient = false;
  CHECK(with([](fields& all) { all.gradient[0] = all.solution; }) == "of.gradient[0]");
  of.stands = symbol::spectral;
  CHECK(with([](fields& all) { all.lower[0] = span(all.solution.data(), 16); }) == "of.lower[0]");
}

TEST_SUITE("fftw") {
  TEST_CASE("arrays that do not fit are refused by their names, and nothing is touched") {
    wf::host place;
    check_fields(place);
  }

  TEST_CASE("what a solver says of itself, wherever it is moved") {
    wf::host place;
    auto of = box();
    of.lambda = 3;
    of.batch = 2;
    po::solver<float, wf::host> first(place, of), other(place, box());
    other = std::move(first);
    po::solver<float, wf::host> const solver = std::move(other);
    CHECK(solver.problem().lambda == 3);
    CHECK(solver.problem().axes.size() == 2);
    CHECK(solver.chosen() == "FFTW");
    CHECK(solver.size() == 48);
    CHECK(solver.workspace_size() == 0);
  }

  TEST_CASE("what is not asked for is left out") {
    wf::host place;
    auto of = box();
    of.gradient = true;
    po::solver<double, wf::host> solver(place, of);
    std::vector<double> rhs(48, 1), solution(48), slope(48);
    solver.solve({rhs, solution});
    auto const expected = solution;
    po::fields<double, wf::host> all{rhs, solution};
    all.gradient[1] = slope; // along which nothing changes
    solver.solve(all);
    CHECK(solution == expected);
    CHECK(largest_error(slope, std::vector<double>(48)) <= 1e-14);
  }
}

TEST_CASE("a library without FFTW says so") {
  wf::host place;
#ifdef WARPFOLD_WITHOUT_FFTW
  CHECK(refused(place, box()) == "place");
  CHECK(refused(place, box(), engine::vendor) == "twin");
#else
  CHECK(po::solver<double, wf::host>(place, box()).chosen() == "FFTW");
#endif
}

#ifndef WARPFOLD_WITHOUT_CUFFT
TEST_CASE("errors of cuFFT are named") {
  po::check_vendor(CUFFT_SUCCESS);
  try {
    po::check_vendor(CUFFT_INTERNAL_ERROR);
    FAIL("nothing was thrown");
  } catch (wf::vendor_error const& error) {
    CHECK(error.status() == CUFFT_INTERNAL_ERROR);
    CHECK(contains(error.what(), "CUFFT_INTERNAL_ERROR"));
    CHECK(contains(error.what(), "poisson_arguments_test.cpp"));
  }
}
#endif

TEST_SUITE("gpu") {
  TEST_CASE("problems and arrays are refused on a GPU") {
    wf::gpu place;
    check_problems(place);
    check_fields(place);
  }

#ifndef WARPFOLD_WITHOUT_CUFFT
  TEST_CASE("the course is refused where it solves nothing") {
    wf::gpu place;
    for (engine const how : {engine::course, engine::course_shared, engine::course_coalesced}) {
      po::problem of{{axis_of(kinds[0], 8), axis_of(kinds[0], 8)}};
      CHECK(refused(place, of, how) == "twin"); // no first point
      of.fixed_by = po::gauge::first_point;
      CHECK(refused(place, of, how) == "(nothing)");
      auto changed = of;
      changed.stands = symbol::second_order;
      CHECK(refused(place, changed, how) == "twin");
      changed = of;
      changed.axes.pop_back();
      CHECK(refused(place, changed, how) == "twin");
      changed = of;
      changed.axes[1] = axis_of(kinds[4], 8);
      CHECK(refused(place, changed, how) == "twin");
      changed = of;
      changed.gradient = true;
      CHECK(refused(place, changed, how) == "twin");
    }
  }

#endif

  TEST_CASE("twins::engine::fused is refused where it is not compiled") {
    wf::gpu place;
    po::problem const of{{axis_of(kinds[0], 1009), axis_of(kinds[0], 1013)}};
    CHECK_FALSE(po::can_fuse<float>(place, of));
    CHECK(refused(place, of, engine::fused) == "twin");
#ifdef WARPFOLD_WITHOUT_CUFFT
    CHECK(refused(place, of) == "of");
    CHECK(refused(place, of, engine::vendor) == "twin");
#else
    CHECK(po::solver<float, wf::gpu>(place, of).chosen() == "cuFFT");
#endif
  }

#ifdef WARPFOLD_WITHOUT_CUFFT
  TEST_CASE("without cuFFT fused kernels take what they can") {
    wf::gpu place;
    po::problem const of{{axis_of(kinds[0], 60), axis_of(kinds[0], 60)}};
    if (po::can_fuse<float>(place, of))
      CHECK(po::solver<float, wf::gpu>(place, of).chosen() == "fused");
  }
#endif
}

} // namespace
