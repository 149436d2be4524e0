#pragma once
// The parameters of models, and models with one of them moved.

#include "pricing/paths/variance_steps.hpp"

#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/greeks.hpp>
#include <warpfold/pricing/local_volatility.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace warpfold::inline v0::pricing {

enum class parameter {
  spot,
  volatility,
  rate,
  dividend_yield,
  variance,
  reversion,
  mean,
  vol_of_vol,
  correlation
};

/// How far it is moved, by its name: a part of the spot, an amount of all others.
inline double bump_of(bumps const& sizes, parameter of) {
  double const all[] = {sizes.spot,           sizes.volatility, sizes.rate,
                        sizes.dividend_yield, sizes.variance,   sizes.reversion,
                        sizes.mean,           sizes.vol_of_vol, sizes.correlation};
  return all[static_cast<std::size_t>(of)];
}
inline char const* bump_name(parameter of) {
  constexpr char const* all[] = {"sizes.spot",           "sizes.volatility", "sizes.rate",
                                 "sizes.dividend_yield", "sizes.variance",   "sizes.reversion",
                                 "sizes.mean",           "sizes.vol_of_vol", "sizes.correlation"};
  return all[static_cast<std::size_t>(of)];
}

template <class Model>
constexpr bool has_parameter(parameter of) {
  if (of <= parameter::dividend_yield)
    return of != parameter::volatility || !std::same_as<Model, heston>;
  return std::same_as<Model, heston>;
}

/// A curve moved by the same everywhere.
inline curve shifted(curve const& of, double by) {
  std::vector<double> values;
  for (double const value : of.values()) values.push_back(value + by);
  if (of.times().empty()) return values[0];
  return curve_pieces{of.times(), values};
}
inline volatility_grid shifted(volatility_grid const& of, double by) {
  std::vector<double> values;
  for (double const value : of.values()) values.push_back(value + by);
  return volatility_grid({of.times(), of.log_moneyness(), values});
}
inline double least_of(std::span<double const> values) { return *std::ranges::min_element(values); }

/// Lets a volatility stay where prices are while the spot grows by exp(by).
inline void keep_prices(auto&, double) {}
inline void keep_prices(local_volatility& model, double by) {
  std::vector<double> nodes;
  for (double const node : model.grid.log_moneyness()) nodes.push_back(node - by);
  model.grid = volatility_grid({model.grid.times(), nodes, model.grid.values()});
}

/// Moves the spot, to a number of T.
template <class T>
double move_spot(auto& model, double part, sticky keeps) {
  double const before = static_cast<T>(model.spot);
  model.spot = static_cast<T>(model.spot * (1 + part));
  if (keeps == sticky::price) keep_prices(model, std::log(model.spot / before));
  return model.spot - before;
}

inline double move_volatility(black_scholes& model, double by) {
  if (least_of(model.volatility.values()) + by < 0) return 0;
  model.volatility = shifted(model.volatility, by);
  return by;
}
inline double move_volatility(local_volatility& model, double by) {
  if (least_of(model.grid.values()) + by < 0) return 0;
  model.grid = shifted(model.grid, by);
  return by;
}
inline double move_volatility(heston&, double) { return 0; }

/// Moves a parameter that Heston's model alone has.
inline double move_own(auto&, parameter, double) { return 0; }
inline double move_own(heston& model, parameter of, double by) {
  constexpr double heston::*all[] = {&heston::variance, &heston::reversion, &heston::mean,
                                     &heston::vol_of_vol, &heston::correlation};
  double& moved =
      model.*all[static_cast<std::size_t>(of) - static_cast<std::size_t>(parameter::variance)];
  double const to = moved + by;
  if (of == parameter::correlation ? std::abs(to) > 1 : to < 0) return 0;
  // Steps take it for 0, and other random numbers.
  if (of == parameter::vol_of_vol && to < least_vol_of_vol) return 0;
  moved = to;
  return by;
}

/// Moves a parameter, for paths in T. Returns by how much; 0 if it would leave the domain.
template <class T>
double move(auto& model, parameter of, double by, sticky keeps) {
  switch (of) {
  case parameter::spot: return move_spot<T>(model, by, keeps);
  case parameter::volatility: return move_volatility(model, by);
  case parameter::rate: model.rate = shifted(model.rate, by); return by;
  case parameter::dividend_yield:
    model.dividend_yield = shifted(model.dividend_yield, by);
    return by;
  default: return move_own(model, of, by);
  }
}

} // namespace warpfold::inline v0::pricing
