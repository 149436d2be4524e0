#pragma once
// Simulations of a user's model and payoff: what they may leave out, and the way to their place.

#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/comm/share_paths.hpp>
#include <warpfold/detail/core/gpu_calls.cuh>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/core/verbs.hpp>
#include <warpfold/detail/pricing/path_host.hpp>
#include <warpfold/detail/pricing/paths.cuh>
#include <warpfold/detail/reduction/arguments.hpp>

#include <array>
#include <concepts>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::detail {

/// A model: what has its value_type and its start().
template <class Model>
concept path_model = requires(Model const& model) {
  typename Model::value_type;
  model.start();
};
/// A payoff for the model: what has its start().
template <class Payoff, class Model>
concept path_payoff = path_model<Model> && requires(Payoff const& payoff, Model const& model) {
  payoff.start(model.start());
};

template <class Payoff>
using path_estimates = std::array<pricing::estimate, path_results<Payoff>>;

/// The only estimate, or all of several.
template <std::size_t count>
auto one_or_all(std::array<pricing::estimate, count> const& all) {
  if constexpr (count == 1) return all[0];
  else return all;
}

template <class Payoff, class Span>
void check_estimates(Span results) {
  constexpr std::size_t count = path_results<Payoff>;
  if (results.size() != count)
    refuse("results", text(results.size(), " elements"), text(count, ", as the payoff has"));
  check_result(results.data(), 1, "results");
}

template <class Payoff>
inline constexpr bool has_control = requires(Payoff const& p) {
  p.control_mean();
}
|| requires(Payoff const& p) { p.control_mean(0); };

template <class Payoff>
std::vector<path_finish> finish_of(Payoff const& payoff) {
  std::vector<path_finish> all;
  for (int k = 0; k < path_results<Payoff>; ++k) {
    path_finish one{1, 0};
    if constexpr (requires { payoff.discount(k); }) one.discount = payoff.discount(k);
    else if constexpr (requires { payoff.discount(); }) one.discount = payoff.discount();
    if constexpr (requires { payoff.control_mean(k); }) one.control_mean = payoff.control_mean(k);
    else if constexpr (requires { payoff.control_mean(); })
      one.control_mean = payoff.control_mean();
    all.push_back(one);
  }
  return all;
}

/// How kernels use a user's model and payoff.
template <class Model, class Payoff>
struct gpu_walk {
  using T = value_of_model<Model>;
  template <class Value>
  __device__ static pricing::path_value<T> converted(Value const& of) {
    if constexpr (std::convertible_to<Value, T>) return {of, T{0}};
    else return of;
  }
  __device__ void on_gpu(Model const& model, Payoff const& payoff,
                         T const (&z)[normals_per_step<Model>],
                         pricing::path_step<T> const& now) const {
    auto path = model.start();
    if constexpr (requires { model.step(path, z, now); }) model.step(path, z, now);
    else if constexpr (requires { model.step(path, z[0], now); }) model.step(path, z[0], now);
    auto seen = payoff.start(path);
    if constexpr (requires { payoff.observe(seen, path, now); }) payoff.observe(seen, path, now);
    if constexpr (requires { payoff.value(seen, path, 0); }) converted(payoff.value(seen, path, 0));
    else if constexpr (requires { payoff.value(seen, path); }) converted(payoff.value(seen, path));
    if constexpr (requires { Payoff::basis; }) {
      static_cast<void>(payoff.exercise(seen, path));
      T regressors[Payoff::basis];
      payoff.regressors(seen, path, regressors);
    }
  }
};

/// Writes the estimates to memory of the place. On a gpu it enqueues, and grows the workspace if
/// `blocking`. `sharing` is null where nobody else takes part.
template <class Place, class Model, class Payoff>
void simulate_payoff(Place& place, Model const& model, Payoff const& payoff,
                     pricing::simulation_options const& options, pricing::estimate* results,
                     bool blocking, pricing::path_sharing* sharing = nullptr) {
  path_plan plan = plan_own_paths(options);
  plan.ending.control = plan.ending.control && has_control<Payoff>;
  constexpr int numbers = normals_per_step<Model> + uniforms_per_step<Model>;
  if (plan.quasi && numbers != 1)
    refuse("options.sampling", text("sobol with ", numbers, " numbers a step"),
           "philox, or a model with one normal a step");
  single_path_problem<Model, Payoff> const problems{model, payoff};
  if constexpr (is_gpu<Place>) {
    compile_for_gpu<gpu_walk<Model, Payoff>>();
    detail::simulate_gpu(place, plan, problems, detail::finish_of(payoff), results,
                         path_results<Payoff>, blocking, 1 << 20, sharing);
  } else {
    detail::simulate_host(place.threads(), plan, problems, detail::finish_of(payoff), results,
                          path_results<Payoff>, plain_walk{}, sharing);
  }
}

} // namespace warpfold::inline v0::detail
