// European options against QuantLib, over random books: its Black calculator for prices and Greeks,
// differences of these for what it does not have, its inversion for implied volatilities.
//
// QuantLib computes in double, with roundings of its own. With A = spot e^{-yield T},
// B = strike e^{-rate T}, x = ln(A / B), s = volatility sqrt(T):
// - Its normal distribution is (1 + erf) / 2 above 1e-8 and an asymptotic series below, both with
// an
//   absolute error of about 1e-15. Its prices are as good in units of A + B (errors of x / s move
//   d1 and d2 alike, and cancel), but have no digits to offer in the tails.
// - A rounding of x is one of 1 / s roundings in d1, and so in delta, gamma, vega and rho. That
//   holds for us too, in the precision that we compute in.

#include <warpfold/warpfold.hpp>

#include <doctest/doctest.h>
#include <ql/pricingengines/blackcalculator.hpp>
#include <ql/pricingengines/blackformula.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace pricing = warpfold::pricing;
using pricing::option;
using pricing::option_kind;

template <class T>
constexpr double rounding = std::numeric_limits<T>::epsilon();
constexpr std::size_t book_size = 100'000;

QuantLib::Option::Type type_of(option_kind kind) {
  return kind == option_kind::call ? QuantLib::Option::Call : QuantLib::Option::Put;
}

/// What depends on an option alone, in double.
struct terms {
  double A, B, x, s, d1, d2, discount, forward;

  explicit terms(option<double> const& o) {
    discount = std::exp(-o.rate * o.expiry);
    forward = o.spot * std::exp((o.rate - o.dividend_yield) * o.expiry);
    A = discount * forward;
    B = discount * o.strike;
    x = std::log(forward / o.strike);
    s = o.volatility * std::sqrt(o.expiry);
    d1 = x / s + s / 2;
    d2 = d1 - s;
  }
  /// How often the steepest of the distributions turns while everything moves by its own size.
  [[nodiscard]] double steepness(option<double> const& o) const {
    return 1 + std::abs(d1) + std::abs(d2) +
           (std::abs(o.rate) + std::abs(o.dividend_yield)) * o.expiry / s;
  }
};

QuantLib::BlackCalculator quantlib(option<double> const& o, option_kind kind) {
  terms const t(o);
  return {type_of(kind), o.strike, t.forward, t.s, t.discount};
}

/// A derivative of `function`, with an error of the fourth order in `step`.
template <class Function>
double derivative(Function function, double at, double step) {
  double const near = function(at + step) - function(at - step);
  double const far = function(at + 2 * step) - function(at - 2 * step);
  return (8 * near - far) / (12 * step);
}

/// A book of everything from a day to ten years, rates and yields of both signs, and strikes up to
/// eight standard deviations away. Its values are exact in double.
template <class T>
struct random_book {
  unsigned seed = std::random_device{}();
  std::vector<T> spot, strike, expiry, volatility, rate, yield;

  explicit random_book(std::size_t size = book_size) {
    std::mt19937_64 random(seed);
    auto const uniform = [&](double from, double to) {
      return std::uniform_real_distribution<double>(from, to)(random);
    };
    for (std::size_t i = 0; i < size; ++i) {
      double const S = uniform(1, 200);
      double const years = std::exp(uniform(std::log(1.0 / 365), std::log(10)));
      double const sigma = std::exp(uniform(std::log(0.02), std::log(2)));
      spot.push_back(static_cast<T>(S));
      expiry.push_back(static_cast<T>(years));
      volatility.push_back(static_cast<T>(sigma));
      rate.push_back(static_cast<T>(uniform(-0.05, 0.2)));
      yield.push_back(static_cast<T>(uniform(-0.05, 0.15)));
      strike.push_back(static_cast<T>(S * std::exp(uniform(-8, 8) * sigma * std::sqrt(years))));
    }
  }
  [[nodiscard]] std::size_t size() const { return spot.size(); }
  option<double> operator[](std::size_t i) const {
    return {spot[i], strike[i], expiry[i], volatility[i], rate[i], yield[i]};
  }
  [[nodiscard]] pricing::host_book<T> book() const {
    return {.spot = spot,
            .strike = strike,
            .expiry = expiry,
            .volatility = volatility,
            .rate = rate,
            .dividend_yield = yield};
  }
};

/// The largest error in units of its bound.
class worst {
public:
  void look(double ours, double theirs, double bound, option<double> const& o) {
    double const ratio = std::abs(ours - theirs) / bound;
    if (std::isnan(ratio_) || ratio <= ratio_) return;
    ratio_ = ratio; // also if it is NaN, which nothing replaces
    std::ostringstream text;
    text.precision(17);
    text << ours << " and QuantLib " << theirs << " for spot " << o.spot << ", strike " << o.strike
         << ", expiry " << o.expiry << ", volatility " << o.volatility << ", rate " << o.rate
         << ", yield " << o.dividend_yield;
    where_ = text.str();
  }
  void check(std::string const& what) const {
    CAPTURE(what);
    CAPTURE(where_);
    CHECK(ratio_ <= 1);
  }

private:
  double ratio_ = 0;
  std::string where_;
};

TEST_CASE_TEMPLATE("quantlib: prices and Greeks", T, float, double) {
  random_book<T> const options;
  std::size_t const n = options.size();
  CAPTURE(options.seed);
  std::vector<T> call(n), put(n), call_delta(n), put_delta(n), gamma(n), vega(n), call_theta(n),
      put_theta(n), call_rho(n), put_rho(n);
  pricing::price(warpfold::host(), options.book(),
                 {.call = call,
                  .put = put,
                  .call_delta = call_delta,
                  .put_delta = put_delta,
                  .gamma = gamma,
                  .vega = vega,
                  .call_theta = call_theta,
                  .put_theta = put_theta,
                  .call_rho = call_rho,
                  .put_rho = put_rho});
  // What the library promises of prices; a few roundings of Greeks.
  double const promised = std::is_same_v<T, float> ? 1.2e-7 : 4e-16;
  worst price_error, delta_error, gamma_error, vega_error, theta_error, rho_error;
  for (std::size_t i = 0; i < n; ++i) {
    option<double> const o = options[i];
    terms const t(o);
    double const yield_discount = t.A / o.spot, root = std::sqrt(o.expiry);
    double const few = 8 * (rounding<T> + rounding<double>)*(1 + 1 / t.s);
    double const carry =
        (t.A + t.B) * (std::abs(o.rate) + std::abs(o.dividend_yield)) + t.A * o.volatility / root;
    for (option_kind const kind : {option_kind::call, option_kind::put}) {
      bool const is_call = kind == option_kind::call;
      auto const theirs = quantlib(o, kind);
      price_error.look(is_call ? call[i] : put[i], theirs.value(),
                       (promised + 8 * rounding<double>)*(t.A + t.B), o);
      delta_error.look(is_call ? call_delta[i] : put_delta[i], theirs.delta(o.spot),
                       few * yield_discount, o);
      gamma_error.look(gamma[i], theirs.gamma(o.spot), few * yield_discount / (o.spot * t.s), o);
      vega_error.look(vega[i], theirs.vega(o.expiry), few * t.A * root, o);
      // QuantLib has rate and yield from the logarithms of discounts, divided by the time.
      theta_error.look(is_call ? call_theta[i] : put_theta[i], theirs.theta(o.spot, o.expiry),
                       few * carry + 8 * rounding<double> * (1 + 1 / t.s) * (t.A + t.B) / o.expiry,
                       o);
      rho_error.look(is_call ? call_rho[i] : put_rho[i], theirs.rho(o.expiry),
                     few * (t.A + t.B) * o.expiry, o);
    }
  }
  price_error.check("price");
  delta_error.check("delta");
  gamma_error.check("gamma");
  vega_error.check("vega");
  theta_error.check("theta");
  rho_error.check("rho");
}

TEST_CASE("quantlib: vanna, volga and charm are differences of its Greeks") {
  random_book<double> const options(book_size / 4);
  std::size_t const n = options.size();
  CAPTURE(options.seed);
  std::vector<double> vanna(n), volga(n), call_charm(n), put_charm(n);
  pricing::price(
      warpfold::host(), options.book(),
      {.vanna = vanna, .volga = volga, .call_charm = call_charm, .put_charm = put_charm});
  worst vanna_error, volga_error, charm_error;
  for (std::size_t i = 0; i < n; ++i) {
    option<double> const o = options[i];
    terms const t(o);
    double const yield_discount = t.A / o.spot, root = std::sqrt(o.expiry);
    // Steps of a hundredth of what makes a difference: 1e-8 of truncation, times a derivative that
    // is of order 1 in these units, and roundings of up to 1e-14 (1 + 1 / s) divided by the step.
    double const steep = t.steepness(o), step = 0.01 / steep;
    double const bound = 1e-7 + 1e-11 / t.s;
    for (option_kind const kind : {option_kind::call, option_kind::put}) {
      auto const changed = [&](double option<double>::*input, double value) {
        option<double> other = o;
        other.*input = value;
        return quantlib(other, kind);
      };
      auto const vega_at_spot = [&](double spot) {
        return changed(&option<double>::spot, spot).vega(o.expiry);
      };
      auto const vega_at_volatility = [&](double volatility) {
        return changed(&option<double>::volatility, volatility).vega(o.expiry);
      };
      auto const delta_at_expiry = [&](double expiry) {
        return changed(&option<double>::expiry, expiry).delta(o.spot);
      };
      vanna_error.look(vanna[i],
                       derivative(vega_at_spot, o.spot, 0.01 * o.spot * std::min(1.0, t.s)),
                       bound * yield_discount / o.volatility, o);
      volga_error.look(volga[i], derivative(vega_at_volatility, o.volatility, step * o.volatility),
                       bound * t.A * root / o.volatility, o);
      charm_error.look(kind == option_kind::call ? call_charm[i] : put_charm[i],
                       -derivative(delta_at_expiry, o.expiry, step * o.expiry),
                       bound * yield_discount * (std::abs(o.dividend_yield) + steep / o.expiry), o);
    }
  }
  vanna_error.check("vanna");
  volga_error.check("volga");
  charm_error.check("charm");
}

TEST_CASE("quantlib: implied volatilities") {
  random_book<double> const options(book_size / 4);
  std::size_t const n = options.size();
  CAPTURE(options.seed);
  std::vector<option_kind> kind(n);
  std::vector<double> price(n), volatility(n);
  std::vector<pricing::implied_status> status(n);
  for (std::size_t i = 0; i < n; ++i) {
    option<double> const o = options[i];
    kind[i] = terms(o).x < 0 ? option_kind::call : option_kind::put; // out of the money
    price[i] = quantlib(o, kind[i]).value();
  }
  pricing::host_quotes<double> const quotes{.kind = kind,
                                            .price = price,
                                            .spot = options.spot,
                                            .strike = options.strike,
                                            .expiry = options.expiry,
                                            .rate = options.rate,
                                            .dividend_yield = options.yield};
  pricing::implied_volatility(warpfold::host(), quotes, volatility, status);
  worst error;
  std::size_t priced = 0, inverted = 0;
  for (std::size_t i = 0; i < n; ++i) {
    option<double> const o = options[i];
    terms const t(o);
    if (price[i] <= 0) continue; // lost in QuantLib's tail
    ++priced;
    CAPTURE(i);
    if (status[i] != pricing::implied_status::converged)
      FAIL_CHECK("no volatility for a price of " << price[i]);
    constexpr double accuracy = 1e-13;
    double theirs = 0;
    try {
      theirs = QuantLib::blackFormulaImpliedStdDev(type_of(kind[i]), o.strike, t.forward, price[i],
                                                   t.discount, 0.0, QuantLib::Null<double>(),
                                                   accuracy, 1000);
    } catch (std::exception const&) {
      continue;
    }
    ++inverted;
    // An absolute error of prices, divided by their derivative; roundings of the logarithm.
    double const density = std::exp(-t.d1 * t.d1 / 2) / std::sqrt(2 * 3.14159265358979);
    double const bound =
        accuracy + 8 * rounding<double> * ((t.A + t.B) / (t.A * density) + 1 + std::abs(t.x) + t.s);
    error.look(volatility[i] * std::sqrt(o.expiry), theirs, bound, o);
  }
  CHECK(priced > 9 * n / 10);
  CHECK(inverted > 9 * priced / 10);
  error.check("standard deviation");
}

} // namespace
