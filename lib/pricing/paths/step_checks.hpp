#pragma once
// Checks of models' steps that the doors of contracts and schedules share.

#include "contract_checks.hpp"
#include "contract_payoff.hpp"
#include "local_steps.hpp"
#include "variance_steps.hpp"

#include <warpfold/pricing/local_volatility.hpp>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::pricing {

inline void check_model(local_volatility const& model) {
  check_rates("model", model);
  if (model.grid.values().empty())
    detail::refuse("model.grid", "nothing, as it was moved", "a grid");
}
/// Refuses more steps than a model's may be: each takes a row of a local volatility.
template <class Model>
void check_steps(detail::path_plan const& plan, simulation_options const& options) {
  constexpr std::size_t most = std::size_t{1} << 14;
  if (std::is_same_v<Model, local_volatility> && plan.times.size() > most)
    detail::refuse(options.longest_step > 0 ? "options.longest_step"
                   : options.times.empty()  ? "options.steps"
                                            : "options.times",
                   plan.times.size(),
                   detail::text("up to ", most, " steps with a local volatility"));
}

/// Refuses a forward, of this binary logarithm over the spot, that is finite in double but not in
/// T.
template <class T>
void check_forward(double spot, T growth) {
  if (!(growth + std::log2(spot) < std::numeric_limits<T>::max_exponent) ||
      !(growth <= contract_group<T>::most_growth))
    detail::refuse("model", detail::text("a forward of spot 2^", growth), numbers_of<T>);
}
/// Refuses such forwards and constants of steps.
template <class Model, class Step>
void check_steps_range(double spot, Model const& model, std::vector<Step> const& steps) {
  using T = typename Model::value_type;
  for (Step const& step : steps) {
    check_forward<T>(spot, step.growth);
    if (!is_finite(model, step) || !std::isfinite(step.growth))
      detail::refuse("model", "infinite constants of a step", numbers_of<T>);
  }
}

} // namespace warpfold::inline v0::pricing
