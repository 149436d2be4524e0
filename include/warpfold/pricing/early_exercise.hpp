#pragma once
// Options with early exercise, on simulated paths of a model.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <concepts>
#include <span>

namespace warpfold::inline v0::pricing {

/// A call or put that its owner may exercise at each of the simulation's times from
/// `first_exercise` until `expiry`. Many times approximate an American option: with n times a year
/// it is worth less by an order of 1 / n.
struct bermudan_option {
  double strike;                       ///< in the unit of the spot
  double expiry;                       ///< years: one of the times
  option_kind kind = option_kind::put; ///< of what is exercised
  double first_exercise = 0;           ///< years; no exercise at earlier times
};

/// The price of an option with early exercise.
struct exercise_estimate {
  /// From independent paths and the rules that the regression paths gave. Its expectation is at
  /// most the option's price on simulated paths, as no rule is better than the best one.
  /// `price.paying` counts paths that pay something, at any time.
  estimate price;
  double in_sample; ///< the mean of the regression paths themselves: their rules know their future
  int regressions;  ///< times whose rule is a regression's; at others before expiry no exercise
  int least_rank;   ///< the fewest regressors that one of them kept; 0 without regressions
};

/// Writes an estimate of each option's price, from paths of the model in T: float or double. All
/// options share their paths. Blocks.
template <class T = float>
void simulate(gpu& place, black_scholes const& model, std::span<bermudan_option const> book,
              std::span<exercise_estimate> results, simulation_options const& options);
template <class T = float>
void simulate(host const& place, black_scholes const& model, std::span<bermudan_option const> book,
              std::span<exercise_estimate> results, simulation_options const& options);
template <class T = float>
void simulate(gpu& place, heston const& model, std::span<bermudan_option const> book,
              std::span<exercise_estimate> results, simulation_options const& options);
template <class T = float>
void simulate(host const& place, heston const& model, std::span<bermudan_option const> book,
              std::span<exercise_estimate> results, simulation_options const& options);

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. Model and book are copied before the call returns. On a host it is
/// simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed: sizeof(T) bytes for each regression path and time (heston: twice as many); as
///         many for each regression path of an option, with room for one option at least; 200 kB
///         for each of up to 64 options (double: 32) that are priced together, and 64 kB; up to 96
///         bytes for each option and time; 32 (double: 64) a time, and as many a step (heston: 128
///         and 224)
template <class T = float>
void simulate_async(gpu& place, black_scholes const& model, std::span<bermudan_option const> book,
                    device_span<exercise_estimate> results, simulation_options const& options);
template <class T = float>
void simulate_async(gpu& place, heston const& model, std::span<bermudan_option const> book,
                    device_span<exercise_estimate> results, simulation_options const& options);
template <class T = float, class Model>
requires std::same_as<Model, black_scholes> || std::same_as<Model, heston>
void simulate_async(host const& place, Model const& model, std::span<bermudan_option const> book,
                    std::span<exercise_estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options);
}

// Contract of all of them:
//
// Method      Least squares (F. A. Longstaff, E. S. Schwartz, Valuing American options by
//             simulation, Review of Financial Studies 14, 2001). From the last time back,
//             discounted payments of the regression paths in the money are regressed on 1, x, x^2,
//             x^3; x is the price of the underlying (Heston: and on v, v^2, x v, where v is the
//             variance), both standardised. An option is exercised where that pays
//             more than the fit. Independent paths then give the price.
// Regression  Sums over a warp's paths are in T, those of all and the solution in double. A
//             regressor that depends on those before is left out: its pivot is below 1e-12 (float:
//             1e-7) of its square's sum.
//             At a time with fewer than four paths in the money a regressor there is no exercise.
//             Exercise at time 0, if that is one of the times, compares the payment with the mean.
// Times       Exercise is possible at `times`, or the ends of `steps`; `longest_step` adds steps
//             between them. Black and Scholes's model is exact for any steps, Heston's is biased:
//             see contracts.hpp.
// Numbers     Regression path p takes the numbers that path p of contracts takes from `stream`.
//             Pricing paths take those of stream + 2^62. Antithetic pairs are of pricing paths.
//             Not with sampling::sobol.
// Controls    There are none: control_variate changes nothing.
// Ranks       <warpfold/comm/pricing.hpp> has the form for a communicator. Ranks share the pricing
//             paths; each repeats all regressions.
// Concurrency On a GPU the regressions of a single option are one cooperative kernel, if all of its
//             blocks have room at the same time. It starts once other streams' work leaves that
//             room. A stream of fewer multiprocessors than its device has (a green context) may
//             fail then.
// Memory      A host allocates the kept paths, too: sizeof(T) bytes for each regression path and
//             time (heston: twice as many). simulate() of a book makes a gpu's workspace hold,
//             beside what paths kept, the worth of as many options as 1 GiB has room for; others
//             take turns.
// Determinism Bits are equal on every run, for any grid or number of threads, whatever options
//             stand beside one; on host and GPU, too, unless options.bits is native. Exercise is
//             decided by comparisons, so everything that they compare has the same bits then. With
//             native bits in float GPU and host may decide differently on paths near a rule: prices
//             agree within a part of their standard error. `independent` options have the streams
//             of stream + i.
// Throws      argument_error, naming what is wrong, as simulate() of contracts; also for a
//             first_exercise after the expiry, negative or not finite, and more than 2^31
//             regression paths. cuda_error; std::bad_alloc on a host.

} // namespace warpfold::inline v0::pricing
