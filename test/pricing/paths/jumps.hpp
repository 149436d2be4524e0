#pragma once
// Shared by the tests of prices that jump: models, and Merton's series.

#include "pricing/paths/contracts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace test::contracts {

using pricing::black_scholes;
using pricing::jumps;

inline black_scholes merton_of(double volatility, jumps const& of, double rate = 0.05,
                               double dividend_yield = 0) {
  return {100, volatility, rate, dividend_yield, of};
}
inline heston bates_of(heston model, jumps const& of) {
  model.jumps = of;
  return model;
}

/// Ordinary jumps: one a year, of -10 %.
inline black_scholes const merton = merton_of(0.2, {1, -0.1, 0.15});
inline heston const bates = bates_of(ordinary, {0.8, -0.12, 0.15});
/// Nearly one jump in a fifth of a year.
inline heston const frequent = bates_of(lewis, {4.5, 0.05, 0.1});

/// R. C. Merton, Option pricing when underlying stock returns are discontinuous (1976): the sum
/// over the number of jumps. Curves are constants.
inline double merton_price(black_scholes const& of, double strike, double expiry, settlement kind) {
  auto const normal = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  double const volatility = of.volatility.values()[0], rate = of.rate.values()[0];
  double const forward = of.spot * std::exp((rate - of.dividend_yield.values()[0]) * expiry);
  double const of_jump = of.jumps.mean + of.jumps.deviation * of.jumps.deviation / 2;
  double const expected = of.jumps.intensity * expiry;
  double call = 0, likely = std::exp(-expected);
  for (int n = 0; n < 400 && likely > 1e-300; likely *= expected / ++n) {
    double const mean = forward * std::exp(n * of_jump - expected * std::expm1(of_jump));
    double const variance =
        volatility * volatility * expiry + n * of.jumps.deviation * of.jumps.deviation;
    double const deviation = std::sqrt(variance);
    double const d = std::log(mean / strike) / deviation + deviation / 2;
    double const price = mean > 0 ? mean * normal(d) - strike * normal(d - deviation) : 0;
    call += likely * (deviation > 0 ? price : std::max(mean - strike, 0.));
  }
  double const parity = kind == settlement::call ? 0 : forward - strike;
  return std::exp(-rate * expiry) * (call - parity);
}

} // namespace test::contracts
