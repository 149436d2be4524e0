// Implied volatilities against those that MPFR finds for the same quotes, over the whole plane of
// moneyness and deviation. The quotes are exact prices rounded once.

#include <warpfold/detail/implied_volatility_terms.hpp>

#include <doctest/doctest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace {

namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::implied_status, pricing::option_kind;

class number {
public:
  number(double x = 0) {
    mpfr_init2(x_, 200);
    mpfr_set_d(x_, x, MPFR_RNDN);
  }
  number(number const& other) : number() { mpfr_set(x_, other.x_, MPFR_RNDN); }
  number& operator=(number const& other) {
    mpfr_set(x_, other.x_, MPFR_RNDN);
    return *this;
  }
  ~number() { mpfr_clear(x_); }

  static number pi() {
    number result;
    mpfr_const_pi(result.x_, MPFR_RNDN);
    return result;
  }

  explicit operator double() const { return mpfr_get_d(x_, MPFR_RNDN); }
  explicit operator float() const { return mpfr_get_flt(x_, MPFR_RNDN); }

  friend number operator+(number const& a, number const& b) { return of(mpfr_add, a, b); }
  friend number operator-(number const& a, number const& b) { return of(mpfr_sub, a, b); }
  friend number operator*(number const& a, number const& b) { return of(mpfr_mul, a, b); }
  friend number operator/(number const& a, number const& b) { return of(mpfr_div, a, b); }
  friend bool operator<(number const& a, number const& b) { return mpfr_less_p(a.x_, b.x_); }
  friend number exp(number const& x) { return of(mpfr_exp, x); }
  friend number log(number const& x) { return of(mpfr_log, x); }
  friend number sqrt(number const& x) { return of(mpfr_sqrt, x); }
  friend number erfc(number const& x) { return of(mpfr_erfc, x); }

private:
  template <class Function, class... Numbers>
  static number of(Function function, Numbers const&... x) {
    number result;
    function(result.x_, x.x_..., MPFR_RNDN);
    return result;
  }
  mpfr_t x_;
};

number normal(number const& x) { return erfc(number(0) - x / sqrt(number(2))) / number(2); }

struct exact_price {
  number price, bound, vega;
};

template <class T>
exact_price price_of(pricing::quote<T> const& q, number const& volatility) {
  static number const root_of_two_pi = sqrt(number(2) * number::pi());
  number const t = q.expiry, minus = -1, root = sqrt(t);
  number const a = number(q.spot) * exp(minus * number(q.dividend_yield) * t);
  number const b = number(q.strike) * exp(minus * number(q.rate) * t);
  number const s = volatility * root;
  number const d1 = log(a / b) / s + s / number(2), d2 = d1 - s;
  number const vega = a * root * exp(minus * d1 * d1 / number(2)) / root_of_two_pi;
  if (q.kind == option_kind::call) return {a * normal(d1) - b * normal(d2), a, vega};
  return {b * normal(minus * d2) - a * normal(minus * d1), b, vega};
}

/// The volatility that the price as it is implies, by Newton's method from one close to it.
template <class T>
number implied_by(pricing::quote<T> const& quote, number volatility) {
  for (int i = 0; i < 60; ++i) {
    exact_price const exact = price_of(quote, volatility);
    number const step = (number(quote.price) - exact.price) / exact.vega;
    volatility = volatility + step;
    if (std::abs(static_cast<double>(step / volatility)) < 1e-25) return volatility;
  }
  return number(std::numeric_limits<double>::quiet_NaN());
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
      double const u = uniform(-8, wide ? 38 : 12), root = std::sqrt(u * u + 2 * k);
      s = u > 0 ? 2 * k / (root + u) : root - u;
    }
    double const side = random_() & 1 ? 1 : -1, centre = wide ? 1 : 1 + uniform(0, 100);
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
  constexpr double epsilon = 0x1p-52; // of the computation, for every T
  quotes<T> draw{seed};
  findings found;
  for (int i = 0; i < count; ++i) {
    auto [quote, volatility] = draw(carried);
    exact_price const exact = price_of(quote, volatility);
    quote.price = static_cast<T>(exact.price);
    double const t = quote.expiry, root = std::sqrt(t);
    double const growth = quote.dividend_yield * t, interest = quote.rate * t;
    double const a = quote.spot * std::exp(-growth), b = quote.strike * std::exp(-interest);
    bool const inside = quote.kind == option_kind::call ? a > b : b > a;
    double const vega = static_cast<double>(exact.vega);
    // What the rounding of the intrinsic value accounts for, and with rates that of the discounted
    // prices (of their ratio it moves the price by at most 1.26 vega / sqrt(t)).
    double allowed = 0;
    if (inside) allowed = (0.5 * std::abs(a - b) + (carried ? 2 * (a + b) : 0)) * epsilon / vega;
    if (carried)
      allowed += epsilon * (quote.price / vega +
                            1.26 * (std::abs(growth) + std::abs(interest) + 0x1p-40) / root);
    // Left out: what is no price, and what does not determine one digit.
    double const half = 0.5 * ulp(quote.price);
    if (!(quote.price >= std::numeric_limits<T>::min()) ||
        static_cast<double>(exact.bound - number(quote.price)) <= 4 * half ||
        !(half / vega + allowed < 0.03 * volatility))
      continue;

    CAPTURE(i);
    CAPTURE(quote.price);
    CAPTURE(quote.spot);
    CAPTURE(quote.strike);
    CAPTURE(quote.expiry);
    CAPTURE(quote.rate);
    CAPTURE(quote.dividend_yield);
    CAPTURE(volatility);
    auto const result = wf::detail::implied_volatility_of(quote);
    REQUIRE(result.status == implied_status::converged);
    number const expected = implied_by(quote, volatility);
    double const error =
        std::abs(static_cast<double>(number(result.volatility) - expected)) - allowed;
    double const units = error / ulp(volatility);
    CHECK(units <= (sizeof(T) == 8 ? 16 : 0.501));
    ++found.tested;
    found.in_the_money += inside;
    found.at_the_money += quote.spot == quote.strike;
    found.worst = std::max(found.worst, units);
  }
  CHECK(found.tested > count / 4);
  CHECK(found.in_the_money > count / 20);
  CHECK(found.at_the_money > count / 100);
  return found;
}

} // namespace

TEST_CASE_TEMPLATE("an implied volatility is the one that the price was made with", T, double,
                   float) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  for (bool const carried : {false, true}) {
    findings const found = round_trips<T>(4000, carried, seed);
    MESSAGE(std::string(carried ? "rates, " : "no rates, "), found.tested, " quotes, ",
            found.in_the_money, " in the money, worst: ", found.worst, " units in the last place");
  }
}
