#pragma once
// Growth of forwards.

#include <numbers>

namespace warpfold::inline v0::pricing {

/// The logarithm of the model's forward over its spot.
template <class Model>
double growth(Model const& model, double time) {
  return model.rate.integral(time) - model.dividend_yield.integral(time);
}
/// The binary one.
template <class T, class Model>
T growth_until(Model const& model, double time) {
  return static_cast<T>(growth(model, time) * std::numbers::log2e);
}

} // namespace warpfold::inline v0::pricing
