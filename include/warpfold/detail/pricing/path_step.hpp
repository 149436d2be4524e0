#pragma once
// Time as simulated paths see it, and what a payoff gives.

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
