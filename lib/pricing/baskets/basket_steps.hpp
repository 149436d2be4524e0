#pragma once
// A basket's model and steps: the correlations' factor, and curves integrated in double.

#include "basket_paths.hpp"
#include "correlation.hpp"
#include "pricing/paths/growth.hpp"
#include "pricing/paths/variance_steps.hpp"

#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/baskets.hpp>

#include <cmath>
#include <numbers>
#include <vector>

namespace warpfold::inline v0::pricing {

/// Ends steps of the plan where an asset's volatility changes; contracts do not see these times.
/// @throws argument_error, naming model.assets, for more than 2^20 steps
void divide_at_volatilities(basket const& model, detail::path_plan& plan);

/// The model of a basket with this factor.
template <class T, int capacity>
basket_model<T, capacity> model_of(correlation_factor const& factor) {
  basket_model<T, capacity> model{};
  std::size_t const n = factor.order.size();
  model.used = static_cast<int>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      model.factor[i * (i + 1) / 2 + j] = static_cast<T>(factor.rows[i * n + j]);
  return model;
}

/// Steps of a plan in which volatilities do not change within a step.
template <class T, int capacity>
std::vector<basket_step<T, capacity>> steps_of(basket const& model, std::span<int const> order,
                                               detail::path_plan const& plan) {
  constexpr double log2_e = std::numbers::log2e;
  std::vector<basket_step<T, capacity>> steps(plan.times.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    black_scholes const& asset = model.assets[static_cast<std::size_t>(order[i])];
    curve const variance = variance_of(asset);
    double before = 0;
    for (std::size_t j = 0; j < steps.size(); ++j) {
      double const until = variance.integral(plan.times[j]), of_step = std::max(until - before, 0.);
      steps[j].deviation[i] = static_cast<T>(std::sqrt(of_step) * log2_e);
      steps[j].drift[i] = static_cast<T>(-of_step / 2 * log2_e);
      steps[j].growth[i] = growth_until<T>(asset, plan.times[j]);
      steps[j].observation = plan.observations[j];
      before = until;
    }
  }
  return steps;
}

} // namespace warpfold::inline v0::pricing
