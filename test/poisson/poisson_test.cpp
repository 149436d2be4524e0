// Problems whose solutions are known: from NVIDIA's course, from tables, from formulas.

#include "poisson.hpp"

namespace poisson_test {

using namespace test;
namespace wf = warpfold;

/// `n` points along each axis.
template <class T>
question<T> square(axis_kind of, std::size_t n, double length, symbol stands) {
  question<T> asked;
  asked.of.axes = {axis_of(of, n, length), axis_of(of, n, length)};
  asked.of.symbol = stands;
  return asked;
}

/// `f` of the coordinates as right-hand side.
template <class T, class F>
void set_rhs(question<T>& asked, F f) {
  asked.rhs = rounded<T>(sampled(asked.of.axes, f));
}

/// NVIDIA's course of 2008: MATLAB's figures for 64 x 64 points in double. A Gaussian is not
/// periodic, which is what the error is made of.
template <class T, class Place>
void check_course(Place& place, std::vector<engine> const& methods) {
  constexpr std::size_t n = 64;
  real const variance = 0.01L;
  auto const u = [&](real r2) { return std::exp(-r2 / (2 * variance)); };
  auto const r2_of = [](auto const& x) {
    return (x[0] - 0.5L) * (x[0] - 0.5L) + (x[1] - 0.5L) * (x[1] - 0.5L);
  };
  auto asked = square<T>(axis_kinds[0], n, 1, symbol::spectral);
  asked.of.gauge = po::gauge::first_point;
  set_rhs(asked, [&](auto const& x) {
    return u(r2_of(x)) * (r2_of(x) - 2 * variance) / (variance * variance);
  });
  auto const exact = sampled(asked.of.axes, [&](auto const& x) { return u(r2_of(x)); });
  for (engine const how : methods) {
    CAPTURE(to_string(how));
    auto const got = solve(place, asked, how).u;
    bool const is_double = std::is_same_v<T, double>;
    auto const near = [&](real value, real published, real in_double, real in_float) {
      CHECK(std::abs(value - published) <= (is_double ? in_double : in_float));
    };
    CHECK(std::abs(got[0]) <= std::numeric_limits<T>::epsilon());
    near(got[31 * n + 31], 0.975879L, 5e-7L, 1e-6L);
    near(exact[31 * n + 31], 0.975882L, 5e-7L, 5e-7L);
    near(largest_error(got, exact), 2.404194e-5L, 5e-12L, 1e-6L);
    // The root of the sum of squares over N^2. On the course's GPU in float: 9.436995e-8.
    near(rms_error(got, exact) / n, 9.412790e-8L, 5e-14L, 1e-9L);
  }
}

/// u = exp(sin x + cos y) less its mean, the square of Bessel's I0(1).
template <class Place>
void check_entire(Place& place) {
  struct row {
    std::size_t n;
    real largest, within;
  };
  for (row const& one : {row{8, 7.1e-3L, 5e-5L}, row{16, 4.4e-8L, 5e-10L}, row{32, 0, 1e-14L}}) {
    std::size_t const n = one.n;
    CAPTURE(n);
    auto asked = square<double>(axis_kinds[0], n, 2 * std::numbers::pi, symbol::spectral);
    auto const e = [](auto const& x) { return std::exp(std::sin(x[1]) + std::cos(x[0])); };
    set_rhs(asked, [&](auto const& x) {
      real const s = std::sin(x[1]), c = std::cos(x[1]), sy = std::sin(x[0]), cy = std::cos(x[0]);
      return e(x) * (c * c - s + sy * sy - cy);
    });
    auto const exact =
        sampled(asked.of.axes, [&](auto const& x) { return e(x) - 1.6029228068079628L; });
    for (engine const how : engines_for<double>(place, asked.of)) {
      real const error = largest_error(solve(place, asked, how).u, exact);
      CHECK(std::abs(error - one.largest) <= one.within);
    }
  }
}

/// -Laplacian(u) = 1 on the unit square, u = 0 around it: the five points' values at the centre.
template <class T, class Place>
void check_torsion(Place& place) {
  constexpr struct {
    std::size_t n;
    double centre;
  } rows[] = {{4, .0703125},
              {8, .07278262867648},
              {16, .07344576657892},
              {32, .07361473735452},
              {64, .07365718549079}};
  for (auto const& row : rows) {
    std::size_t const n = row.n;
    double const centre = row.centre;
    CAPTURE(n);
    auto asked = square<T>(axis_kinds[2], n - 1, 1, symbol::second_order);
    set_rhs(asked, [](auto const&) { return -1; });
    for (engine const how : engines_for<T>(place, asked.of)) {
      CAPTURE(to_string(how));
      T const got = solve(place, asked, how).u[(n / 2 - 1) * (n - 1) + n / 2 - 1];
      // The table is cut off after 14 digits.
      CHECK(std::abs(got - centre) <= 1e-14 + 8 * std::numeric_limits<T>::epsilon() * centre);
    }
  }
}

/// cos(pi x / a) cos(2 pi y / b) at the centres of cells, by all symbols.
template <class T, class Place>
void check_neumann_modes(Place& place) {
  for (symbol const stands : {symbol::spectral, symbol::second_order, symbol::fourth_order}) {
    question<T> asked;
    asked.of.axes = {axis_of(axis_kinds[5], 48, 3), axis_of(axis_kinds[5], 20, 2)};
    asked.of.symbol = stands;
    real const pi = std::numbers::pi_v<real>, k[] = {2 * pi / 3, pi / 2};
    real divisor = 0;
    for (int d = 0; d < 2; ++d) {
      real const h = spacing_of(asked.of.axes[d]), t = k[d] * h;
      divisor += stands == symbol::spectral ? -k[d] * k[d]
                 : stands == symbol::second_order
                     ? (2 * std::cos(t) - 2) / (h * h)
                     : (-std::cos(2 * t) + 16 * std::cos(t) - 15) / (6 * h * h);
    }
    auto const u = [&](auto const& x) { return std::cos(k[0] * x[0]) * std::cos(k[1] * x[1]); };
    set_rhs(asked, [&](auto const& x) { return divisor * u(x); });
    real const rounding = 8 * std::numeric_limits<T>::epsilon();
    for (engine const how : engines_for<T>(place, asked.of)) {
      CAPTURE(to_string(how));
      auto const got = solve(place, asked, how);
      CHECK(largest_error(got.u, sampled(asked.of.axes, u)) <= rounding);
      CHECK(std::abs(got.removed[0]) <= rounding * -divisor);
    }
  }
}

/// A constant right-hand side where nothing fixes u is all mean; with lambda it is -lambda u.
template <class T, class Place>
void check_constants(Place& place) {
  for (axis_kind const one : {axis_kinds[0], axis_kinds[1], axis_kinds[4], axis_kinds[5]})
    for (po::gauge const fixed_by : {po::gauge::zero_mean, po::gauge::first_point}) {
      auto asked = square<T>(one, 24, 1, symbol::spectral);
      asked.of.gauge = fixed_by;
      set_rhs(asked, [](auto const&) { return 1; });
      T const epsilon = std::numeric_limits<T>::epsilon();
      for (engine const how : engines_for<T>(place, asked.of)) {
        CAPTURE(to_string(how));
        auto const got = solve(place, asked, how);
        CHECK(std::abs(got.removed[0] - 1) <= 4 * epsilon);
        CHECK(rms(got.u) <= epsilon);
      }
      if (fixed_by == po::gauge::first_point) continue;
      asked.of.lambda = 4;
      for (engine const how : engines_for<T>(place, asked.of)) {
        CAPTURE(to_string(how));
        auto const got = solve(place, asked, how);
        CHECK(same_bits(got.removed[0], T{0}));
        CHECK(largest_error(got.u, std::vector<real>(got.u.size(), -0.25L)) <= 2 * epsilon);
      }
    }
}

/// lambda between two eigenvalues, on the far side of some.
template <class T, class Place>
void check_oscillating(Place& place) {
  auto asked = square<T>(axis_kinds[3], 30, 1, symbol::spectral);
  asked.of.lambda = -100; // eigenvalues -19.7, -49.3, -79.0, -98.7, -128.3
  real const pi = std::numbers::pi_v<real>;
  auto const u = [&](auto const& x) {
    return std::sin(pi * x[0]) * std::sin(2 * pi * x[1]) +
           std::sin(3 * pi * x[0]) * std::sin(4 * pi * x[1]);
  };
  set_rhs(asked, [&](auto const& x) {
    return (100 - 5 * pi * pi) * std::sin(pi * x[0]) * std::sin(2 * pi * x[1]) +
           (100 - 25 * pi * pi) * std::sin(3 * pi * x[0]) * std::sin(4 * pi * x[1]);
  });
  // The smallest divisor, 100 - 10 pi^2, is 1.3.
  for (engine const how : engines_for<T>(place, asked.of)) {
    CAPTURE(to_string(how));
    CHECK(largest_error(solve(place, asked, how).u, sampled(asked.of.axes, u)) <=
          8 * std::numeric_limits<T>::epsilon() * (25 * pi * pi - 100) / (100 - 10 * pi * pi));
  }
}

/// The same bits in place, and alone of a batch of three.
template <class T, class Place>
void check_in_place_and_batch(Place& place, po::problem const& of, engine how) {
  CAPTURE(to_string(how));
  CAPTURE(name_of(of));
  std::size_t const size = size_of(of);
  question<T> asked{of, rough_values<T>(3 * size, 11)};
  if (of.symbol != symbol::spectral)
    for (std::size_t d = 0; d < of.axes.size(); ++d)
      if (of.axes[d].lower != periodic)
        asked.upper[d] = rough_values<T>(3 * size / of.axes[d].points, 12);
  auto const apart = solve(place, asked, how);
  CHECK(solve(place, asked, how, true) == apart);
  for (std::size_t b = 0; b < 3; ++b) {
    question<T> single{of, part_of_batch(asked.rhs, b, 3)};
    single.of.batch = 1;
    for (std::size_t d = 0; d < 3; ++d) single.upper[d] = part_of_batch(asked.upper[d], b, 3);
    auto const alone = solve(place, single, how);
    CHECK(alone.u == part_of_batch(apart.u, b, 3));
    CHECK(alone.removed == part_of_batch(apart.removed, b, 3));
    for (std::size_t d = 0; d < 3; ++d)
      CHECK(alone.gradient[d] == part_of_batch(apart.gradient[d], b, 3));
  }
}

TEST_CASE("the course's problem") {
  wf::host place;
  check_course<double>(place, {engine::automatic});
  check_course<float>(place, {engine::fused});
}
EVERY_PLACE("an entire function converges as fast as it should") { check_entire(place); }
FAST_EVERY_PLACE_OF("torsion, modes, constants", T, float, double) {
  check_torsion<T>(place);
  check_neumann_modes<T>(place);
  check_constants<T>(place);
  check_oscillating<T>(place);
}
EVERY_PLACE_OF("the same bits in place, and of one of a batch", T, float, double) {
  for (std::size_t i = 0; i < std::size(axis_kinds); ++i)
    for (symbol const stands : {symbol::spectral, symbol::fourth_order}) {
      auto const one = axis_kinds[i], other = axis_kinds[(3 * i + 1) % std::size(axis_kinds)];
      for (po::problem of :
           {po::problem{{axis_of(one, 37)}}, po::problem{{axis_of(one, 18), axis_of(other, 50)}},
            po::problem{{axis_of(other, 64), axis_of(one, 64)}},
            po::problem{{axis_of(one, 6), axis_of(other, 5), axis_of(other, 8)}}}) {
        of.symbol = stands;
        of.batch = 3;
        of.gradient = true;
        for (engine const how : engines_for<T>(place, of))
          check_in_place_and_batch<T>(place, of, how);
      }
    }
}
TEST_CASE_TEMPLATE("the same bits for any number of threads", T, float, double) {
  po::problem of{
      {axis_of(axis_kinds[2], 70), axis_of(axis_kinds[0], 33), axis_of(axis_kinds[5], 9)}};
  of.gradient = true;
  question<T> const asked{of, rough_values<T>(size_of(of), 5)};
  wf::host one(1), many(7);
  CHECK(solve(one, asked) == solve(many, asked));
}

TEST_SUITE("gpu") {
  TEST_CASE("the course's problem on a GPU, by the course's methods too") {
    wf::gpu place;
    std::vector<engine> const all{engine::automatic, engine::vendor, engine::course,
                                  engine::course_shared, engine::course_coalesced};
    check_course<double>(place, all);
    check_course<float>(place, all);
  }
}

} // namespace poisson_test
