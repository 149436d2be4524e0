#pragma once
// Growth of forwards.

#include <numbers>

namespace warpfold::inline v0::pricing {

/// The binary logarithm of the model's forward over its spot.
template <class T, class Model>
T growth_until(Model const& model, double time) {
  return static_cast<T>((model.rate.integral(time) - model.dividend_yield.integral(time)) *
                        std::numbers::log2e);
}

} // namespace warpfold::inline v0::pricing
