#pragma once
// Options with early exercise on several correlated assets, on simulated paths.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/baskets.hpp>
#include <warpfold/pricing/early_exercise.hpp>
#include <warpfold/span.hpp>

#include <span>

namespace warpfold::inline v0::pricing {

/// A call or put on a number that is selected from the assets' weighted prices: its owner may
/// exercise it at each of the simulation's times from `first_exercise` until `expiry`.
struct bermudan_basket_option {
  std::span<double const> weights{};   ///< one an asset; read before a call returns
  double strike;                       ///< of either sign
  double expiry;                       ///< years: one of the times
  option_kind kind = option_kind::put; ///< of what is exercised
  double first_exercise = 0;           ///< years; no exercise at earlier times
  pricing::selection selection = pricing::selection::weighted_sum; ///< see there
};

/// Writes an estimate of each option's price, from paths of the assets in T: float or double. All
/// options share their paths. Blocks.
template <class T = float>
void simulate(gpu& place, basket const& model, std::span<bermudan_basket_option const> book,
              std::span<exercise_estimate> results, simulation_options const& options);
template <class T = float>
void simulate(host const& place, basket const& model, std::span<bermudan_basket_option const> book,
              std::span<exercise_estimate> results, simulation_options const& options);

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. Model and book are copied before the call returns. On a host it is
/// simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed: 4 sizeof(T) bytes for each regression path and time (8 for more than 4 assets);
///         sizeof(T) for each regression path of an option, with room for one option at least.
///         Besides 324 kB, and 200 kB for each more of up to 64 options (double: 32) that are
///         priced together; 64 bytes (double: 128) for each option and time; 16 (double: 32) a
///         time and 112 (double: 208) a step
template <class T = float>
void simulate_async(gpu& place, basket const& model, std::span<bermudan_basket_option const> book,
                    device_span<exercise_estimate> results, simulation_options const& options);
template <class T = float>
void simulate_async(host const& place, basket const& model,
                    std::span<bermudan_basket_option const> book,
                    std::span<exercise_estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options);
}

// Contract of all of them:
//
// Method      That of early_exercise.hpp with other regressors: 1, h, h^2, h^3, y, x y, y^2, x,
//             x^2, m, m^2, all of them standardised. h is the number that is selected, x and y are
//             the two largest weighted prices and m is the mean, of assets with a weight other than
//             0. For worst_of, x and y are the two smallest. There and for best_of, h is x: h^2 y
//             and h y^2 take the place of x and x^2. For weighted_product, x, y and m are of prices
//             over spots, times weights. (With several assets the payoff belongs among
//             the regressors: P. Glasserman, Monte Carlo Methods in Financial Engineering, 2003,
//             8.6.)
// Model       See baskets.hpp: steps are exact, however long, and end where a volatility changes.
// Numbers     Regression paths take the numbers that contracts take: 4 normals a step for up to 4
//             assets, else 8. Pricing paths take those of stream + 2^62. Not with sampling::sobol.
// Else        Times, antithetic pairs, controls, ranks: see early_exercise.hpp.
// Memory      A host allocates the kept paths, too: 4 sizeof(T) bytes for each regression path and
//             time (8 for more than 4 assets).
// Determinism Bits are equal on every run, for any grid or number of threads, whatever options
//             stand beside one; on host and GPU, too, unless options.bits is native. `independent`
//             options have the streams of stream + i. Another order of the assets gives other
//             paths.
// Throws      argument_error, naming what is wrong: as simulate() of baskets.hpp for models,
//             weights, selections and ranges; as that of early_exercise.hpp for options of exercise
//             and more than 2^31 regression paths; for more than 8 assets; for a strike that is not
//             in T in units of the largest weight times spot, or of the product of spots.
//             cuda_error; std::bad_alloc on a host.

} // namespace warpfold::inline v0::pricing
