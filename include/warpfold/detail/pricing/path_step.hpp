#pragma once
// Time as simulated paths see it, and what a payoff gives.

#include <warpfold/detail/core/macros.hpp>

namespace warpfold::inline v0::pricing {

/// One step of a path, in the units of simulation_options::times.
template <class T>
struct alignas(4 * sizeof(T)) path_step {
  T time;    ///< at its end
  T length;  ///< 0 where the first time is 0
  T root;    ///< sqrt(length)
  T inverse; ///< 1 / length; infinite where that is 0
};

/// The worth of a path, and of the control variate on it.
template <class T>
struct path_value {
  T payoff, control; ///< before discounting
};

} // namespace warpfold::inline v0::pricing

namespace warpfold::inline v0::detail {

/// A step of which the payoff may see nothing. What it sees is a step since it looked last.
template <class T>
struct split_step {
  pricing::path_step<T> of_model;
  pricing::path_step<T> of_payoff; ///< its time is negative where the payoff does not look

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool observed() const { return of_payoff.time >= 0; }
};

/// A step as the model and as the payoff sees it, and whether the payoff looks at its end.
template <class Step>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto const& step_of_model(Step const& now) {
  if constexpr (requires { now.of_model; }) return now.of_model;
  else return now;
}
template <class Step>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto const& step_of_payoff(Step const& now) {
  if constexpr (requires { now.of_payoff; }) return now.of_payoff;
  else return now;
}
template <class Step>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool is_observed(Step const& now) {
  if constexpr (requires { now.observed(); }) return now.observed();
  else return true;
}

} // namespace warpfold::inline v0::detail
