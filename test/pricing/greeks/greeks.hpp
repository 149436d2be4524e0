#pragma once
// Shared by the tests of Greeks by simulation.

#include "contents.hpp"
#include "pricing/paths/local_volatility.hpp"

#include <warpfold/pricing/greeks.hpp>

#include <array>
#include <numbers>
#include <string>
#include <vector>

namespace test::greeks {

namespace pricing = warpfold::pricing;
using namespace test::contracts;
using pricing::black_scholes;
using pricing::bumps;

template <class Span>
using spans = pricing::greek_spans<Span>;

/// What can be wanted, in the order of the struct's members.
enum wanted {
  value,
  delta,
  spot_gamma,
  vega,
  rho,
  dividend_rho,
  variance,
  reversion,
  mean,
  vol_of_vol,
  correlation,
  wanted_count
};
inline constexpr char const* names[] = {"value", "delta",        "gamma",      "vega",
                                        "rho",   "dividend_rho", "variance",   "reversion",
                                        "mean",  "vol_of_vol",   "correlation"};

template <class Span>
Span& member(spans<Span>& of, wanted which) {
  std::array const all{&of.value, &of.delta,        &of.gamma,      &of.vega,
                       &of.rho,   &of.dividend_rho, &of.variance,   &of.reversion,
                       &of.mean,  &of.vol_of_vol,   &of.correlation};
  return *all[which];
}

/// All that a model has.
template <class Model>
std::vector<wanted> all_of() {
  if constexpr (std::same_as<Model, heston>)
    return {value,    delta,     spot_gamma, rho,        dividend_rho,
            variance, reversion, mean,       vol_of_vol, correlation};
  else return {value, delta, spot_gamma, vega, rho, dividend_rho};
}

/// The estimates of a book, [result][contract]; those that are not wanted are empty.
using estimates = std::vector<std::vector<estimate>>;

template <class T, class Place, class Model>
estimates some_greeks(Place& place, Model const& model, std::vector<contract> const& book,
                      simulation_options const& options, std::vector<wanted> const& which,
                      bumps const& by = {}) {
  estimates results(wanted_count);
  pricing::greeks to;
  for (wanted const one : which) {
    results[one].resize(book.size());
    member(to, one) = results[one];
  }
  pricing::simulate<T>(place, model, book, to, options, by);
  return results;
}
template <class T, class Place, class Model>
estimates greeks_of(Place& place, Model const& model, std::vector<contract> const& book,
                    simulation_options const& options, bumps const& by = {}) {
  return some_greeks<T>(place, model, book, options, all_of<Model>(), by);
}

/// Black and Scholes's prices, written out.
struct formula {
  double spot = 100, volatility = 0.2, rate = 0.05, dividend_yield = 0.02;

  double price(contract const& of) const {
    double const t = of.expiry, deviation = volatility * std::sqrt(t);
    double const forward = spot * std::exp((rate - dividend_yield) * t);
    bool const is_put =
        of.settlement == settlement::put || of.settlement == settlement::digital_put;
    bool const is_digital = of.settlement >= settlement::digital_call;
    double const sign = is_put ? -1 : 1, discount = std::exp(-rate * t);
    if (of.settlement == settlement::forward) return discount * (forward - of.strike);
    auto const normal = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
    double const d = std::log(forward / of.strike) / deviation + deviation / 2;
    double const above = normal(sign * (d - deviation)); // the strike, or below it
    if (is_digital) return discount * above;
    return discount * sign * (forward * normal(sign * d) - of.strike * above);
  }
  black_scholes model() const { return {spot, volatility, rate, dividend_yield}; }

  /// Its central difference, and the second one of the spot.
  double difference(contract const& of, double formula::*in, double bump) const {
    formula up = *this, down = *this;
    up.*in += bump;
    down.*in -= bump;
    return (up.price(of) - down.price(of)) / (2 * bump);
  }
  double second_difference(contract const& of, double bump) const {
    formula up = *this, down = *this;
    up.spot += bump;
    down.spot -= bump;
    return (up.price(of) - 2 * price(of) + down.price(of)) / (bump * bump);
  }
  /// In the order of `wanted`, with the default bumps.
  std::array<double, 6> all(contract const& of) const {
    return {price(of),
            difference(of, &formula::spot, 0.01 * spot),
            second_difference(of, 0.01 * spot),
            difference(of, &formula::volatility, 0.01),
            difference(of, &formula::rate, 1e-3),
            difference(of, &formula::dividend_yield, 1e-3)};
  }
};

/// The derivatives of a price that is a function of these, by small central differences.
template <class Price>
std::array<double, 6> derivatives(formula const& of, Price price) {
  auto const moved = [&](double formula::*member, double bump) {
    formula other = of;
    other.*member += bump;
    return price(other);
  };
  auto const in = [&](double formula::*member) {
    return (moved(member, 1e-4) - moved(member, -1e-4)) / 2e-4;
  };
  double const second =
      (moved(&formula::spot, 0.01) - 2 * price(of) + moved(&formula::spot, -0.01)) / 1e-4;
  return {price(of),          in(&formula::spot),          second, in(&formula::volatility),
          in(&formula::rate), in(&formula::dividend_yield)};
}
/// Checks the estimates of contract i.
inline void check_all(estimates const& got, std::size_t i, std::array<double, 6> const& exact,
                      std::vector<wanted> const& which) {
  CAPTURE(i);
  for (wanted const k : which) {
    CAPTURE(names[k]);
    // What is not random has an error of rounding.
    double const rounding = 1e-6 * std::abs(exact[k]) + 1e-5;
    CHECK(std::abs(got[k][i].value - exact[k]) < 4.5 * got[k][i].standard_error + rounding);
  }
}

/// The z scores of a result in several runs, and how many intervals hold the exact value.
struct scores {
  double sum = 0, squares = 0;
  int runs = 0, inside = 0;

  void add(estimate const& got, double exact) {
    double const z = z_score(got, exact);
    sum += z;
    squares += z * z;
    ++runs;
    inside += holds(got, exact) ? 1 : 0;
  }
  /// With 200 runs.
  void check() const {
    REQUIRE(runs == 200);
    double const average = sum / runs, spread = squares / runs - average * average;
    CHECK(std::abs(average) < 0.28); // four errors of a mean of 200
    CHECK(spread > 0.65);
    CHECK(spread < 1.5);
    CHECK(inside >= 179); // of a binomial distribution with 190 all but one in 10,000
  }
};

} // namespace test::greeks
