#pragma once
// Early exercise of a user's payoff on paths of a user's model.

#include <warpfold/detail/pricing/exercise/exercise.cuh>
#include <warpfold/detail/pricing/exercise/exercise_host.hpp>
#include <warpfold/detail/pricing/simulate.cuh>

#include <cmath>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// A payoff that may be exercised early.
template <class Payoff, class Model>
concept exercisable_payoff = path_payoff<Payoff, Model> && requires {
  std::integral_constant<int, Payoff::basis>{};
};

/// True if discount(time) is there, or no discount at all: that of other payoffs has no time.
template <class Payoff>
inline constexpr bool discounts_by_time = requires(Payoff const& of, double time) {
  of.discount({time}); // not for an int
}
|| !requires(Payoff const& of) { &Payoff::discount; };

/// A user's payoff, as the engine sees it.
template <class Model, class Payoff>
struct payoff_right {
  using T = value_of_model<Model>;
  using path_type = decltype(std::declval<Model const&>().start());
  using memory_type = decltype(std::declval<Payoff const&>().start(std::declval<path_type>()));
  static constexpr int basis = Payoff::basis;
  struct kept {
    memory_type memory;
    path_type path;
  };
  struct date {
    T discount;
  };

  Payoff payoff;
  T unit;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE exercise_decision when(int j, int dates) const {
    return j == dates - 1 ? exercise_decision::wherever_it_pays : exercise_decision::regression;
  }
  WARPFOLD_CALLS_USER
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory_type start(path_type const& path) const {
    return payoff.start(path);
  }
  WARPFOLD_CALLS_USER
  template <class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  observe(memory_type& memory, path_type const& path, Step const& now) const {
    payoff.observe(memory, path, now);
  }
  template <class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE kept keep(memory_type const& memory,
                                                        path_type const& path, Step const&) const {
    return {memory, path};
  }
  WARPFOLD_CALLS_USER
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T exercise(kept const& of) const {
    return payoff.exercise(of.memory, of.path);
  }
  WARPFOLD_CALLS_USER
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void regressors(kept const& of, date const&,
                                                              T (&to)[basis]) const {
    payoff.regressors(of.memory, of.path, to);
  }
};

template <class Place, class Model, class Payoff>
void simulate_exercisable(Place& place, Model const& model, Payoff const& payoff,
                          pricing::simulation_options const& options,
                          pricing::exercise_estimate* result, bool blocking,
                          pricing::path_sharing* sharing = nullptr) {
  using T = value_of_model<Model>;
  using right = payoff_right<Model, Payoff>;
  using step = split_step<T>;
  static_assert(discounts_by_time<Payoff>, "double discount(double time) const");
  static_assert(right::basis >= 1 && right::basis <= 11, "1 to 11 regressors");
  path_plan const plan = plan_own_paths(options);
  std::int64_t const regression_paths = regression_paths_of(options);
  exercise_problem<Model, right, step, 1> problem{
      model, split_steps_of<T>(plan), {}, {{payoff, T{1}}}, regression_paths};
  for (double const time : observed_times(plan)) {
    double discount = 1;
    if constexpr (requires { payoff.discount(time); }) discount = payoff.discount(time);
    if (!(static_cast<T>(discount) > 0) || !std::isfinite(static_cast<T>(discount)))
      refuse("payoff.discount", discount, "finite numbers above 0");
    problem.dates.push_back({static_cast<T>(discount)});
  }
  if constexpr (is_gpu<Place>) {
    compile_for_gpu<gpu_walk<Model, Payoff>>();
    detail::exercise_gpu(place, plan, problem, result, blocking, 1 << 20, sharing);
  } else {
    detail::exercise_host(place.threads(), plan, problem, result, exercise_loops{}, sharing);
  }
}

} // namespace warpfold::inline v0::detail
