#pragma once
// What a book of products may lose in ten days, for price_products.

#include "product_csv.hpp"
#include "product_groups.hpp"

#include <warpfold/execution.hpp>
#include <warpfold/pricing/risk.hpp>
#include <warpfold/random.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace example {

inline constexpr double risk_horizon = 10. / 252;                    // years: ten days of trading
inline constexpr double risk_level = 0.99;                           // of the value at risk
inline constexpr std::uint64_t risk_stream = std::uint64_t{1} << 40; // of the scenarios

/// The root mean square over the horizon, as the model takes it.
inline double volatility_of(asset const& one) {
  auto squares = one.volatility;
  for (double& value : squares.values) value *= value;
  return std::sqrt(curve_of(squares, 0).integral(risk_horizon) / risk_horizon);
}

/// Two deviations of an asset's price over the horizon, as part of it.
inline double two_deviations(asset const& one) {
  return 2 * volatility_of(one) * std::sqrt(risk_horizon);
}

/// Lower factor of the correlations, which may be semidefinite.
inline std::vector<double> factor_of(market const& of) {
  std::size_t const n = of.assets.size();
  std::vector<double> factor(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      double rest = of.correlation[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i * n + k] * factor[j * n + k];
      double const pivot = factor[j * n + j];
      if (i == j && rest < -1e-10)
        throw std::runtime_error("no prices have such correlations: the matrix is not positive "
                                 "semidefinite");
      if (i == j) factor[i * n + j] = rest > 1e-10 ? std::sqrt(rest) : 0;
      else if (pivot > 0) factor[i * n + j] = rest / pivot;
      else if (std::abs(rest) > 1e-7)
        throw std::runtime_error("no prices have such correlations: the matrix is not positive "
                                 "semidefinite");
    }
  return factor;
}

/// What the book may lose if the assets' prices move as in ten days, all at once: time does not
/// pass, and volatilities and rates stay. A product's price is the parabola through its prices now
/// and with each asset two deviations up and down; what two assets do together is left out.
inline pricing::risk_figures risk_of(market const& of, std::span<double const> slope,
                                     std::span<double const> curvature, std::uint64_t seed) {
  warpfold::host const place;
  std::size_t const n = of.assets.size(), scenarios = 1 << 18;
  std::vector<double> const factor = factor_of(of);
  std::vector<std::vector<double>> normals(n, std::vector<double>(scenarios));
  for (std::size_t k = 0; k < n; ++k)
    warpfold::random::normal(place, normals[k], {.seed = seed, .stream = risk_stream + k});
  std::vector<double> losses(scenarios);
  for (std::size_t k = 0; k < n; ++k) {
    double const deviation = volatility_of(of.assets[k]) * std::sqrt(risk_horizon);
    for (std::size_t s = 0; s < scenarios; ++s) {
      double z = 0;
      for (std::size_t j = 0; j <= k; ++j) z += factor[k * n + j] * normals[j][s];
      double const by = of.assets[k].spot * std::expm1(deviation * z - deviation * deviation / 2);
      losses[s] -= (slope[k] + curvature[k] / 2 * by) * by;
    }
  }
  return pricing::risk(place, losses, {.level = risk_level});
}

} // namespace example
