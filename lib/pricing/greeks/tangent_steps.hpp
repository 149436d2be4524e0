#pragma once
// The constants of steps with derivatives, in double.

#include "pricing/paths/variance_steps.hpp"
#include "tangent_paths.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace warpfold::inline v0::pricing {

template <class T>
tangent_model<T> tangents_of(black_scholes const& model) {
  return {paths_of<T>(model), T{0}};
}
template <class T>
tangent_model<T> tangents_of(heston const& model) {
  return {paths_of<T>(model), static_cast<T>(2 / std::max(model.vol_of_vol, least_vol_of_vol))};
}

/// The volatility moves: the variance of a step has the derivative 2 of_step, of_step being the
/// volatility's integral, and its root of_step / root; sqrt(length) where there is none.
template <class T>
void put_slopes(tangent_step<T>& step, black_scholes const& model, double before, double time) {
  auto const over = [&](curve const& of) { return of.integral(time) - of.integral(before); };
  double const square = over(variance_of(model)), of_step = over(model.volatility);
  double const root = square > 0 ? of_step / std::sqrt(square) : std::sqrt(time - before);
  step.root = static_cast<T>(root * std::numbers::log2e);
  step.drift = static_cast<T>(-of_step * std::numbers::log2e);
}
template <class T>
void put_slopes(tangent_step<T>& step, heston const& model, double before, double time) {
  double const h = time - before, speed = model.reversion, y = speed * h;
  double const sigma = std::max(model.vol_of_vol, least_vol_of_vol), square = sigma * sigma;
  double const decay = std::exp(-y), slope = model.correlation / sigma;
  double const span = y > 1e-12 ? -std::expm1(-y) / speed : h;
  // The derivative of span in the reversion.
  double const bend =
      h * h *
      (y > 1e-3 ? (decay * (1 + y) - 1) / (y * y) : -1. / 2 + y * (1. / 3 - y * (1. / 8 - y / 30)));
  step.pull_of_mean = static_cast<T>(speed * span);
  step.spread_0_of_mean = static_cast<T>(speed * square * span * span / 2);
  step.decay_of_speed = static_cast<T>(-h * decay);
  step.pull_of_speed = static_cast<T>(model.mean * h * decay);
  step.spread_of_speed = static_cast<T>(square * decay * (bend - h * span));
  step.spread_0_of_speed = static_cast<T>(model.mean * square * span * (span / 2 + speed * bend));
  step.k2_of_speed = static_cast<T>(h / 2 * slope);
  step.k2_of_vol = static_cast<T>(-slope / sigma * (1 + y / 2));
  step.k2_of_correlation = static_cast<T>((1 + y / 2) / sigma);
  step.k3_of_correlation = static_cast<T>(-h * model.correlation * std::numbers::log2e);
}

template <class T, class Model>
std::vector<tangent_step<T>> tangent_steps(Model const& model, detail::path_plan const& plan) {
  auto const without = steps_of<T>(model, plan);
  std::vector<tangent_step<T>> steps(without.size());
  double before = 0;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    double const time = plan.times[j];
    static_cast<variance_step<T>&>(steps[j]) = without[j];
    steps[j].time = static_cast<T>(time * std::numbers::log2e);
    put_slopes(steps[j], model, before, time);
    before = time;
  }
  return steps;
}

/// True if the constants of a step are, and the start.
template <class T>
bool is_finite(tangent_model<T> const& of, tangent_step<T> const& step) {
  T const constants[] = {step.time,
                         step.root,
                         step.drift,
                         step.pull_of_mean,
                         step.spread_0_of_mean,
                         step.decay_of_speed,
                         step.pull_of_speed,
                         step.spread_of_speed,
                         step.spread_0_of_speed,
                         step.k2_of_speed,
                         step.k2_of_vol,
                         step.k2_of_correlation,
                         step.k3_of_correlation,
                         of.two_over_vol};
  return is_finite<T>(of.model, step) &&
         std::ranges::all_of(constants, [](T x) { return std::isfinite(x); });
}

} // namespace warpfold::inline v0::pricing
