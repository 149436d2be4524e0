// Given values and derivatives at boundaries: polynomials that a symbol solves exactly, and the
// order of its error elsewhere.

#include "poisson_modes.hpp"
#include "poisson_stencil.hpp"

namespace poisson_polynomials_test {

using namespace test;
namespace wf = warpfold;

/// A function along one axis, with two derivatives.
struct profile {
  real (*of)(real);
  real (*first)(real);
  real (*second)(real);
};

/// The product of a profile along each axis.
struct product {
  std::vector<profile> along;

  real value(std::array<real, 3> const& x) const { return without(3, x); }
  real laplacian(std::array<real, 3> const& x) const {
    real sum = 0;
    for (std::size_t d = 0; d < along.size(); ++d) sum += along[d].second(x[d]) * without(d, x);
    return sum;
  }
  real without(std::size_t axis, std::array<real, 3> const& x) const {
    real all = 1;
    for (std::size_t d = 0; d < along.size(); ++d)
      if (d != axis) all *= along[d].of(x[d]);
    return all;
  }
};

/// The right-hand side and all that is given at the ends.
template <class T>
question<T> asked_for(po::problem const& of, product const& u) {
  auto const f = [&](auto const& x) { return u.laplacian(x) - of.lambda * u.value(x); };
  question<T> asked{of, rounded<T>(sampled(of.axes, f))};
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    if (of.axes[d].lower == periodic) continue;
    auto others = of.axes;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(d));
    auto const face = [&](boundary what, real end) {
      auto const at = what == dirichlet ? u.along[d].of : u.along[d].first;
      return rounded<T>(sampled(others, [&](std::array<real, 3> x) {
        for (std::size_t e = 2; e > d; --e) x[e] = x[e - 1];
        return at(end) * u.without(d, x);
      }));
    };
    asked.lower[d] = face(of.axes[d].lower, 0);
    asked.upper[d] = face(of.axes[d].upper, of.axes[d].length);
  }
  return asked;
}

/// The largest error, of what is fixed.
template <class T, class Place>
real error_of(Place& place, question<T> const& asked, product const& u, engine how) {
  auto const got = solve(place, asked, how).u;
  auto exact = sampled(asked.of.axes, [&](auto const& x) { return u.value(x); });
  if (po::is_singular(asked.of)) {
    real const constant = exact[0];
    for (real& x : exact) x -= constant;
  }
  return largest_error(got, exact);
}

constexpr profile constant{[](real) { return real{1}; }, [](real) { return real{0}; },
                           [](real) { return real{0}; }};
constexpr profile linear{[](real x) { return 1 - 2 * x; }, [](real) { return real{-2}; },
                         [](real) { return real{0}; }};
constexpr profile quadratic{[](real x) { return x * x - x - 1; }, [](real x) { return 2 * x - 1; },
                            [](real) { return real{2}; }};
constexpr profile cubic{[](real x) { return x * x * x + x * x - 1; },
                        [](real x) { return 3 * x * x + 2 * x; }, [](real x) { return 6 * x + 2; }};

/// The highest degree that differences meet exactly: beyond ends, reflection about a value misses
/// the second derivative (which three points on nodes do not look at), and about a derivative the
/// third.
profile exact_along(axis_kind of, symbol stands) {
  bool const has_value = of.lower == dirichlet || of.upper == dirichlet,
             has_derivative = of.lower == neumann || of.upper == neumann;
  if (of.lower == periodic) return constant;
  if (stands == symbol::second_order && of.grid == grid::nodes)
    return has_derivative ? quadratic : cubic;
  return has_value ? linear : quadratic;
}

template <class T, class Place>
void check_polynomial(Place& place, std::vector<axis_kind> const& boundaries, symbol stands,
                      double lambda) {
  po::problem of;
  product u;
  constexpr std::size_t points[] = {9, 14, 5};
  for (std::size_t d = 0; d < boundaries.size(); ++d) {
    of.axes.push_back(axis_of(boundaries[d], points[d], d == 0 ? 1 : 1.5));
    u.along.push_back(exact_along(boundaries[d], stands));
  }
  of.symbol = stands;
  of.lambda = lambda;
  CAPTURE(name_of(of));
  if (po::is_singular(of)) of.gauge = po::gauge::first_point;
  auto const asked = asked_for<T>(of, u);
  real const size = largest_error(sampled(of.axes, [&](auto const& x) { return u.value(x); }),
                                  std::vector<real>(size_of(of)));
  for (engine const how : engines_for<T>(place, of)) {
    CAPTURE(to_string(how));
    real const rounding = 4 * std::numeric_limits<T>::epsilon() * (size + 1) * largest_divisor(of);
    CHECK(error_of(place, asked, u, how) <= rounding / smallest_divisor(of));
    // The boundary values of a solvable problem match its right-hand side.
    CHECK(std::abs(solve(place, asked, how).removed[0]) <= rounding);
  }
}

template <class T, class Place>
void check_polynomials(Place& place) {
  for (symbol const stands : {symbol::second_order, symbol::fourth_order}) {
    for (axis_kind const a : axis_kinds)
      for (axis_kind const b : axis_kinds) check_polynomial<T>(place, {a, b}, stands, 0);
    for (std::size_t i = 0; i < std::size(axis_kinds); ++i) {
      check_polynomial<T>(place, {axis_kinds[i]}, stands, 0);
      check_polynomial<T>(place,
                          {axis_kinds[i], axis_kinds[(i + 3) % 10], axis_kinds[(7 * i + 2) % 10]},
                          stands, 0);
    }
    // lambda u has no differences to be inexact in.
    check_polynomial<T>(place, {axis_kinds[2], axis_kinds[9]}, stands, 3);
    check_polynomial<T>(place, {axis_kinds[5], axis_kinds[4]}, stands, 3);
  }
}

/// x^2 - y^2 and x^3 - 3 x y^2, which are harmonic, under the five points.
template <class T, class Place>
void check_harmonic(Place& place) {
  for (int const degree : {2, 3})
    for (axis_kind const along_y :
         {axis_kinds[2], axis_kinds[4], axis_kinds[5], axis_kinds[6], axis_kinds[8]})
      for (axis_kind const along_x :
           {axis_kinds[2], axis_kinds[4], axis_kinds[5], axis_kinds[6], axis_kinds[8]}) {
        // A derivative given at an end of x misses the third.
        if (degree == 3 && along_x.lower != along_x.upper) continue;
        if (degree == 3 && along_x.lower == neumann) continue;
        po::problem of{{axis_of(along_y, 24), axis_of(along_x, 31)}};
        of.symbol = symbol::second_order;
        if (po::is_singular(of)) of.gauge = po::gauge::first_point;
        CAPTURE(name_of(of));
        CAPTURE(degree);
        auto const u = [degree](real y, real x) {
          return degree == 2 ? x * x - y * y : x * x * x - 3 * x * y * y;
        };
        auto const slope = [degree](std::size_t d, real y, real x) {
          if (degree == 2) return d == 0 ? -2 * y : 2 * x;
          return d == 0 ? -6 * x * y : 3 * x * x - 3 * y * y;
        };
        question<T> asked{of, std::vector<T>(size_of(of))};
        for (std::size_t d = 0; d < 2; ++d) {
          auto const face = [&](boundary what, real end) {
            std::vector<T> values;
            for (real const other : positions_of(of.axes[1 - d])) {
              real const y = d == 0 ? end : other, x = d == 0 ? other : end;
              values.push_back(static_cast<T>(what == dirichlet ? u(y, x) : slope(d, y, x)));
            }
            return values;
          };
          asked.lower[d] = face(of.axes[d].lower, 0);
          asked.upper[d] = face(of.axes[d].upper, 1);
        }
        auto exact = sampled(of.axes, [&](auto const& x) { return u(x[0], x[1]); });
        if (real const first = exact[0]; po::is_singular(of))
          for (real& x : exact) x -= first;
        for (engine const how : engines_for<T>(place, of))
          CHECK(largest_error(solve(place, asked, how).u, exact) <=
                4 * std::numeric_limits<T>::epsilon() * largest_divisor(of) / smallest_divisor(of));
      }
}

constexpr profile curve{[](real x) { return std::exp(x); }, [](real x) { return std::exp(x); },
                        [](real x) { return std::exp(x); }};
constexpr profile arch{[](real x) { return std::sin(x + 0.4L); },
                       [](real x) { return std::cos(x + 0.4L); },
                       [](real x) { return -std::sin(x + 0.4L); }};
constexpr profile around{
    [](real x) { return std::exp(std::sin(x)); },
    [](real x) { return std::cos(x) * std::exp(std::sin(x)); },
    [](real x) { return (std::cos(x) * std::cos(x) - std::sin(x)) * std::exp(std::sin(x)); }};

/// By what power of the spacing the error falls.
template <class Place>
real order_of(Place& place, axis_kind a, axis_kind b, product const& u, symbol stands,
              double length) {
  real error[2], h[2];
  for (int i = 0; i < 2; ++i) {
    std::size_t const n = i == 0 ? 40 : 80;
    po::problem of{{axis_of(a, n, length), axis_of(b, n, length)}};
    of.symbol = stands;
    of.lambda = 1;
    error[i] = error_of(place, asked_for<double>(of, u), u, engine::vendor);
    h[i] = spacing_of(of.axes[0]) + spacing_of(of.axes[1]);
  }
  return std::log(error[0] / error[1]) / std::log(h[0] / h[1]);
}

EVERY_PLACE_OF("polynomials are exact with what they have at the ends", T, float, double) {
  check_polynomials<T>(place);
  check_harmonic<T>(place);
}

TEST_CASE("errors fall by the order of the symbol, and by the second at boundaries") {
  wf::host place;
  for (axis_kind const a : axis_kinds)
    for (axis_kind const b : axis_kinds) {
      if (a.lower == periodic || b.lower == periodic) continue;
      for (symbol const stands : {symbol::second_order, symbol::fourth_order}) {
        CAPTURE(name_of({{axis_of(a, 40), axis_of(b, 40)}, 0, stands}));
        real const order = order_of(place, a, b, {{curve, arch}}, stands, 1);
        CHECK(order >= 1.8);
        CHECK(order <= 2.2);
      }
    }
  product const periodic_u{{around, around}};
  for (axis_kind const one : {axis_kinds[0], axis_kinds[1]}) {
    CHECK(order_of(place, one, one, periodic_u, symbol::second_order, 2 * std::numbers::pi) ==
          doctest::Approx(2).epsilon(0.02));
    CHECK(order_of(place, one, one, periodic_u, symbol::fourth_order, 2 * std::numbers::pi) ==
          doctest::Approx(4).epsilon(0.02));
  }
}

} // namespace poisson_polynomials_test
