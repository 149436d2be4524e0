// One option's prices and Greeks: published values, limits, and what must hold for all.

#include "one_option.hpp"
#include "support.hpp"

#include <twins/pricing/polynomial.hpp>

#include <limits>

namespace black_scholes_terms_test {

using namespace test;
namespace pricing = warpfold::pricing;
using warpfold::detail::is_regular;
using warpfold::detail::limit_valuation;
using warpfold::detail::polynomial_prices;
using warpfold::detail::yields;

template <class T>
pricing::option<T> option_of(double spot, double strike, double expiry, double volatility,
                             double rate, double dividend_yield = 0) {
  return converted<T>(
      pricing::option<double>{spot, strike, expiry, volatility, rate, dividend_yield});
}

constexpr double inf = std::numeric_limits<double>::infinity();

TEST_CASE_TEMPLATE("published prices and Greeks", T, float, double) {
  using v = pricing::valuation<T>;
  struct row {
    pricing::option<double> of;
    T v::*value;
    double published, half_unit; ///< of its last digit
  };
  row const rows[] = {
      // Hull, Options, Futures, and Other Derivatives, example 15.6; more digits from QuantLib.
      {{42, 40, 0.5, 0.2, 0.1, 0}, &v::call, 4.759422392871533, 2e-15 * 42},
      {{42, 40, 0.5, 0.2, 0.1, 0}, &v::put, 0.808599372900094, 2e-15 * 42},
      {{100, 100, 1, 0.2, 0.05, 0}, &v::call, 10.450583572185567, 2e-15 * 100},
      {{100, 100, 1, 0.2, 0.05, 0}, &v::put, 5.573526022256968, 2e-15 * 100},
      // Hull, chapter 19: the Greeks of one example.
      {{49, 50, 0.3846, 0.2, 0.05, 0}, &v::call, 2.400461, 5e-7},
      {{49, 50, 0.3846, 0.2, 0.05, 0}, &v::call_delta, 0.521602, 5e-7},
      {{49, 50, 0.3846, 0.2, 0.05, 0}, &v::gamma, 0.065545, 5e-7},
      {{49, 50, 0.3846, 0.2, 0.05, 0}, &v::vega, 12.105243, 5e-7},
      {{49, 50, 0.3846, 0.2, 0.05, 0}, &v::call_theta, -4.305390, 5e-7},
      {{49, 50, 0.3846, 0.2, 0.05, 0}, &v::call_rho, 8.906574, 5e-7},
      // Haug, The Complete Guide to Option Pricing Formulas, chapter 2.
      {{430, 405, 1.0 / 12, 0.2, 0.07, 0.05}, &v::put_theta, -31.1924, 5e-5},
      {{55, 60, 0.75, 0.3, 0.1, 0}, &v::vega, 18.9358, 5e-5},
      {{72, 75, 1, 0.19, 0.09, 0}, &v::call_rho, 38.7325, 5e-5},
      // From chapter 1 of the same book: Merton's dividend yield, a future (the yield is the rate),
      // a currency (the yield is the foreign rate).
      {{100, 95, 0.5, 0.2, 0.1, 0.05}, &v::put, 2.4648, 5e-5},
      {{19, 19, 0.75, 0.28, 0.1, 0.1}, &v::call, 1.7011, 5e-5},
      {{19, 19, 0.75, 0.28, 0.1, 0.1}, &v::put, 1.7011, 5e-5},
      {{1.56, 1.6, 0.5, 0.12, 0.06, 0.08}, &v::call, 0.0291, 5e-5}};
  double const rounding = std::is_same_v<T, float> ? 1e-6 : 0;
  for (row const& one : rows) {
    CAPTURE(one.published);
    auto const got = mills_valuation(converted<T>(one.of));
    CHECK(std::abs(static_cast<double>(got.*one.value) - one.published) <=
          one.half_unit + rounding * std::abs(one.published));
  }
  CHECK(static_cast<double>(mills_prices(option_of<T>(100, 200, 0.25, 0.2, 0.05)).call) ==
        doctest::Approx(9.910203707027e-12).epsilon(std::is_same_v<T, float> ? 2e-5 : 1e-12));
}

TEST_CASE_TEMPLATE("the polynomial has six digits", T, float, double) {
  auto const p = polynomial_prices(option_of<T>(42, 40, 0.5, 0.2, 0.1));
  CHECK(std::abs(static_cast<double>(p.call) - 4.759422392871533) < 1e-5);
  CHECK(std::abs(static_cast<double>(p.put) - 0.808599372900094) < 1e-5);
  auto const q = polynomial_prices(option_of<T>(430, 405, 1.0 / 12, 0.2, 0.07, 0.05));
  auto const m = mills_prices(option_of<T>(430, 405, 1.0 / 12, 0.2, 0.07, 0.05));
  CHECK(std::abs(static_cast<double>(q.call - m.call)) < 1e-4);
  CHECK(std::abs(static_cast<double>(q.put - m.put)) < 1e-4);
}

/// Call and put, or NaN for both.
template <class T>
void check_limit(pricing::option<T> const& o, double call, double put) {
  INFO(o.spot << " " << o.strike << " " << o.expiry << " " << o.volatility << " " << o.rate << " "
              << o.dividend_yield);
  CHECK(!is_regular(o));
  auto const close = [](T got, double wanted) {
    if (std::isnan(wanted)) return std::isnan(got);
    if (std::isinf(wanted) || wanted == 0) return static_cast<double>(got) == wanted;
    double const bound = std::is_same_v<T, float> ? 1.2e-7 : 4e-16;
    return std::abs(static_cast<double>(got) - wanted) <= bound * std::abs(wanted);
  };
  auto const check = [&](auto const& got) {
    CHECK(close(got.call, call));
    CHECK(close(got.put, put));
  };
  check(mills_prices(o));
  check(mills_valuation(o));
}

TEST_CASE_TEMPLATE("zeros and infinities have their limits", T, float, double) {
  double const nan = std::nan("");
  double const b = 90 * std::exp(-static_cast<double>(T(0.05))),
               a = 100 * std::exp(-static_cast<double>(T(0.02)));
  auto const limit = [](double s, double x, double t, double v, double r, double q, double call,
                        double put) { check_limit(option_of<T>(s, x, t, v, r, q), call, put); };
  limit(100, 90, 0, 0.2, 0.05, 0.02, 10, 0);
  limit(90, 100, 0, 0.2, 0.05, 0.02, 0, 10);
  limit(100, 100, 0, 0.2, 0.05, 0.02, 0, 0);
  limit(100, 100, 0, inf, 0.05, 0.02, nan, nan);
  limit(100, 90, 1, 0, 0.05, 0.02, a - b, 0);
  limit(50, 90, 1, 0, 0.05, 0.02, 0, b - a / 2);
  limit(100, 90, 1, inf, 0.05, 0.02, a, b);
  limit(100, 90, inf, 0.2, 0.05, 0, 100, 0);
  limit(100, 90, inf, 0.2, 0.05, 0.02, 0, 0);
  limit(100, 90, inf, 0.2, 0, 0, 100, 90);
  limit(100, 90, inf, 0.2, -0.05, 0, nan, inf); // its call: between 0 and 100
  limit(100, 90, inf, 0, 0.05, 0, 100, 0);
  limit(100, 90, inf, 0, 0, 0, nan, nan);
  limit(100, 0, 1, 0.2, 0.05, 0.02, a, 0);
  limit(0, 90, 1, 0.2, 0.05, 0.02, 0, b);
  limit(0, 0, 1, 0.2, 0.05, 0.02, 0, 0);
  limit(inf, 90, 1, 0.2, 0.05, 0.02, inf, 0);
  limit(100, inf, 1, 0.2, 0.05, 0.02, 0, inf);
  limit(inf, inf, 1, 0.2, 0.05, 0.02, nan, nan);
  limit(inf, 90, inf, 0.2, 0.05, 0.02, nan, nan);
  for (double const bad : {nan, -1.0, -inf}) {
    limit(bad, 90, 1, 0.2, 0.05, 0.02, nan, nan);
    limit(100, bad, 1, 0.2, 0.05, 0.02, nan, nan);
    limit(100, 90, bad, 0.2, 0.05, 0.02, nan, nan);
    limit(100, 90, 1, bad, 0.05, 0.02, nan, nan);
  }
  for (double const bad : {nan, inf, -inf}) {
    limit(100, 90, 1, 0.2, bad, 0.02, nan, nan);
    limit(100, 90, 1, 0.2, 0.05, bad, nan, nan);
    limit(0, 90, 0, 0.2, 0.05, bad, nan, nan);
  }
}

TEST_CASE("Greeks at the limits") {
  auto v = mills_valuation(option_of<double>(100, 90, 0, 0.2, 0.05, 0.02));
  CHECK(v.call_delta == 1);
  CHECK(v.put_delta == 0);
  CHECK(v.gamma == 0);
  CHECK(v.vega == 0);
  CHECK(v.call_theta == doctest::Approx(0.02 * 100 - 0.05 * 90));
  v = mills_valuation(option_of<double>(90, 100, 1, 0, 0.05));
  CHECK(v.call_delta == 0);
  CHECK(v.put_delta == -1);
  CHECK(v.put_rho == doctest::Approx(-100 * std::exp(-0.05)));
  v = mills_valuation(option_of<double>(100, 100, 1, 0, 0, 0));
  CHECK(v.call_delta == 0.5);
  CHECK(v.put_delta == -0.5);
  CHECK(v.gamma == inf);
  CHECK(v.vega == doctest::Approx(39.894228040143268));
  v = mills_valuation(option_of<double>(-1, 100, 1, 0.2, 0, 0));
  for (double const x : {v.call, v.put_delta, v.gamma, v.vega, v.put_charm}) CHECK(std::isnan(x));
}

TEST_CASE("limits of options that are nearly others") {
  // Spot and discounted strike are equal to a rounding, their difference is many deviations.
  auto v = mills_valuation(option_of<double>(100, 100, 1, 1e-20, 1e-18, 0));
  CHECK(v.call_delta == 1);
  CHECK(v.put_delta == 0);
  for (double const x : {v.gamma, v.vega, v.vanna, v.volga, v.call_charm}) CHECK(x == 0);
  // The spot is 2^-1079 of the strike.
  v = mills_valuation(option_of<double>(1e-20, 1e305, 1, 38.8, 0, 0));
  CHECK(v.call == doctest::Approx(5.347e-21).epsilon(1e-3));
  CHECK(v.call_delta == doctest::Approx(0.545).epsilon(1e-2));
  v = mills_valuation(option_of<double>(1e-15, 1e297, 1, 38, 0, 0));
  CHECK(v.gamma == doctest::Approx(1.045e13).epsilon(1e-3));
  // Discounted over an age: the factor alone would be 0.
  v = mills_valuation(option_of<double>(inf, 100, 1e5, 0.2, 0.05, 0.05));
  CHECK(v.call == inf);
  CHECK(v.put == 0);
  v = mills_valuation(option_of<double>(100, 90, inf, 0.2, 0.05, 0.02));
  for (double const x : {v.call, v.put, v.call_delta, v.gamma, v.vega, v.call_theta, v.put_rho})
    CHECK(x == 0);
  CHECK(mills_prices(option_of<double>(100, 100, 1e-308, 0.2, 1.5e308, 0)).call ==
        doctest::Approx(77.687).epsilon(1e-4));
}

/// No rounding may break signs, bounds, and the equality of one valuation wherever it is computed.
template <class T>
void check_sane(pricing::option<T> const& o) {
  INFO(o.spot << " " << o.strike << " " << o.expiry << " " << o.volatility);
  auto const p = mills_prices(o);
  auto const v = mills_valuation(o);
  CHECK(p.call >= 0);
  CHECK(p.put >= 0);
  CHECK(same_bits(p.call, v.call));
  CHECK(same_bits(p.put, v.put));
  for (T const x : {v.gamma, v.vega, v.call_delta, -v.put_delta}) CHECK(x >= 0);
  if (o.spot == o.strike) return; // perhaps the kink of a total volatility of 0
  for (T const x : {v.call_delta, v.put_delta, v.call_theta, v.put_theta, v.call_rho, v.put_rho,
                    v.vanna, v.volga, v.call_charm, v.put_charm})
    CHECK(x == x);
}

TEST_CASE_TEMPLATE("extreme magnitudes do not break", T, float, double) {
  // Doubling is exact: a price of a scaled option is the scaled price, if nothing is subnormal.
  auto const o = option_of<T>(100, 110, 0.75, 0.3, 0.04, 0.01);
  auto const base = limit_valuation(o);
  int const far = std::is_same_v<T, float> ? 100 : 900;
  for (int const e : {-far, far}) {
    auto scaled = o;
    scaled.spot = std::ldexp(o.spot, e);
    scaled.strike = std::ldexp(o.strike, e);
    CHECK(!is_regular(scaled));
    auto const v = mills_valuation(scaled);
    double const bound = std::is_same_v<T, float> ? 1.2e-7 : 1e-15;
    auto const close = [&](T got, T wanted) {
      CHECK(std::abs(static_cast<double>(got / wanted) - 1) <= bound);
    };
    close(v.call, std::ldexp(base.call, e));
    close(v.put, std::ldexp(base.put, e));
    close(v.call_delta, base.call_delta);
    close(v.vanna, base.vanna);
    close(v.vega, std::ldexp(base.vega, e));
  }
  T const least = std::numeric_limits<T>::denorm_min(), small = std::numeric_limits<T>::min(),
          large = std::numeric_limits<T>::max() / 4;
  for (T const spot : {least, small, T{1}, large})
    for (T const strike : {least, small, T{1}, large})
      for (T const expiry : {least, small, T{1}, T{1000}})
        for (T const volatility : {least, small, T{1}, T{1000}})
          check_sane(pricing::option<T>{spot, strike, expiry, volatility, T(0.03), T(-0.01)});
}

TEST_CASE_TEMPLATE("a yield of 0 has the same bits left out", T, float, double) {
  unsigned const seed = 5;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::uniform_real_distribution<double> part{0, 1};
  for (int i = 0; i < 20'000; ++i) {
    auto const o = option_of<T>(50 + 100 * part(random), 50 + 100 * part(random),
                                0.01 + 5 * part(random), 0.01 + part(random), 0.1 * part(random));
    auto const with = warpfold::detail::regular_valuation<yields::any>(o),
               without = warpfold::detail::regular_valuation<yields::none>(o);
    REQUIRE(same_bits(with, without));
  }
}

TEST_CASE_TEMPLATE("prices move towards their limits", T, float, double) {
  // In volatility: upwards from what is certain to the discounted spot and strike.
  double const a = 100, b = 95 * std::exp(-0.05);
  double const bound = std::is_same_v<T, float> ? 1.2e-7 : 4e-16;
  T last = 0;
  for (int k = 0; k <= 1660; ++k) {
    double const volatility = 1e-6 * std::pow(1.01, k); // up to 15
    auto const p = mills_prices(option_of<T>(100, 95, 1, volatility, 0.05));
    CHECK(static_cast<double>(p.put) >= static_cast<double>(last) - 2 * bound * (a + b));
    last = p.put;
  }
  auto const narrow = mills_prices(option_of<T>(100, 95, 1, 1e-6, 0.05)),
             wide = mills_prices(option_of<T>(100, 95, 1, 40, 0.05));
  CHECK(narrow.put == 0);
  CHECK(std::abs(static_cast<double>(narrow.call) - (a - b)) <=
        bound * (a + b) + 1e-7 * (bound > 1e-10));
  CHECK(std::abs(static_cast<double>(wide.call) - a) <= bound * (a + b));
  CHECK(std::abs(static_cast<double>(wide.put) - b) <= bound * (a + b) + 1e-6 * (bound > 1e-10));
}

} // namespace black_scholes_terms_test
