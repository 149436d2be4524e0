#pragma once
// Paths of a price whose volatility depends on time alone: the same bits on both places.

#include "growth.hpp"
#include "variance_steps.hpp"

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/contracts.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A step of a lognormal price.
template <class T>
struct alignas(4 * sizeof(T)) lognormal_step {
  T deviation, drift; ///< of the binary logarithm of the price
  int observation;    ///< the number of this time among those that options see, or -1

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool observed() const { return observation >= 0; }
};

/// A price with volatility, rate and yield that depend on time.
template <class T>
struct lognormal_model {
  using value_type = T;
  using own_step = lognormal_step<T>;
  static constexpr int normals = 1;
  struct state {
    T log_price; ///< log2(price / spot)
  };

  WARPFOLD_HOST_DEVICE state start() const { return {T{0}}; }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(state& path, T z,
                                                        lognormal_step<T> const& now) const {
    path.log_price = std::fma(now.deviation, z, path.log_price + now.drift);
  }
};

template <class T>
std::vector<lognormal_step<T>> lognormal_steps(black_scholes const& model,
                                               detail::path_plan const& plan) {
  curve const variance = variance_of(model);
  std::vector<lognormal_step<T>> steps;
  double before = 0;
  for (std::size_t j = 0; j < plan.times.size(); ++j) {
    double const time = plan.times[j];
    double const square = std::max(variance.integral(time) - variance.integral(before), 0.);
    double const drift = growth(model, time) - growth(model, before) - square / 2;
    steps.push_back({static_cast<T>(std::sqrt(square) * std::numbers::log2e),
                     static_cast<T>(drift * std::numbers::log2e), plan.observations[j]});
    before = time;
  }
  return steps;
}

} // namespace warpfold::inline v0::pricing
