// Transforms in float for fields of double: a float solver's bits, and errors beside those in
// double.

#include "poisson/plan.hpp"
#include "poisson_stencil.hpp"

namespace poisson_precision_test {

using namespace test;
namespace wf = warpfold;
using po::precision;

/// Relative errors (rms) beside solutions in double, of noise, are up to 6e-7 on the host.
constexpr real largest_part = 1e-6L;

/// Each kind of axis in boxes of one to three axes, and boxes for every family of engines.
std::vector<po::problem> boxes() {
  std::vector<po::problem> all;
  for (std::size_t i = 0; i < std::size(axis_kinds); ++i) {
    axis_kind const one = axis_kinds[i], other = axis_kinds[(3 * i + 1) % std::size(axis_kinds)];
    all.push_back({{axis_of(one, 420, 1.5)}});
    all.push_back({{axis_of(one, 36), axis_of(other, 50, 2)}});
    all.push_back({{axis_of(other, 64), axis_of(one, 128)}});
    all.push_back({{axis_of(one, 9), axis_of(other, 20), axis_of(one, 16, 1.5)}});
  }
  all.push_back({{axis_of(axis_kinds[0], 128, 1.5), axis_of(axis_kinds[0], 64, .75)}}); // squares
  all.push_back({{axis_of(axis_kinds[0], 64), axis_of(axis_kinds[0], 64),
                  axis_of(axis_kinds[0], 64)}});                              // cubes
  all.push_back({{axis_of(axis_kinds[4], 65), axis_of(axis_kinds[2], 127)}}); // units
  all.push_back({{axis_of(axis_kinds[0], 131), axis_of(axis_kinds[5], 37)}}); // long factors
  all.push_back({{axis_of(axis_kinds[0], 1)}});
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].symbol = symbol{static_cast<std::uint8_t>(i % 3)};
    all[i].lambda = i % 4 == 2 ? 1.5 : 0;
    all[i].batch = 1 + i % 3;
    all[i].gradient = true;
  }
  return all;
}

template <class T, class From>
std::vector<T> converted(std::vector<From> const& values) {
  return {values.begin(), values.end()};
}

question<double> random_question(po::problem const& of, unsigned seed) {
  std::mt19937_64 random{seed};
  return {of, random_values<double>(random, size_of(of) * of.batch)};
}
question<double> in_single(question<double> asked) {
  asked.of.precision = precision::single;
  return asked;
}
/// The right-hand side rounded, for a solver of floats.
question<float> in_floats(question<double> const& asked) {
  return {asked.of, converted<float>(asked.rhs)};
}

/// The bits of a float solver, with derivatives by modes.
void check_bits(answer<double> const& got, answer<float> const& floats, bool is_spectral) {
  CHECK(same_elements(got.u, converted<double>(floats.u)));
  CHECK(same_elements(got.removed, converted<double>(floats.removed)));
  for (std::size_t d = 0; is_spectral && d < 3; ++d)
    CHECK(same_elements(got.gradient[d], converted<double>(floats.gradient[d])));
}
/// The solution's errors are up to `error`.
void check_near(answer<double> const& got, answer<double> const& expected, po::problem const& of,
                real error) {
  CHECK(rms_error(got.u, expected.u) <= error);
  // Derivatives multiply the solution's errors by up to pi / spacing.
  for (std::size_t d = 0; of.gradient && d < of.axes.size(); ++d)
    CHECK(rms_error(got.gradient[d], expected.gradient[d]) <=
          largest_part * rms(expected.gradient[d]) + error / spacing_of(of.axes[d]));
}
void check_near(answer<double> const& got, answer<double> const& expected, po::problem const& of) {
  check_near(got, expected, of, largest_part * rms(expected.u));
}

/// Root mean square of what modes are multiplied by.
real rms_quotient(po::problem const& of) {
  std::vector<double> divisors{-of.lambda};
  for (po::axis_plan const& along : po::make_plan(of).axes) {
    std::vector<double> sums;
    for (double const divisor : divisors)
      for (double const eigenvalue : along.eigenvalues) sums.push_back(divisor + eigenvalue);
    divisors = sums;
  }
  std::vector<real> quotients;
  for (double const divisor : divisors) quotients.push_back(divisor == 0 ? 0 : 1 / real{divisor});
  return rms(quotients);
}
/// What errors of one unit of float in every mode of the right-hand side, into which values at the
/// ends have been brought, leave in the solution u.
real unit_of_solution(question<double> asked, std::vector<double> const& u) {
  asked.lower = asked.upper = {};
  return 0x1p-24L * rms(differences_of(asked, u).f) * rms_quotient(asked.of);
}

FAST_EVERY_PLACE("in single: the bits of a float solver, and near the solution in double") {
  unsigned seed = 1;
  for (po::problem const& of : boxes())
    for (engine const how : engines_for<float>(place, of)) {
      CAPTURE(name_of(of));
      CAPTURE(to_string(how));
      auto const asked = random_question(of, ++seed);
      auto const got = solve(place, in_single(asked), how);
      check_bits(got, solve(place, in_floats(asked), how), of.symbol == symbol::spectral);
      auto const expected = solve(place, asked);
      check_near(got, expected, of);
      CHECK(largest_error(got.removed, expected.removed) <= largest_part * rms(asked.rhs));
      // In place, and 8 bytes off an address that packs of two doubles have.
      check_equal(solve(place, in_single(asked), how, true), got);
      check_equal(solve(place, in_single(asked), how, false, 1), got);
    }
}

EVERY_PLACE("in single with the first point fixed") {
  po::problem of{{axis_of(axis_kinds[0], 64), axis_of(axis_kinds[5], 30, 2)}};
  of.gauge = po::gauge::first_point;
  of.batch = 2;
  for (engine const how : engines_for<float>(place, of)) {
    CAPTURE(to_string(how));
    auto const asked = random_question(of, 31);
    auto const got = solve(place, in_single(asked), how);
    check_bits(got, solve(place, in_floats(asked), how), true);
    check_near(got, solve(place, asked), of);
  }
}

EVERY_PLACE("in single with lambda of a solve, and by right-hand side") {
  po::problem of{{axis_of(axis_kinds[4], 65), axis_of(axis_kinds[0], 48)}};
  of.batch = 3;
  auto const asked = random_question(of, 41);
  for (engine const how : engines_for<float>(place, of)) {
    CAPTURE(to_string(how));
    po::solver<double, Place> solver(place, in_single(asked).of, how), full(place, of);
    po::solver<float, Place> floats(place, of, how);
    arrays_of<Place, double> arrays(place, asked), expected(place, asked);
    arrays_of<Place, float> rounded(place, in_floats(asked));
    for (double const lambda : {1.5, 0.1, -3.7, 0.}) {
      CAPTURE(lambda);
      solver.solve(arrays.fields(), lambda);
      floats.solve(rounded.fields(), lambda);
      full.solve(expected.fields(), lambda);
      check_bits(arrays.read_back(), rounded.read_back(), true);
      check_near(arrays.read_back(), expected.read_back(), of);
    }
    std::vector<double> const each{0.1, 0, 250};
    memory_of<Place, double> lambdas(place, each);
    memory_of<Place, float> rounded_lambdas(place, converted<float>(each));
    auto fields = arrays.fields(), full_fields = expected.fields();
    fields.lambda = full_fields.lambda = lambdas.all();
    auto float_fields = rounded.fields();
    float_fields.lambda = rounded_lambdas.all();
    solver.solve_async(fields);
    floats.solve(float_fields);
    full.solve(full_fields);
    check_bits(arrays.read_back(), rounded.read_back(), true);
    check_near(arrays.read_back(), expected.read_back(), of);
  }
}

EVERY_PLACE("in single with boundary values, which are added in double") {
  real most = 0;
  for (std::size_t i = 2; i < std::size(axis_kinds); ++i)
    for (symbol const stands : {symbol::second_order, symbol::fourth_order})
      for (std::size_t const n : {40, 200}) {
        axis_kind const other = axis_kinds[11 - i];
        po::problem of{{axis_of(axis_kinds[i], n), axis_of(other, n * 4 / 5 + 1, 2)}};
        of.symbol = stands;
        of.gradient = true;
        CAPTURE(name_of(of));
        auto asked = random_question(of, 51);
        for (std::size_t d = 0; d < 2; ++d) {
          asked.lower[d] = rough_values<double>(size_of(of) / of.axes[d].points, 52);
          asked.upper[d] = rough_values<double>(size_of(of) / of.axes[d].points, 53);
        }
        auto const expected = solve(place, asked);
        // On a host errors of 7000 problems were up to 15.1 units, with boundary values 9.5.
        real const unit = unit_of_solution(asked, expected.u);
        for (engine const how : engines_for<float>(place, of)) {
          CAPTURE(to_string(how));
          auto const got = solve(place, in_single(asked), how);
          check_near(got, expected, of, 16 * unit);
          check_equal(solve(place, in_single(asked), how, true), got);
          most = std::max(most, rms_error(got.u, expected.u) / unit);
        }
      }
  MESSAGE("largest error: " << static_cast<double>(most) << " units");
}

/// The residual and its solution, twice: errors of double are what is left.
EVERY_PLACE("corrections by solves in single give the solution in double") {
  for (axis_kind const one : {axis_kinds[0], axis_kinds[2], axis_kinds[5]}) {
    po::problem of{{axis_of(one, 96), axis_of(axis_kinds[6], 120, 2)}};
    of.symbol = symbol::second_order;
    of.lambda = 2;
    auto const asked = in_single(random_question(of, 71));
    auto u = solve(place, asked).u;
    for (int i = 0; i < 2; ++i) {
      auto residual = asked;
      auto const f = differences_of(asked, u).f;
      for (std::size_t k = 0; k < u.size(); ++k)
        residual.rhs[k] = static_cast<double>(asked.rhs[k] - f[k]);
      auto const correction = solve(place, residual).u;
      for (std::size_t k = 0; k < u.size(); ++k) u[k] += correction[k];
    }
    question<double> const full{of, asked.rhs};
    auto const expected = solve(place, full).u;
    CHECK(rms_error(u, expected) <= 1e-13L * rms(expected));
  }
}

EVERY_PLACE("what a solver in single says, and what it has no room for") {
  po::problem of{{axis_of(axis_kinds[2], 63), axis_of(axis_kinds[0], 64)}};
  po::solver<float, Place> const floats(place, of);
  of.precision = precision::single;
  po::solver<double, Place> solver(place, of);
  CHECK(solver.problem().precision == precision::single);
  CHECK(solver.engine_name() == floats.engine_name());
  std::size_t const least = size_of(of) * sizeof(float) + floats.workspace_size();
  if (po::on_gpu<Place>) CHECK(solver.workspace_size() >= least);
  else CHECK(solver.workspace_size() == 0);

  // No effect on floats.
  auto const asked = in_floats(random_question(of, 81));
  question<float> const plain{po::problem{of.axes}, asked.rhs};
  check_equal(solve(place, asked), solve(place, plain));

  // Numbers that double holds, and float does not.
  auto const refused = [&](auto change) {
    auto changed = of;
    change(changed);
    auto const name = refused_by([&] { po::solver<double, Place>(place, changed); });
    changed.precision = precision::full;
    CHECK(refused_by([&] { po::solver<double, Place>(place, changed); }) == "(nothing)");
    return name;
  };
  CHECK(refused([](auto& to) { to.lambda = 1e39; }) == "problem.lambda");
  CHECK(refused([](auto& to) { to.lambda = 1e-39; }) == "problem.lambda");
  CHECK(refused([](auto& to) { to.axes[0].length = 1e-20; }) == "problem.axes[0].length");
  arrays_of<Place, double> arrays(place, random_question(of, 82));
  CHECK(refused_by([&] { solver.solve(arrays.fields(), 1e39); }) == "lambda");
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: a captured solve in single, in a workspace of the caller's") {
    wf::gpu place;
    for (po::problem of : {po::problem{{axis_of(axis_kinds[0], 128), axis_of(axis_kinds[0], 64)}},
                           po::problem{{axis_of(axis_kinds[4], 65), axis_of(axis_kinds[5], 60)}},
                           po::problem{{axis_of(axis_kinds[0], 1009)}}}) {
      of.gradient = true;
      of.batch = 2;
      for (engine const how : engines_for<float>(place, of)) {
        CAPTURE(name_of(of));
        CAPTURE(to_string(how));
        auto const asked = in_single(random_question(of, 91));
        po::solver<double, wf::gpu> solver(place, asked.of, how, {.own_workspace = false});
        wf::device_buffer<std::byte> memory(place, solver.workspace_size());
        solver.set_workspace(memory.span());
        arrays_of<wf::gpu, double> arrays(place, asked);
        captured graph(place, [&] { solver.solve_async(arrays.fields()); });
        for (int i = 0; i < 2; ++i) {
          graph.launch();
          check_equal(arrays.read_back(), solve(place, asked, how));
        }
      }
    }
  }
}

} // namespace poisson_precision_test
