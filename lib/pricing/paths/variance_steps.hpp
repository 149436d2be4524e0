#pragma once
// The constants of a model's steps: curves and what else depends on time, integrated in double.

#include "growth.hpp"
#include "variance_paths.hpp"

#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/contracts.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numbers>
#include <vector>

namespace warpfold::inline v0::pricing {

template <class T>
variance_model<T> paths_of(black_scholes const&) {
  return {T{0}};
}
template <class T>
variance_model<T> paths_of(heston const& model) {
  return {static_cast<T>(model.variance)};
}

/// The variance's law: a function of time, or Heston's model.
inline curve variance_of(black_scholes const& model) {
  std::vector<double> squares;
  for (double const value : model.volatility.values()) squares.push_back(value * value);
  if (model.volatility.times().empty()) return squares[0];
  return curve_pieces{model.volatility.times(), squares};
}
inline heston const& variance_of(heston const& model) { return model; }

/// Below it a vol_of_vol counts as 0: the price's dependence on it is of that order.
inline constexpr double least_vol_of_vol = 1e-5;

/// What a step does to the variance and the price.
template <class T>
void put(variance_step<T>& step, curve const& variance, double before, double time) {
  double const of_step = variance.integral(time) - variance.integral(before);
  step.k5 = static_cast<T>(std::max(of_step, 0.) * std::numbers::log2e * std::numbers::log2e);
}
template <class T>
void put(variance_step<T>& step, heston const& model, double before, double time) {
  double const h = time - before, speed = model.reversion, rho = model.correlation;
  double const sigma = model.vol_of_vol < least_vol_of_vol ? 0 : model.vol_of_vol;
  double const decay = std::exp(-speed * h);
  double const span =
      speed * h > 1e-12 ? -std::expm1(-speed * h) / speed : h; // (1 - decay) / speed
  step.decay = static_cast<T>(decay);
  step.pull = static_cast<T>(model.mean * speed * span);
  step.spread = static_cast<T>(sigma * sigma * decay * span);
  step.spread_0 = static_cast<T>(model.mean * speed * sigma * sigma * span * span / 2);
  double k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0, k5 = 0;
  if (sigma > 0) {
    double const slope = rho / sigma, half = h / 2 * (speed * slope - 0.5);
    k0 = -slope * speed * model.mean * h;
    k1 = half - slope;
    k2 = half + slope;
    k3 = k4 = h / 2 * (1 - rho * rho);
  } else { // the integral of the variance is known
    k3 = span;
    k5 = model.mean * (h - span);
  }
  step.a = static_cast<T>(k2 + k4 / 2);
  step.k0 = static_cast<T>(k0 * std::numbers::log2e);
  step.k1 = static_cast<T>(k1 * std::numbers::log2e);
  step.k2 = static_cast<T>(k2 * std::numbers::log2e);
  step.k3 = static_cast<T>(k3 * std::numbers::log2e * std::numbers::log2e);
  step.k4 = static_cast<T>(k4 * std::numbers::log2e * std::numbers::log2e);
  step.k5 = static_cast<T>(std::max(k5, 0.) * std::numbers::log2e * std::numbers::log2e);
}

template <class T, class Model>
requires std::same_as<Model, black_scholes> || std::same_as<Model, heston>
    std::vector<variance_step<T>> steps_of(Model const& model, detail::path_plan const& plan) {
  std::vector<variance_step<T>> steps;
  steps.reserve(plan.times.size());
  auto const& variance = variance_of(model);
  double before = 0;
  for (std::size_t j = 0; j < plan.times.size(); ++j) {
    double const time = plan.times[j];
    variance_step<T> step{};
    put(step, variance, before, time);
    step.growth = growth_until<T>(model, time);
    step.observation = plan.observations[j];
    steps.push_back(step);
    before = time;
  }
  return steps;
}

/// True if the constants of a step are, and the start.
template <class T>
bool is_finite(variance_model<T> const& model, variance_step<T> const& step) {
  T const constants[] = {model.variance, step.decay, step.pull, step.spread, step.spread_0, step.k0,
                         step.k1,        step.k2,    step.k3,   step.k4,     step.k5,       step.a};
  return std::ranges::all_of(constants, [](T x) { return std::isfinite(x); });
}

} // namespace warpfold::inline v0::pricing
