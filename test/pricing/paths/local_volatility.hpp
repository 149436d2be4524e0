#pragma once
// Shared by the tests of local volatilities: models with known prices.

#include "pricing/paths/contracts.hpp"

#include <warpfold/pricing/local_volatility.hpp>

#include <cmath>
#include <vector>

namespace test::contracts {

using pricing::local_volatility;
using pricing::volatility_grid;

/// Equidistant numbers from one to another.
inline std::vector<double> evenly(double from, double to, int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(from + (to - from) * i / (count - 1));
  return all;
}

/// A grid of volatility(time, log-moneyness).
template <class Volatility>
volatility_grid grid_of(std::vector<double> const& times, std::vector<double> const& log_moneyness,
                        Volatility volatility) {
  std::vector<double> values;
  for (double const t : times)
    for (double const k : log_moneyness) values.push_back(volatility(t, k));
  return volatility_grid({times, log_moneyness, values});
}

/// One volatility everywhere.
inline volatility_grid constant(double volatility) {
  return grid_of({0}, {0}, [&](double, double) { return volatility; });
}

/// Cox's model with constant elasticity of variance, 1/2: dS = 2 sqrt(S) dW from 100 on, 20 % at
/// the start (J. Cox, Notes on option pricing I, 1975).
inline double cev_volatility(double, double k) { return 0.2 * std::exp(-k / 2); }
inline local_volatility cev(int nodes = 81) {
  return {.spot = 100, .rate = 0, .grid = grid_of({0}, evenly(-2.5, 1.5, nodes), cev_volatility)};
}

/// J. Gatheral and A. Jacquier, Arbitrage-free SVI volatility surfaces (2014): total variance with
/// theta = 0.04 t, phi = eta / (theta^gamma (1 + theta)^(1 - gamma)), eta = 1, gamma = 1/2.
struct ssvi {
  double rho = -0.4, eta = 1;
  double operator()(double t, double k) const {
    double const theta = 0.04 * t, phi = eta / std::sqrt(theta * (1 + theta));
    double const x = phi * k + rho;
    return theta / 2 * (1 + rho * phi * k + std::sqrt(x * x + 1 - rho * rho));
  }
  double volatility(double t, double k) const { return std::sqrt((*this)(t, k) / t); }
};
/// Times until a year that lie closer near 0.
inline std::vector<double> early_times(int count) {
  std::vector<double> times;
  for (double i = 1; i <= count; ++i) times.push_back(i * i / count / count);
  return times;
}

/// An ordinary model: a volatility that falls with the price and changes with time.
inline local_volatility ordinary_local() {
  return {.spot = 100,
          .rate = 0.03,
          .dividend_yield = 0.01,
          .grid = grid_of({0.1, 0.4, 1}, evenly(-0.8, 0.6, 15), [](double t, double k) {
            return 0.18 + 0.05 * t - 0.25 * k / (1 + 2 * t) + 0.3 * k * k;
          })};
}

} // namespace test::contracts
