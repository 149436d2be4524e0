#include "path_formulas.hpp"

#include "contract_checks.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

constexpr double log2_e = std::numbers::log2e;

void check_number(text const& which, char const* member, double x, bool right,
                  char const* accepted) {
  if (!std::isfinite(x) || !right) refuse(std::string(which) + member, x, accepted);
}

void check_terms(text const& which, option<double> const& terms, option_kind kind) {
  check_number(which, ".terms.spot", terms.spot, terms.spot > 0, "above 0");
  check_number(which, ".terms.strike", terms.strike, terms.strike >= 0, "at least 0");
  check_number(which, ".terms.expiry", terms.expiry, terms.expiry >= 0, "at least 0");
  check_number(which, ".terms.volatility", terms.volatility, terms.volatility >= 0, "at least 0");
  check_number(which, ".terms.rate", terms.rate, true, "finite numbers");
  check_number(which, ".terms.dividend_yield", terms.dividend_yield, true, "finite numbers");
  if (kind != option_kind::call && kind != option_kind::put)
    refuse(std::string(which) + ".kind", static_cast<int>(kind), "call or put");
}

double normal(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }

/// e^exponent times the probability that a normal variable is below x. Where volatilities are small
/// the first may overflow and the second be 0, and yet their product be an ordinary number.
double scaled_normal(double exponent, double x) {
  if (!(x < -20)) return std::exp(exponent) * normal(x);
  // Mills' ratio, by a continued fraction that so far out is exact.
  double ratio = 0;
  for (int k = 10; k > 0; --k) ratio = k / (ratio - x);
  return std::exp(exponent - x * x / 2) / ((ratio - x) * std::sqrt(2 * std::numbers::pi));
}

/// The expectation of e^(-rate time) over the times until which a Brownian motion meets a barrier.
/// In standard deviations until the end, the barrier is `away` and the drift `towards` it. The
/// density of the time t a^2 / u^2 (inverse Gaussian) makes it an integral over u from a on, here
/// by Simpson's rule over log(u / a).
double discounted_hits(double away, double towards, double rate_time) {
  constexpr int parts = 1 << 14;
  double const step = std::log1p(40 / away) / parts; // beyond it is nothing
  double sum = 0;
  for (int i = 0; i <= parts; ++i) {
    double const y = std::exp(-i * step), u = away / y, off = u - towards * y;
    double const weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * u * std::exp(-off * off / 2 - rate_time * y * y);
  }
  return std::sqrt(2 / std::numbers::pi) * sum * step / 3;
}

double drift_of(option<double> const& of) {
  return of.rate - of.dividend_yield - of.volatility * of.volatility / 2;
}

} // namespace

void check_contract(text const& which, asian_option const& contract) {
  check_terms(which, contract.terms, contract.kind);
  if (contract.average > average::geometric)
    refuse(std::string(which) + ".average", static_cast<int>(contract.average),
           "arithmetic or geometric");
}

void check_contract(text const& which, barrier_option const& contract) {
  check_terms(which, contract.terms, contract.kind);
  if (contract.type > barrier_type::down_and_in)
    refuse(std::string(which) + ".type", static_cast<int>(contract.type), "a barrier_type");
  if (contract.monitoring > monitoring::discrete)
    refuse(std::string(which) + ".monitoring", static_cast<int>(contract.monitoring),
           "continuous or discrete");
  double const rebate = contract.rebate, barrier = contract.barrier, spot = contract.terms.spot;
  check_number(which, ".rebate", rebate, rebate >= 0, "at least 0");
  check_number(which, ".barrier", barrier, barrier > 0, "above 0");
  bool const up = is_up(contract.type);
  if (up ? !(barrier > spot) : !(barrier < spot))
    refuse(std::string(which) + ".barrier", barrier,
           text(up ? "above" : "below", " the spot, ", spot));
}

template <class T, class Option>
void check_range(text const& name, Option const& of) {
  std::string const which(name);
  option<double> const& terms = of.terms;
  auto const check = [&](char const* member, double value) {
    if (!std::isfinite(static_cast<T>(value))) refuse(which + member, value, numbers_of<T>);
  };
  check_spot_range<T>(which + ".terms", terms.spot);
  check(".terms.strike", terms.strike);
  if constexpr (requires { of.rebate; }) {
    check(".rebate", of.rebate);
    double const interest = terms.rate * terms.expiry * log2_e; // on rebates, until expiry
    if (!(std::abs(interest) + std::log2(std::max(of.rebate, 1.)) <
          std::numeric_limits<T>::max_exponent))
      refuse(which + ".terms", text("interest on rebates of 2^", interest), numbers_of<T>);
  }
  if (!std::isfinite(discount_of(terms)))
    refuse(which + ".terms.rate", terms.rate, "rates without an infinite discount");
  binary_motion const motion(terms);
  double const growth = (terms.rate - terms.dividend_yield) * terms.expiry * log2_e;
  if (!(growth + std::log2(terms.spot) < std::numeric_limits<T>::max_exponent))
    refuse(which + ".terms", text("a forward of spot 2^", growth), numbers_of<T>);
  if (!std::isfinite(static_cast<T>(motion.deviation)) ||
      !std::isfinite(static_cast<T>(motion.drift)))
    refuse(which + ".terms", "an infinite mean or deviation of the logarithm", numbers_of<T>);
}
#define INSTANTIATE(T)                                                                             \
  template void check_range<T>(text const&, asian_option const&);                                  \
  template void check_range<T>(text const&, barrier_option const&);
INSTANTIATE(float)
INSTANTIATE(double)

void check_fractions(char const* which, std::span<double const> times) {
  if (times.empty()) refuse(which, "0 elements", "1 or more");
  detail::check_elements(which, times.data(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] >= 0 && times[i] <= 1) || (i > 0 && !(times[i] > times[i - 1])))
      refuse(which, text("element ", i, " is ", times[i]),
             "fractions of the expiry, each after the one before");
}

double lognormal_payoff(option_kind kind, double log_mean, double deviation, double strike) {
  double const forward = std::exp(log_mean + deviation * deviation / 2);
  double const sign = kind == option_kind::call ? 1 : -1;
  if (!(deviation > 0) || strike == 0) return std::max(0., sign * (forward - strike));
  double const d2 = (log_mean - std::log(strike)) / deviation;
  return std::max(0.,
                  sign * (forward * normal(sign * (d2 + deviation)) - strike * normal(sign * d2)));
}

double geometric_payoff(asian_option const& of, std::span<double const> fixings) {
  auto const& terms = of.terms;
  double sum = 0, variance = 0;
  auto const n = static_cast<double>(fixings.size());
  // The covariance of the Brownian motion at two times is the earlier one.
  for (std::size_t i = 0; i < fixings.size(); ++i) {
    sum += fixings[i];
    variance += fixings[i] * (2 * (n - static_cast<double>(i)) - 1);
  }
  double const log_mean = std::log(terms.spot) + drift_of(terms) * terms.expiry * sum / n;
  double const deviation = terms.volatility * std::sqrt(terms.expiry * variance) / n;
  return lognormal_payoff(of.kind, log_mean, deviation, terms.strike);
}

double vanilla_payoff(barrier_option const& of) {
  auto const& terms = of.terms;
  return lognormal_payoff(of.kind, std::log(terms.spot) + drift_of(terms) * terms.expiry,
                          terms.volatility * std::sqrt(terms.expiry), terms.strike);
}

double geometric_asian_price(asian_option const& contract, std::span<double const> fixings) {
  detail::verb const scope("pricing::geometric_asian_price");
  check_contract("contract", contract);
  check_fractions("fixings", fixings);
  check_range<double>("contract", contract);
  auto const& terms = contract.terms;
  return std::exp(-terms.rate * terms.expiry) * geometric_payoff(contract, fixings);
}

// Terms A to F are Reiner and Rubinstein's, in Haug's notation: eta is the side of the barrier on
// which the spot is, phi the kind of the option.
double barrier_price(barrier_option const& contract) {
  detail::verb const scope("pricing::barrier_price");
  check_contract("contract", contract);
  check_range<double>("contract", contract);
  auto const& [s, x, t, v, r, q] = contract.terms;
  check_number("contract", ".terms.volatility", v, v > 0, "above 0");
  check_number("contract", ".terms.expiry", t, t > 0, "above 0");
  bool const up = is_up(contract.type), out = is_out(contract.type);
  bool const call = contract.kind == option_kind::call;
  double const h = contract.barrier, eta = up ? -1 : 1, phi = call ? 1 : -1;
  double const deviation = v * std::sqrt(t), b = r - q;
  double const mu = (b - v * v / 2) / (v * v), radicand = mu * mu + 2 * r / (v * v);
  double const shift = (1 + mu) * deviation;
  double const away = std::isnormal(h / s) ? std::log(h / s) : std::log(h) - std::log(s);
  double const infinite = std::numeric_limits<double>::infinity();
  double const x1 = x > 0 ? std::log(s / x) / deviation + shift : infinite;
  double const x2 = std::log(s / h) / deviation + shift;
  double const y1 = x > 0 ? std::log(h * h / (s * x)) / deviation + shift : infinite;
  double const y2 = away / deviation + shift;
  double const forward = s * std::exp((b - r) * t), paid = x * std::exp(-r * t);
  auto const direct = [&](double d) {
    return phi * (forward * normal(phi * d) - paid * normal(phi * (d - deviation)));
  };
  auto const mirrored = [&](double d) {
    return phi * (forward * scaled_normal(2 * (mu + 1) * away, eta * d) -
                  paid * scaled_normal(2 * mu * away, eta * (d - deviation)));
  };
  double const A = direct(x1), B = direct(x2), C = mirrored(y1), D = mirrored(y2);
  double const E =
      contract.rebate * std::exp(-r * t) *
      (normal(eta * (x2 - deviation)) - scaled_normal(2 * mu * away, eta * (y2 - deviation)));
  double const F = [&, r = r, t = t] { // (clang 14 captures no names of structured bindings)
    if (contract.rebate == 0) return 0.;
    if (radicand < 0) // which a negative rate can make it: lambda would be complex
      return contract.rebate *
             discounted_hits(-eta * away / deviation, -eta * mu * deviation, r * t);
    // Roots of x^2 - 2 mu x - 2 r / v^2. At small volatilities the smaller one is a difference of
    // large numbers, and so it is made of their product.
    double const lambda = std::sqrt(radicand), product = -2 * r / (v * v);
    double const upper = mu < 0 ? product / (mu - lambda) : mu + lambda;
    double const lower = mu > 0 ? product / (mu + lambda) : mu - lambda;
    double const from = away / deviation, drift = lambda * deviation;
    return contract.rebate * (scaled_normal(upper * away, eta * (from + drift)) +
                              scaled_normal(lower * away, eta * (from - drift)));
  }();
  bool const beyond = x > h; // the strike is above the barrier
  double const begun = [&] {
    if (up == call) { // the barrier is where the option is in the money
      if (up) return beyond ? A : B - C + D;
      return beyond ? B - C + D : A;
    }
    if (up) return beyond ? A - B + D : C;
    return beyond ? C : A - B + D;
  }();
  return out ? A - begun + F : begun + E;
}

} // namespace warpfold::inline v0::pricing
