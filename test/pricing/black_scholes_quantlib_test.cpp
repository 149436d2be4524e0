// European options against QuantLib, over random books: its Black calculator for prices and Greeks,
// differences of these for what it does not have, its inversion for implied volatilities.
//
// QuantLib computes in double, with roundings of its own. With A = spot e^{-yield T},
// B = strike e^{-rate T}, x = ln(A / B), s = volatility sqrt(T):
// - Its normal distribution is (1 + erf) / 2 above 1e-8 and an asymptotic series below, both with
//   an absolute error of about 1e-15. Its prices are as good in units of A + B (errors of x / s
//   cancel), but have no digits to offer in the tails.
// - A rounding of x is one of 1 / s roundings in d1, and so in delta, gamma, vega and rho. That
//   holds for us too, in the precision that we compute in.

#include "pricing.hpp"

#include <ql/pricingengines/blackcalculator.hpp>
#include <ql/pricingengines/blackformula.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace black_scholes_quantlib_test {

namespace pricing = warpfold::pricing;
using pricing::option;
using pricing::option_kind;
using pricing::valuation;

template <class T>
constexpr double rounding = std::numeric_limits<T>::epsilon();
constexpr std::size_t book_size = 100'000;

QuantLib::Option::Type type_of(option_kind kind) {
  return kind == option_kind::call ? QuantLib::Option::Call : QuantLib::Option::Put;
}

/// Terms that depend on an option alone, in double.
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
  /// Condition number of the steepest of the distributions, by relative changes of the inputs.
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

/// Options of everything from a day to ten years, rates and yields of both signs, and strikes up to
/// eight standard deviations away.
template <class T>
std::vector<option<T>> random_options(unsigned seed, std::size_t size = book_size) {
  std::mt19937_64 random(seed);
  auto const uniform = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  auto const narrow = [](double x) { return static_cast<T>(x); };
  std::vector<option<T>> options;
  for (std::size_t i = 0; i < size; ++i) {
    double const S = uniform(1, 200);
    double const years = std::exp(uniform(std::log(1.0 / 365), std::log(10)));
    double const sigma = std::exp(uniform(std::log(0.02), std::log(2)));
    double const rate = uniform(-0.05, 0.2), yield = uniform(-0.05, 0.15);
    options.push_back({narrow(S), narrow(S * std::exp(uniform(-8, 8) * sigma * std::sqrt(years))),
                       narrow(years), narrow(sigma), narrow(rate), narrow(yield)});
  }
  return options;
}

/// All prices and Greeks of a book, one option after the other.
template <class T>
std::vector<valuation<T>> valuations(std::vector<option<T>> const& options) {
  warpfold::host place;
  test::pricing::priced<warpfold::host, T> all(place, options);
  pricing::price(place, all.book, all.to);
  std::vector<valuation<T>> values(options.size());
  for (std::size_t k = 0; k < test::pricing::outputs; ++k) {
    auto const column = all.results(place, k);
    for (std::size_t i = 0; i < column.size(); ++i) *test::members(values[i])[k] = column[i];
  }
  return values;
}

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
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  auto const options = random_options<T>(seed);
  auto const ours = valuations(options);
  // The library's promise for prices; Greeks may be a few roundings off.
  double const promised = std::is_same_v<T, float> ? 1.2e-7 : 4e-16;
  std::map<std::string, worst> errors;
  for (std::size_t i = 0; i < options.size(); ++i) {
    option<double> const o = test::converted<double>(options[i]);
    valuation<T> const& v = ours[i];
    terms const t(o);
    double const yield_discount = t.A / o.spot, root = std::sqrt(o.expiry);
    double const few = 8 * (rounding<T> + rounding<double>)*(1 + 1 / t.s);
    double const carry =
        (t.A + t.B) * (std::abs(o.rate) + std::abs(o.dividend_yield)) + t.A * o.volatility / root;
    for (option_kind const kind : {option_kind::call, option_kind::put}) {
      bool const is_call = kind == option_kind::call;
      auto const theirs = quantlib(o, kind);
      errors["price"].look(is_call ? v.call : v.put, theirs.value(),
                           (promised + 8 * rounding<double>)*(t.A + t.B), o);
      errors["delta"].look(is_call ? v.call_delta : v.put_delta, theirs.delta(o.spot),
                           few * yield_discount, o);
      errors["gamma"].look(v.gamma, theirs.gamma(o.spot), few * yield_discount / (o.spot * t.s), o);
      errors["vega"].look(v.vega, theirs.vega(o.expiry), few * t.A * root, o);
      // QuantLib has rate and yield from the logarithms of discounts, divided by the time.
      errors["theta"].look(
          is_call ? v.call_theta : v.put_theta, theirs.theta(o.spot, o.expiry),
          few * carry + 8 * rounding<double> * (1 + 1 / t.s) * (t.A + t.B) / o.expiry, o);
      errors["rho"].look(is_call ? v.call_rho : v.put_rho, theirs.rho(o.expiry),
                         few * (t.A + t.B) * o.expiry, o);
    }
  }
  for (auto const& [what, error] : errors) error.check(what);
}

TEST_CASE("quantlib: vanna, volga and charm are differences of its Greeks") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  auto const options = random_options<double>(seed, book_size / 4);
  auto const ours = valuations(options);
  std::map<std::string, worst> errors;
  for (std::size_t i = 0; i < options.size(); ++i) {
    option<double> const& o = options[i];
    valuation<double> const& v = ours[i];
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
      auto const vega_at = [&](double option<double>::*input) {
        return [&, input](double value) { return changed(input, value).vega(o.expiry); };
      };
      auto const delta_at_expiry = [&](double expiry) {
        return changed(&option<double>::expiry, expiry).delta(o.spot);
      };
      errors["vanna"].look(
          v.vanna,
          derivative(vega_at(&option<double>::spot), o.spot, 0.01 * o.spot * std::min(1.0, t.s)),
          bound * yield_discount / o.volatility, o);
      errors["volga"].look(
          v.volga,
          derivative(vega_at(&option<double>::volatility), o.volatility, step * o.volatility),
          bound * t.A * root / o.volatility, o);
      errors["charm"].look(kind == option_kind::call ? v.call_charm : v.put_charm,
                           -derivative(delta_at_expiry, o.expiry, step * o.expiry),
                           bound * yield_discount * (std::abs(o.dividend_yield) + steep / o.expiry),
                           o);
    }
  }
  for (auto const& [what, error] : errors) error.check(what);
}

TEST_CASE("quantlib: implied volatilities") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  auto const options = random_options<double>(seed, book_size / 4);
  std::size_t const n = options.size();
  std::vector<option_kind> kind(n);
  std::vector<double> price(n), volatility(n);
  std::vector<pricing::implied_status> status(n);
  for (std::size_t i = 0; i < n; ++i) {
    kind[i] = terms(options[i]).x < 0 ? option_kind::call : option_kind::put; // out of the money
    price[i] = quantlib(options[i], kind[i]).value();
  }
  auto const columns = test::pricing::columns_of(options);
  pricing::host_quotes<double> const quotes{.kind = kind,
                                            .price = price,
                                            .spot = columns[0],
                                            .strike = columns[1],
                                            .expiry = columns[2],
                                            .rate = columns[4],
                                            .dividend_yield = columns[5]};
  pricing::implied_volatility(warpfold::host(), quotes,
                              {.volatility = volatility, .status = status});
  worst error;
  std::size_t priced = 0, inverted = 0;
  for (std::size_t i = 0; i < n; ++i) {
    option<double> const& o = options[i];
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

} // namespace black_scholes_quantlib_test
