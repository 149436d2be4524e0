// Lambda as an argument of a solve, and by right-hand side, however the problem was planned.

#include "poisson_modes.hpp"
#include "refusals.hpp"

namespace poisson_lambda_test {

using namespace test;
namespace wf = warpfold;

/// Boxes for every family of engines, three right-hand sides each.
std::vector<po::problem> boxes() {
  auto const p = axis_kinds[0], cells = axis_kinds[5], ends = axis_kinds[4], mixed = axis_kinds[8];
  std::vector<po::problem> all{
      {{axis_of(p, 128, 1.5), axis_of(p, 64, .75)}},                          // squares
      {{axis_of(p, 64), axis_of(p, 64, 2), axis_of(p, 128)}},                 // cubes
      {{axis_of(cells, 64), axis_of(axis_kinds[3], 128)}},                    // units: types 2
      {{axis_of(ends, 65), axis_of(cells, 64, 2)}},                           // types 1 and 2
      {{axis_of(axis_kinds[2], 63), axis_of(mixed, 128)}},                    // types 1 and 3
      {{axis_of(mixed, 64), axis_of(axis_kinds[7], 64)}},                     // types 3 and 4
      {{axis_of(cells, 60), axis_of(ends, 43)}},                              // lines
      {{axis_of(p, 12), axis_of(axis_kinds[1], 20), axis_of(cells, 15)}},     // lines of three axes
      {{axis_of(mixed, 9), axis_of(axis_kinds[2], 20), axis_of(p, 16, 1.5)}}, // not singular
      {{axis_of(p, 131), axis_of(p, 37)}},                                    // long factors
      {{axis_of(cells, 131), axis_of(ends, 19)}},
      {{axis_of(p, 1009)}},
      {{axis_of(cells, 420)}},
      {{axis_of(p, 1)}},
      {{axis_of(p, 256)}}, // single axes in one pass
      {{axis_of(cells, 1024)}},
      {{axis_of(axis_kinds[3], 128)}},
      {{axis_of(ends, 129)}},
      {{axis_of(axis_kinds[2], 127)}},
      {{axis_of(mixed, 256)}},
      {{axis_of(axis_kinds[7], 128)}}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].symbol = symbol{static_cast<std::uint8_t>(i % 3)};
    all[i].batch = 3;
    all[i].gradient = i % 4 == 3;
  }
  return all;
}

/// Not of a Dirichlet problem's modes, nor of a periodic one's.
constexpr double lambdas[] = {1.5, 0, 250, -3.7};

bool is_open(po::problem of) {
  of.lambda = 0;
  return po::is_singular(of);
}

/// A solve with one lambda, or with one for each right-hand side.
template <class T, class Place>
answer<T> solve_by(Place& place, po::solver<T, Place>& solver, question<T> const& asked,
                   double lambda, std::vector<T> const& each = {}) {
  arrays_of<Place, T> arrays(place, asked);
  auto fields = arrays.fields();
  if (each.empty()) {
    solver.solve(fields, lambda);
    return arrays.read_back();
  }
  memory_of<Place, T> memory(place, each);
  fields.lambda = memory.all();
  solver.solve(fields);
  return arrays.read_back();
}

/// Solves by an engine planned with one lambda for others, against solvers planned with those.
template <class T, class Place>
void check_engine(Place& place, po::problem of, engine how, unsigned seed) {
  question<T> asked{of, rough_values<T>(size_of(of) * of.batch, seed)};
  std::vector<answer<T>> expected;
  for (double const lambda : lambdas) {
    asked.of.lambda = lambda;
    expected.push_back(solve(place, asked, how));
  }
  for (double const planned : {0., 7.25}) {
    CAPTURE(planned);
    asked.of.lambda = planned;
    po::solver<T, Place> solver(place, asked.of, how);
    for (std::size_t i = 0; i < std::size(lambdas); ++i) {
      CAPTURE(lambdas[i]);
      auto const got = solve_by(place, solver, asked, lambdas[i]);
      check_equal(got, expected[i]);
      for (T const mean : got.removed) CHECK((mean == 0 || (is_open(of) && lambdas[i] == 0)));
      check_equal(solve_by(place, solver, asked, 0, std::vector<T>(3, static_cast<T>(lambdas[i]))),
                  expected[i]);
    }
    // Each right-hand side with another one: the bits of a solve of all with it, but for rounding
    // errors where cuFFT transforms two right-hand sides together (lines of an odd length).
    bool const shares_lines = solver.engine_name() == "cuFFT" && of.axes.size() == 1;
    auto const got = solve_by(
        place, solver, asked, 0,
        {static_cast<T>(lambdas[2]), static_cast<T>(lambdas[1]), static_cast<T>(lambdas[3])});
    for (std::size_t b = 0; b < 3; ++b) {
      auto const& alone = expected[b == 0 ? 2 : b == 1 ? 1 : 3];
      auto const u = part_of_batch(got.u, b, 3), wanted = part_of_batch(alone.u, b, 3);
      if (shares_lines) CHECK(rms_error(u, wanted) <= 1e-5 * rms(wanted));
      else CHECK(same_elements(u, wanted));
      CHECK(same_elements(part_of_batch(got.removed, b, 3), part_of_batch(alone.removed, b, 3)));
    }
    CHECK((got.removed[0] == 0 && got.removed[2] == 0));
    // The planned one holds again.
    arrays_of<Place, T> arrays(place, asked);
    solver.solve(arrays.fields());
    check_equal(arrays.read_back(), solve(place, asked, how));
  }
}

/// u of a mode along every axis, in long double, with a constant beside it that lambda divides,
/// too.
template <class T, class Place>
void check_modes(Place& place, po::problem of, engine how) {
  std::vector<mode> modes;
  real divisor = 0;
  for (auto const& along : of.axes) {
    auto const all = modes_of(along);
    modes.push_back(all[std::min<std::size_t>(1, all.size() - 1)]);
    divisor += modes.back().eigenvalue(of.symbol, spacing_of(along));
  }
  auto const product = sampled(of.axes, [&](auto const& x) {
    real value = 1;
    for (std::size_t d = 0; d < modes.size(); ++d) value *= modes[d].at(x[d]);
    return value;
  });
  real const constant = is_open(of) ? .75L : 0;
  std::vector<real> rhs, wanted;
  std::vector<T> each;
  for (double const lambda : {2.5, 40., -1.3}) {
    each.push_back(static_cast<T>(lambda));
    for (real const value : product) {
      rhs.push_back(value + constant);
      wanted.push_back(value / (divisor - static_cast<real>(each.back())) -
                       constant / static_cast<real>(each.back()));
    }
  }
  question<T> const asked{of, rounded<T>(rhs)};
  po::solver<T, Place> solver(place, of, how);
  real const rounding = 100 * std::numeric_limits<T>::epsilon();
  // Rounding of the eigenvalues and of lambda, near which one of them may be.
  CHECK(rms_error(solve_by(place, solver, asked, 0, each).u, wanted) <=
        rounding * (rms(wanted) + rms(rhs)));
}

EVERY_PLACE_OF("a solve's lambda is that of a solver planned with it", T, float, double) {
  unsigned seed = 41;
  for (auto const& of : boxes())
    for (engine const how : engines_for<T>(place, of)) {
      CAPTURE(name_of(of));
      CAPTURE(to_string(how));
      CAPTURE(++seed);
      check_engine<T>(place, of, how, seed);
      check_modes<T>(place, of, how);
    }
}

FAST_EVERY_PLACE("lambda by right-hand side, in one box of each kind") {
  for (auto const& of : {boxes()[0], boxes()[3], boxes()[6]})
    for (engine const how : engines_for<float>(place, of)) {
      CAPTURE(name_of(of));
      CAPTURE(to_string(how));
      check_modes<float>(place, of, how);
    }
}

/// With the first point fixed, a solve with 0 is as planned.
EVERY_PLACE("0 is a lambda with any gauge") {
  po::problem of = boxes()[0];
  of.gauge = po::gauge::first_point;
  for (engine const how : engines_for<double>(place, of)) {
    question<double> const asked{of, rough_values<double>(3 * size_of(of), 3)};
    po::solver<double, Place> solver(place, of, how);
    auto const expected = solve(place, asked, how);
    check_equal(solve_by(place, solver, asked, 0), expected);
    check_equal(solve_by(place, solver, asked, 0, {0, 0, 0}), expected);
  }
}

EVERY_PLACE("lambdas that no solve has are refused") {
  refusals<Place> all(place);
  all.of("poisson.hpp");
  auto const check = [&]<class T>(T, po::problem const& of, char const* argument, double lambda,
                                  auto change) {
    po::solver<T, Place> solver(place, of);
    std::size_t const size = size_of(of) * of.batch;
    po::fields<T, Place> fields{.rhs = all.template memory<T>(size),
                                .solution = all.template memory<T>(size)};
    change(fields);
    all.row("solver::solve", argument, [&] { solver.solve(fields, lambda); });
    all.row("solver::solve_async", argument, [&] { solver.solve_async(fields, lambda); });
  };
  auto const as_it_is = [](auto&) {};
  double const infinity = std::numeric_limits<double>::infinity();
  po::problem box{{axis_of(axis_kinds[2], 3), axis_of(axis_kinds[0], 4, 2)}};
  for (double const bad : {std::nan(""), infinity, -infinity, 1e308, 1e-300, 1e35, -1e-33}) {
    check(float{}, box, "lambda", bad, as_it_is);
    check(double{}, box, "lambda", bad, as_it_is);
  }
  // -16 (2 - sqrt 2), -32, -16 (2 + sqrt 2) with -0, -8, -16.
  box.symbol = symbol::second_order;
  for (double const eigenvalue : {-32., -40., -48.}) {
    check(float{}, box, "lambda", eigenvalue, as_it_is);
    check(double{}, box, "lambda", eigenvalue, as_it_is);
  }
  po::problem open{{axis_of(axis_kinds[0], 8)}};
  open.gauge = po::gauge::first_point;
  check(double{}, open, "lambda", 1.5, as_it_is);
  box.batch = 2;
  using span = po::span_on<double, Place>;
  span const two = all.template memory<double>(2);
  check(double{}, box, "lambda", 2, [&](auto& fields) { fields.lambda = two; });

  po::solver<double, Place> solver(place, box);
  po::fields<double, Place> const good{.rhs = all.template memory<double>(24),
                                       .solution = all.template memory<double>(24)};
  auto const refuses = [&](char const* argument, span lambda) {
    auto fields = good;
    fields.lambda = lambda;
    all.row("solver::solve", argument, [&] { solver.solve(fields); });
    all.row("solver::solve_async", argument, [&] { solver.solve_async(fields); });
  };
  for (auto const bad : refusals<Place>::template nowhere<double>(2)) refuses("fields.lambda", bad);
  for (std::size_t const size : impossible) refuses("fields.lambda", {two.data(), size});
  refuses("fields.lambda", two.subspan(0, 1));
  refuses("fields.solution", good.solution.subspan(3, 2));
}

#ifndef WARPFOLD_WITHOUT_CUFFT
TEST_SUITE("gpu") {
  TEST_CASE("the course has no lambda by right-hand side") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    all.of("poisson.hpp");
    po::problem of{{axis_of(axis_kinds[0], 64), axis_of(axis_kinds[0], 64)}};
    of.gauge = po::gauge::first_point;
    po::solver<float, wf::gpu> solver(place, of, engine::course);
    auto const rhs = all.memory<float>(64 * 64), solution = all.memory<float>(64 * 64);
    po::fields<float, wf::gpu> fields{.rhs = rhs, .solution = solution};
    fields.lambda = all.memory<float>(1);
    all.row("solver::solve", "fields.lambda", [&] { solver.solve(fields); });
  }
}
#endif

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: a captured solve reads lambda anew", T, float, double) {
    wf::gpu place;
    for (auto of : {boxes()[0], boxes()[3], boxes()[6], boxes()[9]}) {
      of.gradient = false;
      for (engine const how : engines_for<T>(place, of)) {
        CAPTURE(name_of(of));
        CAPTURE(to_string(how));
        question<T> const asked{of, rough_values<T>(3 * size_of(of), 5)};
        po::solver<T, wf::gpu> solver(place, of, how);
        arrays_of<wf::gpu, T> arrays(place, asked);
        wf::device_buffer<T> each(place, 3);
        auto fields = arrays.fields();
        fields.lambda = each.span();
        captured graph(place, [&] { solver.solve_async(fields); });
        for (T const lambda : {T(1.5), T(0), T(40)}) {
          std::vector<T> const now{lambda, T(2) * lambda, T(3)};
          wf::copy(place, now, each.span());
          graph.launch();
          auto const replayed = arrays.read_back();
          check_equal(replayed, solve_by(place, solver, asked, 0, now));
        }
      }
    }
  }
}

} // namespace poisson_lambda_test
