// Implied volatilities against those that MPFR finds for the same quotes, over the whole plane of
// moneyness and deviation. The quotes are exact prices rounded once.

#include "option_reference.hpp"

#include <warpfold/detail/pricing/implied_volatility_terms.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace implied_volatility_mpfr_test {

using namespace test;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::implied_status, pricing::option_kind;

struct exact_price {
  digits price, time_value, lack, vega; ///< lack: what the price lacks to its bound
};

template <class T>
exact_price price_of(pricing::quote<T> const& q, digits const& volatility) {
  option_reference const exact({q.spot, q.strike, q.expiry, volatility, q.rate, q.dividend_yield});
  digits const &a = exact.a, &b = exact.b;
  bool const call = q.kind == option_kind::call;
  digits const price = call ? exact.value.call : exact.value.put;
  digits const intrinsic = call ? a - b : b - a;
  return {price, intrinsic < 0 ? price : price - intrinsic, (call ? a : b) - price,
          exact.value.vega};
}

/// The volatility that the price as it is implies, by Newton's method from one close to it.
template <class T>
digits implied_by(pricing::quote<T> const& quote, digits volatility) {
  for (int i = 0; i < 60; ++i) {
    exact_price const exact = price_of(quote, volatility);
    digits const step = (digits(quote.price) - exact.price) / exact.vega;
    volatility = volatility + step;
    if (std::abs((step / volatility).rounded()) < 1e-25) return volatility;
  }
  digits const none(std::numeric_limits<double>::quiet_NaN());
  return none;
}

template <class T>
T ulp(T x) {
  return std::nextafter(x, std::numeric_limits<T>::infinity()) - x;
}

/// Quotes whose log-moneyness k and deviation s cover the plane: half of them evenly in ln s, the
/// others evenly in what the price depends on in the wings, k / s - s / 2.
template <class T>
class quotes {
public:
  explicit quotes(unsigned seed) : random_{seed} {}

  struct drawn {
    pricing::quote<T> quote;
    T volatility;
  };
  drawn operator()(bool carried) {
    constexpr bool wide = sizeof(T) == 8;
    double const k = uniform(0, 1) < 0.05 ? 0 : std::exp(uniform(-21, std::log(wide ? 700. : 80.)));
    double s = std::exp(uniform(std::log(1e-8), std::log(100.)));
    if (uniform(0, 1) < 0.5 && k > 0) {
      double const u = uniform(-8, wide ? 50 : 12), root = std::sqrt(u * u + 2 * k);
      s = u > 0 ? 2 * k / (root + u) : root - u;
    }
    double const side = random_() & 1 ? 1 : -1, most = wide ? 350 - k / 2 : 5;
    double const centre = std::exp(uniform(-most, most));
    pricing::quote<T> q{};
    q.kind = random_() & 1 ? option_kind::call : option_kind::put;
    q.spot = static_cast<T>(centre * std::exp(side * k / 2));
    q.strike = static_cast<T>(centre * std::exp(-side * k / 2));
    if (k == 0) q.strike = q.spot;
    q.expiry = static_cast<T>(uniform(0.003, 10));
    q.rate = static_cast<T>(carried ? uniform(-0.05, 0.1) : 0);
    q.dividend_yield = static_cast<T>(carried ? uniform(-0.05, 0.1) : 0);
    return {q, static_cast<T>(s / std::sqrt(static_cast<double>(q.expiry)))};
  }

private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>{low, high}(random_);
  }
  std::mt19937_64 random_;
};

struct findings {
  int tested = 0, in_the_money = 0, at_the_money = 0;
  double worst = 0; // units
};

template <class T>
findings round_trips(int count, bool carried, unsigned seed) {
  quotes<T> draw{seed};
  findings found;
  for (int i = 0; i < count; ++i) {
    auto drawn = draw(carried);
    auto& quote = drawn.quote;
    T const volatility = drawn.volatility;
    exact_price const exact = price_of(quote, volatility);
    quote.price = static_cast<T>(exact.price.rounded());
    double const t = quote.expiry, root = std::sqrt(t);
    double const growth = quote.dividend_yield * t, interest = quote.rate * t;
    double const a = quote.spot * std::exp(-growth), b = quote.strike * std::exp(-interest);
    bool const inside = quote.kind == option_kind::call ? a > b : b > a;
    double const vega = exact.vega.rounded();
    // Errors due to the rounding of discounted prices. The rounding of their ratio, and of the
    // logarithm of spot / strike where discounts cancel most of it, moves the price by at most 1.26
    // vega / sqrt(t).
    double const discounts = carried ? 0x1p-52 * (inside ? a + b : quote.price) : 0;
    double const carry = std::abs(growth) + std::abs(interest);
    double const moneyness = std::log(double{quote.spot} / double{quote.strike});
    double const cancelled = std::min(std::abs(moneyness), carry);
    double const ratio = carried ? 0x1p-52 * (carry + cancelled) : 0;
    double const allowed = discounts / vega + 1.26 * ratio / root;
    // Left out: prices that are not normal numbers, and those that do not determine a digit or two.
    double const least = std::min(exact.time_value.rounded(), exact.lack.rounded());
    if (!(quote.price >= std::numeric_limits<T>::min()) ||
        !(0.5 * ulp(quote.price) + discounts < 0.02 * least))
      continue;

    INFO(i << ": " << quote.price << " " << quote.spot << " " << quote.strike << " " << quote.expiry
           << " " << quote.rate << " " << quote.dividend_yield << " " << volatility);
    auto const result = wf::detail::implied_volatility_of(quote);
    REQUIRE(result.status == implied_status::converged);
    digits const expected = implied_by(quote, volatility);
    double const error = std::abs((digits(result.volatility) - expected).rounded()) - allowed;
    // (The price, rounded, may imply one far from the volatility that it was made with.)
    double const units = error / ulp(static_cast<T>(expected.rounded()));
    CHECK(units <= (sizeof(T) == 8 ? 10 : 0.501));
    ++found.tested;
    found.in_the_money += inside;
    found.at_the_money += quote.spot == quote.strike;
    found.worst = std::max(found.worst, units);
  }
  // Of 5000 quotes with rates some 1310 are left, give or take 35.
  CHECK(found.tested > count / 5);
  CHECK(found.in_the_money > count / 20);
  CHECK(found.at_the_money > count / 200);
  return found;
}

TEST_CASE_TEMPLATE("an implied volatility is the one that the price was made with", T, double,
                   float) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  for (bool const carried : {false, true}) {
    findings const found = round_trips<T>(5000, carried, seed);
    MESSAGE(std::string(carried ? "rates, " : "no rates, "), found.tested, " quotes, ",
            found.in_the_money, " in the money, worst: ", found.worst, " units in the last place");
  }
}

} // namespace implied_volatility_mpfr_test
