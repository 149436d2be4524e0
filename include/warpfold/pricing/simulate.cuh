#pragma once
// Monte Carlo of a model and a payoff of your own; needs nvcc.
//
// clang-format off
// A model is what moves: a trivially copyable struct with
//   using value_type = float;          or double
//   static constexpr int normals = 1;  that a step takes; may be left out
//   state start() const;               any trivially copyable type
//   void step(state&, T z, path_step<T> const& now) const;
//                                      with several normals T const (&z)[normals]
//
// A payoff is what looks at it: a trivially copyable struct with
//   static constexpr int results = 1;  values of one path, at most 16; may be left out
//   seen start(state const&) const;    what it remembers of a path
//   void observe(seen&, state const&, path_step<T> const& now) const;
//                                      after every step
//   T value(seen const&, state const&) const;
//                                      with several results (..., int k), unrolled;
//                                      or path_value<T>{payoff, control} instead of T
// and, on the host only, with (int k) or without,
//   double discount() const;           multiplies the mean payoff; 1 if left out
//   double control_mean() const;       the control's known expectation; needed for a control
//
// All but the last two are called by the place: WARPFOLD_HOST_DEVICE.
// clang-format on

#include <warpfold/detail/comm/share_paths.hpp>
#include <warpfold/detail/core/verbs.hpp>
#include <warpfold/detail/pricing/path_host.hpp>
#include <warpfold/detail/pricing/paths.cuh>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/pricing/simulation.hpp>

#include <array>

namespace warpfold::inline v0::pricing {

namespace detail_of_simulate {

namespace d = warpfold::detail;

template <class Payoff>
std::vector<d::path_finish> finish_of(Payoff const& payoff) {
  std::vector<d::path_finish> all;
  for (int k = 0; k < d::path_results<Payoff>; ++k) {
    d::path_finish one{1, 0};
    if constexpr (requires { payoff.discount(k); }) one.discount = payoff.discount(k);
    else if constexpr (requires { payoff.discount(); }) one.discount = payoff.discount();
    if constexpr (requires { payoff.control_mean(k); }) one.control_mean = payoff.control_mean(k);
    else if constexpr (requires { payoff.control_mean(); })
      one.control_mean = payoff.control_mean();
    all.push_back(one);
  }
  return all;
}

template <class Payoff>
inline constexpr bool has_control = requires(Payoff const& p) {
  p.control_mean();
}
|| requires(Payoff const& p) { p.control_mean(0); };

template <class Model, class Payoff>
void run(auto& place, Model const& model, Payoff const& payoff, simulation_options const& options,
         estimate* results, bool blocking, path_sharing* sharing = nullptr) {
  d::path_plan plan = d::plan_paths(options);
  plan.ending.control = plan.ending.control && has_control<Payoff>;
  if (plan.quasi && d::normals_per_step<Model> != 1)
    throw argument_error("options.from", "Sobol's sequence is for models with one normal a step");
  d::single_path_problems<Model, Payoff> const problems{{model, payoff}};
  if constexpr (std::same_as<std::remove_cvref_t<decltype(place)>, gpu>)
    d::simulate_gpu(place, plan, problems, finish_of(payoff), results, d::path_results<Payoff>,
                    blocking, 1 << 20, sharing);
  else
    d::simulate_host(place.threads(), plan, problems, finish_of(payoff), results,
                     d::path_results<Payoff>, d::plain_walk{}, sharing);
}

} // namespace detail_of_simulate

/// 2^x, to 2 units in the last place, as fast as the place can: what built-in payoffs use. 0 below
/// the normal numbers; x is below 127, or 1023.
using warpfold::detail::power_of_two;

/// A model: prices with constant volatility, rate and dividend yield (Black and Scholes 1973,
/// Merton 1973). Times are years. Works at once where it is called, and never throws.
template <class T>
class geometric_brownian_motion {
public:
  using value_type = T;
  /// What moves.
  struct state {
    T motion, price; ///< the price's Brownian motion; spot 2^(drift time + deviation motion)
  };

  /// Strike and expiry are not looked at.
  explicit geometric_brownian_motion(option<double> const& of)
      : spot_{static_cast<T>(of.spot)}, drift_{static_cast<T>((of.rate - of.dividend_yield -
                                                               of.volatility * of.volatility / 2) *
                                                              log2_e)},
        deviation_{static_cast<T>(of.volatility * log2_e)} {}

  /// The spot.
  WARPFOLD_HOST_DEVICE state start() const { return {T{0}, spot_}; }
  /// Moves it by a normal number.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(state& now, T z,
                                                        path_step<T> const& by) const {
    now.motion = std::fma(by.root, z, now.motion);
    now.price = spot_ * power_of_two(std::fma(deviation_, now.motion, drift_ * by.time));
  }

private:
  static constexpr double log2_e = 1.4426950408889634;
  T spot_, drift_, deviation_;
};

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

/// The payoff's mean over the model's paths: an estimate, or a std::array of one for each of
/// several results. Blocks.
///
/// Determinism  The same bits on every run, for every grid and number of threads. Compiled without
///              contraction (-fmad=false, and -ffp-contract=off for the host), host and GPU walk
///              the same paths with the same normals: what they differ by is the model's and the
///              payoff's own arithmetic.
/// Paths        simulation_options says how many, when they are looked at, and their normals.
/// Throws       argument_error, naming the option, if there are no paths or no steps; an odd number
///              of antithetic paths; times that are not finite, negative or not increasing; both
///              steps and times; a confidence outside (0, 1). cuda_error.
template <class Place, path_model Model, path_payoff<Model> Payoff>
auto simulate(Place&& place, Model const& model, Payoff const& payoff,
              simulation_options const& options) {
  constexpr int count = warpfold::detail::path_results<Payoff>;
  auto const all = warpfold::detail::compute_now<std::array<estimate, count>>(place, [&](auto* to) {
    detail_of_simulate::run(place, model, payoff, options, to->data(), true);
  });
  if constexpr (count == 1) return all[0];
  else return all;
}

/// The same by all ranks of a communicator, which all return it: the same bits for any number of
/// them. Blocks.
/// @throws what the other form throws, and then the other ranks throw communication_error, as all
///         do if they have different options, discounts or controls
template <class Place, path_model Model, path_payoff<Model> Payoff>
auto simulate(communicator<Place>& over, Model const& model, Payoff const& payoff,
              simulation_options const& options) {
  constexpr int count = warpfold::detail::path_results<Payoff>;
  auto const all = over.guarded([&] {
    auto const sharing = warpfold::detail::share_paths(over);
    return warpfold::detail::compute_now<std::array<estimate, count>>(over.place(), [&](auto* to) {
      detail_of_simulate::run(over.place(), model, payoff, options, to->data(), true,
                              sharing.get());
    });
  });
  if constexpr (count == 1) return all[0];
  else return all;
}

/// Enqueues the same, with the same bits, and returns: it neither allocates nor waits, and can be
/// captured in a CUDA graph. `results` has an element for each of the payoff's.
/// @throws argument_error also if the place's workspace is too small: the message says which
///         gpu::reserve is needed. 1 MiB, which there always is, is enough for one result of random
///         numbers and 30,000 times.
template <path_model Model, path_payoff<Model> Payoff>
void simulate_async(gpu& place, Model const& model, Payoff const& payoff,
                    simulation_options const& options, device_span<estimate> results) {
  constexpr std::size_t count = warpfold::detail::path_results<Payoff>;
  if (results.size() != count)
    throw argument_error("results", std::to_string(results.size()) + " elements for " +
                                        std::to_string(count) + " values");
  warpfold::detail::check_result(results.data(), 1, "results");
  detail_of_simulate::run(place, model, payoff, options, results.data(), false);
}

} // namespace warpfold::inline v0::pricing
