// Implied volatility of one quote: published prices, limits and symmetries. Its accuracy is
// implied_volatility_mpfr_test.cpp's.

#include "one_option.hpp"

#include <warpfold/detail/pricing/implied_volatility_terms.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

namespace implied_volatility_terms_test {

using warpfold::detail::implied_volatility_of;
using namespace warpfold::pricing;

constexpr option_kind call = option_kind::call, put = option_kind::put;

TEST_CASE("fast: published prices imply the volatilities that they were computed with") {
  struct row {
    quote<double> of;
    double volatility, tolerance; // the latter by the digits that were published
  };
  row const rows[] = {
      // J. C. Hull, Options, Futures, and Other Derivatives: the example of the Black-Scholes
      // chapter, and that of the Greeks', which has seven digits.
      {{call, 4.759422392871533, 42, 40, 0.5, 0.10, 0}, 0.2, 1e-14},
      {{put, 0.808599372900094, 42, 40, 0.5, 0.10, 0}, 0.2, 1e-14},
      {{call, 2.400461, 49, 50, 0.3846, 0.05, 0}, 0.2, 1e-7},
      {{call, 10.450583572185567, 100, 100, 1, 0.05, 0}, 0.2, 1e-14},
      {{put, 5.573526022256968, 100, 100, 1, 0.05, 0}, 0.2, 1e-14},
      {{call, 9.910203707027e-12, 100, 200, 0.25, 0.05, 0}, 0.2, 1e-14},
      // E. G. Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), chapter 1: on a
      // stock index, and on a future, with four digits.
      {{put, 2.4648, 100, 95, 0.5, 0.10, 0.05}, 0.2, 1e-5},
      {{call, 1.7011, 19, 19, 0.75, 0.10, 0.10}, 0.28, 1e-5},
  };
  for (row const& expected : rows) {
    auto const [volatility, status] = implied_volatility_of(expected.of);
    CHECK(status == implied_status::converged);
    CHECK(std::abs(volatility - expected.volatility) <= expected.tolerance);
  }
}

TEST_CASE_TEMPLATE("fast: prices that imply no volatility say why", T, double, float) {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  constexpr T infinity = std::numeric_limits<T>::infinity();
  auto const status_of = [](quote<T> const& of) {
    auto const [volatility, status] = implied_volatility_of(of);
    CHECK((status == implied_status::converged ? volatility >= 0 : volatility != volatility));
    return status;
  };
  quote<T> const good{call, 10, 100, 100, 1, 0, 0};
  CHECK(status_of(good) == implied_status::converged);

  SUBCASE("bad input") {
    for (std::size_t k = 0; k < 6; ++k)
      for (T const bad : {nan, infinity, -infinity, T(-1), T(0)}) {
        // Rates may be anything finite, and a price 0.
        if ((k >= 4 && std::isfinite(bad)) || (k == 0 && bad == 0)) continue;
        quote<T> of = good;
        *test::members(of)[k] = bad;
        CHECK(status_of(of) == implied_status::bad_input);
      }
    quote<T> of = good;
    of.kind = static_cast<option_kind>(2);
    CHECK(status_of(of) == implied_status::bad_input);
    of = good;
    of.rate = 700;
    CHECK(status_of(of) == implied_status::bad_input);
  }

  SUBCASE("at and beyond the bounds") {
    auto const below = [](T x) { return std::nextafter(x, T{0}); };
    CHECK(status_of({call, 100, 100, 120, 1, 0, 0}) == implied_status::above_bound);
    CHECK(status_of({call, below(100), 100, 120, 1, 0, 0}) == implied_status::converged);
    CHECK(status_of({put, 120, 100, 120, 1, 0, 0}) == implied_status::above_bound);
    CHECK(status_of({put, below(120), 100, 120, 1, 0, 0}) == implied_status::converged);
    CHECK(status_of({put, 110, 100, 120, 1, T(0.1), 0}) == implied_status::above_bound);
    CHECK(status_of({call, 99, 100, 120, 1, 0, T(0.1)}) == implied_status::above_bound);

    // Out of the money 0 is the intrinsic value, in the money the difference is.
    for (quote<T> const& of :
         {quote<T>{call, 0, 100, 120, 1, 0, 0}, quote<T>{put, 20, 100, 120, 1, 0, 0},
          quote<T>{call, 20, 120, 100, 1, 0, 0}, quote<T>{call, below(20), 120, 100, 1, 0, 0}}) {
      CAPTURE(of.price);
      CHECK(implied_volatility_of(of).volatility == 0);
      CHECK(status_of(of) == implied_status::converged);
    }
    CHECK(status_of({call, T(19.99), 120, 100, 1, 0, 0}) == implied_status::below_intrinsic);
    CHECK(status_of({put, T(19.99), 100, 120, 1, 0, 0}) == implied_status::below_intrinsic);
    CHECK(status_of({call, T(4.87), 100, 100, 1, T(0.05), 0}) == implied_status::below_intrinsic);
    CHECK(status_of({call, T(4.88), 100, 100, 1, T(0.05), 0}) == implied_status::converged);
  }
}

TEST_CASE("fast: an implied volatility is the same in other units, of calls and of puts") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const multiples = [&](int low, int high, double of) {
    return std::uniform_int_distribution<int>{low, high}(random)*of;
  };
  for (int i = 0; i < 2000; ++i) {
    // Dyadic numbers: their differences are exact.
    double const strike = multiples(1 << 10, 1 << 14, 0x1p-6);
    double const spot = strike + multiples(0, 1 << 10, 0x1p-6);
    double const value = multiples(1, 1 << 10, 0x1p-7);
    quote<double> const of{put, value, spot, strike, 0.75, 0, 0};
    auto const expected = implied_volatility_of(of);
    CAPTURE(value);
    CAPTURE(spot);
    CAPTURE(strike);
    REQUIRE(expected.status == implied_status::converged);
    auto const same = [&](quote<double> const& other, double factor = 1) {
      auto const result = implied_volatility_of(other);
      CHECK(result.status == implied_status::converged);
      CHECK(result.volatility * factor == expected.volatility);
    };
    same({call, value + (spot - strike), spot, strike, 0.75, 0, 0}); // parity
    same({call, value, strike, spot, 0.75, 0, 0});                   // exchange of the two assets
    for (double const unit : {0x1p-3, 0x1p40, 0x1p-450, 0x1p480})
      same({put, value * unit, spot * unit, strike * unit, 0.75, 0, 0});
    same({put, value, spot, strike, 3, 0, 0}, 2); // four times as long
  }
}

TEST_CASE_TEMPLATE("fast: whatever the quote, there is a volatility or a reason", T, double,
                   float) {
  constexpr int widest = sizeof(T) == 8 ? 1080 : 152;
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const any = [&](int exponent) {
    std::uniform_real_distribution<double> mantissa{1, 2}, power(-exponent, exponent);
    return static_cast<T>(std::ldexp(mantissa(random), static_cast<int>(power(random))));
  };
  int met[4] = {};
  for (int i = 0; i < 200'000; ++i) {
    int const width = i % 2 ? widest : 8; // of exponents: beyond all numbers, or of a market
    quote<T> of{random() % 2 ? call : put, any(width), any(width), any(width), any(width), 0, 0};
    if (random() % 2) of.rate = random() % 2 ? any(8) : -any(8);
    if (random() % 2) of.dividend_yield = random() % 2 ? any(8) : -any(8);
    if (i % 4 == 3) of.price = std::nextafter(random() % 2 ? of.spot : of.strike, T{0});
    auto const [volatility, status] = implied_volatility_of(of);
    ++met[static_cast<int>(status)];
    bool const found = status == implied_status::converged;
    CAPTURE(i);
    CAPTURE(of.price);
    CAPTURE(of.spot);
    CAPTURE(of.strike);
    CAPTURE(of.expiry);
    REQUIRE((found ? volatility >= 0 && std::isfinite(volatility) : volatility != volatility));
  }
  for (int const times : met) CHECK(times > 2000);
}

TEST_CASE("fast: more expensive options imply more volatility, down to the smallest price") {
  double last = 0;
  for (double price = std::numeric_limits<double>::denorm_min(); price < 99.9;
       price *= price < 1e-300 ? 2 : 1.01) {
    auto const [volatility, status] =
        implied_volatility_of<double>({call, price, 100, 130, 1, 0, 0});
    CHECK(status == implied_status::converged);
    CHECK(volatility > last);
    last = volatility;
  }
  CHECK(last > 5);
}

} // namespace implied_volatility_terms_test
