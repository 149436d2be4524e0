#pragma once
// Monte Carlo of a model and a payoff of your own; needs nvcc.

#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/detail/pricing/simulate.cuh>
#include <warpfold/detail/pricing/simulate_exercise.cuh>
#include <warpfold/pricing/early_exercise.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/pricing/simulation.hpp>

namespace warpfold::inline v0::pricing {

/// The payoff's mean over the model's paths: an estimate, or a std::array of one for each of
/// several results. Blocks.
///
/// Determinism  The same bits on every run, for every grid and number of threads. Compiled without
///              contraction (-fmad=false, and -ffp-contract=off for the host), host and GPU walk
///              the same paths with the same normals: what they differ by is the model's and the
///              payoff's own arithmetic.
/// Throws       argument_error, naming the option, if there are no paths or no steps; an odd number
///              of antithetic paths; times that are not finite, negative or not increasing; both
///              steps and times; a confidence outside (0, 1). With sampling::sobol also for models
///              with several normals a step, independent or antithetic paths, and replicates that
///              are not from 2 to 128 or do not divide the paths. cuda_error.
template <class Place, detail::path_model Model, detail::path_payoff<Model> Payoff>
auto simulate(Place&& place, Model const& model, Payoff const& payoff,
              simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  using estimates = detail::path_estimates<Payoff>;
  return detail::one_or_all(detail::compute_now<estimates>(place, [&](estimates* results) {
    detail::simulate_payoff(place, model, payoff, options, results->data(), true);
  }));
}

/// simulate() by all ranks of a communicator, which all return the same bits, for any number of
/// them. Blocks.
/// @throws what the other form throws, and then the other ranks throw communication_error, as all
///         do if they have different options, discounts or controls
template <class Place, detail::path_model Model, detail::path_payoff<Model> Payoff>
auto simulate(communicator<Place>& comm, Model const& model, Payoff const& payoff,
              simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  using estimates = detail::path_estimates<Payoff>;
  return detail::one_or_all(detail::collective(comm).guarded([&] {
    auto const sharing = detail::share_paths(comm);
    return detail::compute_now<estimates>(comm.place(), [&](estimates* results) {
      detail::simulate_payoff(comm.place(), model, payoff, options, results->data(), true,
                              sharing.get());
    });
  }));
}

/// Enqueues the same, with the same bits, and returns: it neither allocates nor waits, and can be
/// captured in a CUDA graph. `results`, a device_span, has an element for each of the payoff's. On
/// a host it is simulate(), and `results` a std::span.
/// @throws argument_error also if the place's workspace is too small: the message says which
///         gpu::reserve is needed. 1 MiB, which there always is, is enough for one result of random
///         numbers and 26,000 steps in float or 13,000 in double.
template <detail::path_model Model, detail::path_payoff<Model> Payoff>
void simulate_async(gpu& place, Model const& model, Payoff const& payoff,
                    device_span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  detail::check_estimates<Payoff>(results);
  detail::simulate_payoff(place, model, payoff, options, results.data(), false);
}
template <detail::path_model Model, detail::path_payoff<Model> Payoff>
void simulate_async(host const& place, Model const& model, Payoff const& payoff,
                    std::span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  detail::check_estimates<Payoff>(results);
  detail::simulate_payoff(place, model, payoff, options, results.data(), false);
}

/// The price of a payoff that may be exercised at every time, by least squares: see
/// <warpfold/pricing/early_exercise.hpp>, whose contract holds but for what follows. Blocks.
///
/// Memory       A regression path keeps the payoff's memory and the model's state of every time.
/// Determinism  Bits are equal on every run, for every grid and number of threads. Host and GPU
///              have equal bits, too, if the model's and the payoff's own arithmetic has.
/// Throws       argument_error, naming the argument, as the other forms; for sampling::sobol; for a
///              discount that is not finite and above 0. cuda_error.
template <class Place, detail::path_model Model, detail::exercisable_payoff<Model> Payoff>
exercise_estimate simulate(Place&& place, Model const& model, Payoff const& payoff,
                           simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  return detail::compute_now<exercise_estimate>(place, [&](exercise_estimate* result) {
    detail::simulate_exercisable(place, model, payoff, options, result, true);
  });
}

/// The price by all ranks of a communicator, which return equal bits, for any number of them. Ranks
/// share the pricing paths; each learns the rules by itself from all regression paths. Blocks.
/// @throws what the other form throws, and then the other ranks throw communication_error, as all
///         do if they have different options
template <class Place, detail::path_model Model, detail::exercisable_payoff<Model> Payoff>
exercise_estimate simulate(communicator<Place>& comm, Model const& model, Payoff const& payoff,
                           simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  return detail::collective(comm).guarded([&] {
    auto const sharing =
        detail::share_paths(comm, static_cast<std::uint64_t>(detail::regression_paths_of(options)));
    return detail::compute_now<exercise_estimate>(comm.place(), [&](exercise_estimate* result) {
      detail::simulate_exercisable(comm.place(), model, payoff, options, result, true,
                                   sharing.get());
    });
  });
}

/// Enqueues the same, with the same bits, and returns: it neither allocates nor waits, and can be
/// captured in a CUDA graph. `result` has one element. On a host it is simulate().
/// @throws argument_error also if the place's workspace is too small: the message says which
///         gpu::reserve is needed
template <detail::path_model Model, detail::exercisable_payoff<Model> Payoff>
void simulate_async(gpu& place, Model const& model, Payoff const& payoff,
                    device_span<exercise_estimate> result, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  detail::check_result(result.data(), result.size(), "result");
  detail::simulate_exercisable(place, model, payoff, options, result.data(), false);
}
template <detail::path_model Model, detail::exercisable_payoff<Model> Payoff>
void simulate_async(host const& place, Model const& model, Payoff const& payoff,
                    std::span<exercise_estimate> result, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  detail::check_result(result.data(), result.size(), "result");
  detail::simulate_exercisable(place, model, payoff, options, result.data(), false);
}

// clang-format off

// Contract of models and payoffs.
//
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
//                                      at every time; with longest_step `now` is the step since
//                                      the time before, of which a model may see several
//   T value(seen const&, state const&) const;
//                                      with several results (..., int k), unrolled;
//                                      or path_value<T>{payoff, control} instead of T
// and, on the host only, with (int k) or without,
//   double discount() const;           multiplies the mean payoff; 1 if left out
//   double control_mean() const;       the control's known expectation; needed for a control
//
// All but the last two are called by the place: WARPFOLD_HOST_DEVICE.
//
// A payoff that may be exercised at every time has, in place of value, control and discount, the
// following; states and memories can be made without arguments.
//   static constexpr int basis = 4;    regressors, 1 to 11
//   T exercise(seen const&, state const&) const;
//                                      the payment; 0 or less where nobody would exercise
//   void regressors(seen const&, state const&, T (&to)[basis]) const;
//                                      functions of the path whose combination is to tell what not
//                                      exercising is worth: the first is 1; the others are of the
//                                      order of 1 and centred, or float loses digits. A time
//                                      with one that is not finite has no exercise
//   double discount(double time) const;
//                                      on the host only: worth at time 0 of 1 paid then; 1 if left
//                                      out

// clang-format on

/// 2^x, to 2 units in the last place, 0 below the normal numbers; x is below 127, or 1023.
/// power_of_two(x) is native: as fast as the place can. power_of_two(x, how) is as `how` says.
using warpfold::detail::power_of_two;

/// A model: prices with constant volatility, rate and dividend yield (Black and Scholes 1973,
/// Merton 1973). Times are years. Works at once where it is called, and never throws.
template <class T>
class geometric_brownian_motion {
public:
  using value_type = T;
  /// The moving quantities.
  struct state {
    T motion, price; ///< the price's Brownian motion; spot 2^(drift time + deviation motion)
  };

  /// Strike and expiry are not looked at. `how`: of the power that a step takes. Native, because
  /// a step is 20 instructions longer otherwise.
  explicit geometric_brownian_motion(option<double> const& terms, bits how = bits::native)
      : how_{how}, spot_{static_cast<T>(terms.spot)},
        drift_{static_cast<T>(
            (terms.rate - terms.dividend_yield - terms.volatility * terms.volatility / 2) *
            log2_e)},
        deviation_{static_cast<T>(terms.volatility * log2_e)} {}

  /// The spot.
  WARPFOLD_HOST_DEVICE state start() const { return {T{0}, spot_}; }
  /// Moves it by a normal number.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(state& path, T z,
                                                        path_step<T> const& now) const {
    path.motion = std::fma(now.root, z, path.motion);
    path.price = spot_ * power_of_two(std::fma(deviation_, path.motion, drift_ * now.time), how_);
  }

private:
  static constexpr double log2_e = 1.4426950408889634;
  bits how_;
  T spot_, drift_, deviation_;
};

} // namespace warpfold::inline v0::pricing
