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

/// What a path is worth, and what a control variate is worth on it.
template <class T>
struct path_value {
  T payoff, control; ///< before discounting
};

} // namespace warpfold::inline v0::pricing
