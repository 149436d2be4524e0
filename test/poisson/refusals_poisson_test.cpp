// Refusals of Poisson's solvers: the argument is named, and nothing is written.

#include "poisson.hpp"
#include "refusals.hpp"
#include "refused_fields.hpp"
#include "strided.hpp"

#include <warpfold/interop/fields.hpp>

namespace refusals_poisson_test {

using namespace test;
namespace wf = warpfold;

po::problem const box{{axis_of(axis_kinds[2], 6), axis_of(axis_kinds[0], 8)}};
double const infinity = std::numeric_limits<double>::infinity();
double const bad_numbers[] = {std::nan(""), infinity, -infinity};

/// A row of both types' solvers: box, changed, or a problem of its own.
template <class Place>
void refuses(refusals<Place>& all, char const* argument, po::problem const& of,
             engine how = engine::automatic) {
  all.of("poisson.hpp");
  all.row("solver::solver", argument, [&] { po::solver<double, Place>(all.place(), of, how); });
  all.row("solver::solver", argument, [&] { po::solver<float, Place>(all.place(), of, how); });
}
template <class Place, class Change>
requires std::invocable<Change, po::problem&>
void refuses(refusals<Place>& all, char const* argument, Change change) {
  auto of = box;
  change(of);
  refuses(all, argument, of);
}

EVERY_PLACE("problems that are none are refused by the argument's name") {
  refusals<Place> all(place);
  constexpr struct {
    char const* argument;
    void (*change)(po::problem& of);
  } rows[] = {
      {"problem.axes", [](auto& of) { of.axes.clear(); }},
      {"problem.axes", [](auto& of) { of.axes.resize(4, of.axes[0]); }},
      {"problem.axes[0].points", [](auto& of) { of.axes[0].points = 0; }},
      {"problem.axes[1].points", [](auto& of) { of.axes[1].points = std::size_t{1} << 62; }},
      {"problem.axes[1].points",
       [](auto& of) {
         of.axes[1] = {1, 1, neumann, neumann, grid::nodes};
       }},
      {"problem.axes[1].upper", [](auto& of) { of.axes[1].upper = neumann; }},
      {"problem.axes[0].lower", [](auto& of) { of.axes[0].upper = periodic; }},
      {"problem.axes[0].lower", [](auto& of) { of.axes[0].lower = boundary{3}; }},
      {"problem.axes[0].upper", [](auto& of) { of.axes[0].upper = boundary{7}; }},
      {"problem.axes[0].grid", [](auto& of) { of.axes[0].grid = grid{2}; }},
      {"problem.axes[1].length", [](auto& of) { of.axes[1].length = 1e-200; }},
      {"problem.axes[1].length", [](auto& of) { of.axes[1].length = 1e200; }},
      {"problem.symbol", [](auto& of) { of.symbol = symbol{3}; }},
      {"problem.gauge", [](auto& of) { of.gauge = po::gauge{2}; }},
      {"problem.gauge", [](auto& of) { of.gauge = po::gauge::first_point; }},
      {"problem.precision", [](auto& of) { of.precision = po::precision{2}; }},
      {"problem.batch", [](auto& of) { of.batch = 0; }},
      {"problem.batch", [](auto& of) { of.batch = std::size_t{1} << 60; }},
      // Times the points: a small number.
      {"problem.batch", [](auto& of) { of.batch = ~std::size_t{0} / 48 + 1; }},
      {"problem.axes[1].points",
       [](auto& of) { of.axes[0].points = of.axes[1].points = std::size_t{1} << 32; }}};
  for (auto const& [argument, change] : rows) refuses(all, argument, change);
  for (double const length : {0., -1., bad_numbers[0], bad_numbers[1], bad_numbers[2]})
    for (std::size_t const d : {0, 1})
      refuses(all, d == 0 ? "problem.axes[0].length" : "problem.axes[1].length",
              [=](auto& of) { of.axes[d].length = length; });
  for (double const lambda : bad_numbers)
    refuses(all, "problem.lambda", [=](auto& of) { of.lambda = lambda; });
  // A divisor that is too large, and one over which the transforms' scale is too small.
  // And numbers that have lost digits.
  for (double const lambda : {1e308, -1e308, 1.7e308, 1e-310, -1e-310})
    refuses(all, "problem.lambda", [=](auto& of) { of.lambda = lambda; });
  refuses(all, "twin", box, engine{6});
}

/// Memory that could be asked for, but that no host has; and arguments of functions.
template <class Place>
void check_problems(refusals<Place>& all) {
  all.of("poisson.hpp");
  for (int const power : {44, 50, 56}) {
    refuses(all, "problem.axes[0].points",
            [=](auto& of) { of.axes[0].points = std::size_t{1} << power; });
    if constexpr (std::same_as<Place, wf::host>)
      refuses(all, "problem.batch", [=](auto& of) { of.batch = std::size_t{1} << (power - 6); });
  }
  for (auto const by : {engine::course, static_cast<engine>(99)}) refuses(all, "twin", box, by);
  if constexpr (std::same_as<Place, wf::gpu>)
    all.row("can_fuse", "problem.axes",
            [&] { static_cast<void>(po::can_fuse<float>(all.place(), {})); });
  auto const coordinates = [&](char const* argument, po::axis const& of) {
    all.row("coordinates", argument, [=] { static_cast<void>(po::coordinates(of)); });
  };
  for (std::size_t const size : {std::size_t{0}, std::size_t{1} << 44, std::size_t{1} << 50,
                                 std::size_t{1} << 60, ~std::size_t{0}})
    coordinates("axis.points", {size});
  for (double const bad : {-1., bad_numbers[0], bad_numbers[1], bad_numbers[2]})
    coordinates("axis.length", {4, bad});
}

/// Rows of both verbs of a solver, of the fields after a change.
template <class T, class Place, class Change>
void refuses_fields(refusals<Place>& all, po::solver<T, Place>& solver, char const* argument,
                    po::fields<T, Place> fields, Change change) {
  change(fields);
  all.row("solver::solve", argument, [&] { solver.solve(fields); });
  all.row("solver::solve_async", argument, [&] { solver.solve_async(fields); });
}

/// Two right-hand sides with derivatives, and values at the ends of the first axis.
template <class Place>
void check_full_fields(refusals<Place>& all) {
  using fields = po::fields<double, Place>;
  using span = po::span_on<double, Place>;
  all.of("poisson.hpp");
  auto of = box;
  of.symbol = symbol::second_order;
  of.gradient = true;
  of.batch = 2;
  po::solver<double, Place> full(all.place(), of);
  auto const memory = [&](std::size_t size) { return all.template memory<double>(size); };
  fields const good{.rhs = memory(96),
                    .solution = memory(96),
                    .gradient = {memory(96), memory(96)},
                    .lower = {memory(16)},
                    .removed_mean = memory(2)};
  static constexpr auto null = [](std::size_t size) {
    return span(static_cast<double*>(nullptr), size);
  };
  constexpr struct {
    char const* argument;
    void (*change)(fields& all);
  } rows[] = {
      {"fields.rhs", [](fields& f) { f.rhs = f.rhs.subspan(0, 95); }},
      {"fields.rhs", [](fields& f) { f.rhs = null(96); }},
      {"fields.solution", [](fields& f) { f.solution = f.solution.subspan(0, 48); }},
      {"fields.solution", [](fields& f) { f.solution = null(96); }},
      {"fields.removed_mean", [](fields& f) { f.removed_mean = f.removed_mean.subspan(0, 1); }},
      {"fields.removed_mean", [](fields& f) { f.removed_mean = null(2); }},
      {"fields.removed_mean", [](fields& f) { f.removed_mean = f.solution.subspan(3, 2); }},
      {"fields.gradient[1]", [](fields& f) { f.gradient[1] = f.gradient[1].subspan(1, 95); }},
      {"fields.gradient[0]", [](fields& f) { f.gradient[0] = null(96); }},
      {"fields.gradient[1]", [](fields& f) { f.gradient[1] = f.solution; }},
      {"fields.gradient[1]", [](fields& f) { f.gradient[1] = f.gradient[0]; }},
      {"fields.gradient[2]", [](fields& f) { f.gradient[2] = f.gradient[0]; }},
      {"fields.lower[0]", [](fields& f) { f.lower[0] = f.lower[0].subspan(0, 15); }},
      {"fields.upper[0]", [](fields& f) { f.upper[0] = null(16); }},
      {"fields.upper[1]", [](fields& f) { f.upper[1] = f.lower[0].subspan(0, 12); }},
      {"fields.upper[2]", [](fields& f) { f.upper[2] = f.lower[0]; }},
      {"fields.solution", [](fields& f) { f.lower[0] = f.solution.subspan(8, 16); }},
      // Overlapping, and not the same.
      {"fields.solution", [](fields& f) { f.rhs = span(f.solution.data() + 8, 96); }}};
  for (auto const& [argument, change] : rows) refuses_fields(all, full, argument, good, change);
  auto const as_it_is = [](fields&) {};
  of.gradient = false;
  po::solver<double, Place> plain(all.place(), of);
  refuses_fields(all, plain, "fields.gradient[0]", good, as_it_is);
  of.symbol = symbol::spectral;
  po::solver<double, Place> spectral(all.place(), of);
  refuses_fields(all, spectral, "fields.lower[0]", good, as_it_is);
}

template <class Place>
void check_solves(refusals<Place>& all) {
  all.of("poisson.hpp");
  po::solver<double, Place> solver(all.place(), box);
  po::fields<double, Place> const good{all.template memory<double>(48),
                                       all.template memory<double>(48)};
  check_refused_fields<Place, double>([&](char const* argument, auto change) {
    refuses_fields(all, solver, argument, good, change);
  });
}

TEST_CASE("what makes no solver") {
  wf::host place;
  refusals<wf::host> all(place);
  check_problems(all);
}

TEST_CASE("on a host an axis is refused whose parts int does not count") {
  wf::host place;
  refusals<wf::host> all(place);
  refuses(all, "problem.axes[1].points",
          [](auto& of) { of.axes[1].points = (std::size_t{1} << 28) + 1; });
}

TEST_CASE("on a host an axis is refused whose tables, or threads' lines, have no room") {
  wf::host place(4096);
  refusals<wf::host> all(place);
  // 4096 threads with 8 GiB each; few points have one thread.
  for (std::size_t const points : {std::size_t{1} << 28, (std::size_t{1} << 28) - 57})
    refuses(all, "problem.axes[0].points", {{axis_of(axis_kinds[0], points)}});
  CHECK_NOTHROW(po::solver<float, wf::host>(place, box));
}

TEST_CASE("an eigenvalue as lambda is refused, in one to three dimensions") {
  wf::host place;
  refusals<wf::host> all(place);
  double const pi = std::numbers::pi;
  auto const d = [](std::size_t n, double length) { return axis_of(axis_kinds[2], n, length); };
  struct {
    std::vector<po::axis> axes;
    symbol stands;
    double lambda;
  } const rows[] = {
      {{d(9, 1)}, symbol::spectral, -49 * pi * pi},
      {{d(9, 1), d(4, 2)}, symbol::spectral, -pi * pi * (4 + 2.25)},
      {{d(9, 1), axis_of(axis_kinds[0], 8, 2)}, symbol::spectral, -pi * pi * (81 + 9)},
      {{d(3, 1), d(5, 1), d(7, 1)}, symbol::spectral, -pi * pi * (4 + 25 + 1)},
      // With a spacing of 1/4: -16 (2 - sqrt 2), 32, -16 (2 + sqrt 2), and three of them.
      {{d(3, 1)}, symbol::second_order, -32},
      {{d(3, 1), d(3, 1)}, symbol::second_order, -64},
      {{d(3, 1), d(3, 1), d(3, 1)}, symbol::second_order, -96},
      {{d(1, 1)}, symbol::fourth_order, -28. * 4 / 12}};
  for (auto const& [axes, stands, lambda] : rows)
    refuses(all, "problem.lambda", {.axes = axes, .lambda = lambda, .symbol = stands});
}

TEST_CASE("lambda beside an eigenvalue is not one") {
  // make_plan alone, so that no transforms are needed: the twin is refused after it.
  wf::host place;
  for (double const off : {1e-4, -1e-4})
    for (std::size_t axes : {1, 2, 3}) {
      po::problem of;
      of.axes.assign(axes, axis_of(axis_kinds[2], 3));
      of.symbol = symbol::second_order;
      of.lambda = -32. * static_cast<double>(axes) * (1 + off);
      CHECK(refused_by([&] { po::solver<float, wf::host>(place, of, engine::course); }) == "twin");
    }
}

TEST_CASE("lengths are refused at which modes would be multiplied by subnormal numbers") {
  wf::host place;
  for (double const length : {1., 1e-12, 1.5e-16}) {
    CAPTURE(length);
    po::problem const of{{axis_of(axis_kinds[0], 128, length), axis_of(axis_kinds[0], 32, length),
                          axis_of(axis_kinds[0], 32, length)}};
    auto const refused_as = [&]<class T>(T) {
      return refused_by([&] { po::solver<T, wf::host>(place, of, engine::course); });
    };
    CHECK(refused_as(float{}) == (length < 1e-15 ? "problem.axes" : "twin"));
    CHECK(refused_as(double{}) == "twin");
  }
}

TEST_CASE("engines of a gpu are refused on a host") {
  wf::host place;
  refusals<wf::host> all(place);
  for (engine const how : {engine::course, engine::course_shared, engine::course_coalesced})
    refuses(all, "twin", box, how);
}

TEST_CASE("twins without FFTW say so") {
  wf::host place;
#ifdef WARPFOLD_WITHOUT_FFTW
  refusals<wf::host> all(place);
  refuses(all, "twin", box, engine::vendor);
#else
  CHECK(po::solver<double, wf::host>(place, box, engine::vendor).engine_name() == "FFTW");
#endif
}

TEST_CASE("what no mdspan of fields can be") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("interop/fields.hpp");
  std::vector<double> f(48), u(48);
  strided<double, 2> const rhs{f.data(), {6, 8}, {8, 1}};
  all.row("make_fields", "rhs", [&] {
    static_cast<void>(
        po::make_fields(place, box, strided<double, 2>{f.data(), {8, 6}, {6, 1}}, rhs));
  });
  all.row("make_face", "values", [&] {
    static_cast<void>(po::make_face(place, box, 0, strided<double, 1>{f.data(), {7}, {1}}));
  });
  all.row("make_face", "axis", [&] {
    static_cast<void>(po::make_face(place, box, 2, strided<double, 1>{f.data(), {7}, {1}}));
  });
}

EVERY_PLACE("arrays that do not fit are refused by their names, and nothing is touched") {
  refusals<Place> all(place);
  check_full_fields(all);
}

TEST_CASE("what solvers on the host refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  check_solves(all);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: what solvers on a gpu refuse") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    check_problems(all);
    check_solves(all);
  }

  TEST_CASE("twins::engine::fused is refused where it is not compiled") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    po::problem const of{{axis_of(axis_kinds[0], 4), axis_of(axis_kinds[0], 20'011)}};
    CHECK_FALSE(po::can_fuse<float>(place, of));
    refuses(all, "twin", of, engine::fused);
#ifdef WARPFOLD_WITHOUT_CUFFT
    refuses(all, "problem", of);
    refuses(all, "twin", of, engine::vendor);
#else
    CHECK(po::solver<float, wf::gpu>(place, of).engine_name() == "cuFFT");
#endif
  }

#ifndef WARPFOLD_WITHOUT_CUFFT
  TEST_CASE("the course is refused where it solves nothing") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    for (engine const how : {engine::course, engine::course_shared, engine::course_coalesced}) {
      po::problem of{{axis_of(axis_kinds[0], 8), axis_of(axis_kinds[0], 8)}};
      refuses(all, "twin", of, how); // no first point
      of.gauge = po::gauge::first_point;
      CHECK(refused_by([&] { po::solver<float, wf::gpu>(place, of, how); }) == "(nothing)");
      CHECK(refused_by([&] { po::solver<double, wf::gpu>(place, of, how); }) == "(nothing)");
      auto const with = [&](auto change) {
        auto changed = of;
        change(changed);
        refuses(all, "twin", changed, how);
      };
      with([](auto& changed) { changed.symbol = symbol::second_order; });
      with([](auto& changed) { changed.axes.pop_back(); });
      with([](auto& changed) { changed.axes[1] = axis_of(axis_kinds[4], 8); });
      with([](auto& changed) { changed.gradient = true; });
    }
  }

  TEST_CASE("what a solver without a workspace of its own refuses, and one in a capture") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    all.of("poisson.hpp");
    auto const rhs = all.memory<double>(48), solution = all.memory<double>(48);
    po::solver<double, wf::gpu> own(place, box),
        solver(place, box, engine::vendor, {.own_workspace = false});
    std::size_t const size = solver.workspace_size();
    REQUIRE(size > 0);
    wf::device_buffer<std::byte> room(place, size + 256);
    all.row("solver::solve", "memory", [&] { solver.solve({rhs, solution}); });
    auto const refuses_memory = [&](auto& by, wf::device_span<std::byte> memory) {
      all.row("solver::set_workspace", "memory", [&] { by.set_workspace(memory); });
    };
    refuses_memory(own, room.span());
    refuses_memory(solver, room.span().subspan(0, size - 1));
    refuses_memory(solver, room.span().subspan(1, size));
    refuses_memory(solver, {static_cast<std::byte*>(nullptr), size});
    all.row("solver::solve_async", "memory", [&] { solver.solve_async({rhs, solution}); });
    cannot_be_captured(all, "solver::solve", [&] { own.solve({rhs, solution}); });
    solver.set_workspace(room.span().subspan(0, size));
    // The workspace is no place for fields.
    wf::device_span<double> const inside(reinterpret_cast<double*>(room.data()), size / 8);
    if (size >= 48 * sizeof(double))
      CHECK(refused_by([&] { solver.solve({rhs, inside.subspan(0, 48)}); }) != "(nothing)");
  }
#endif
}

} // namespace refusals_poisson_test
