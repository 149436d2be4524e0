#pragma once
// Contracts on several correlated assets: sums, spreads, products, best-of and worst-of.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <cstdint>
#include <span>

namespace warpfold::inline v0::pricing {

struct basket;
struct basket_contract;

/// Writes an estimate of each contract's price, from paths of the assets in T: float or double. All
/// contracts look at the same paths. Blocks.
template <class T = float>
void simulate(gpu& place, basket const& model, std::span<basket_contract const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate(host const& place, basket const& model, std::span<basket_contract const> book,
              std::span<estimate> results, simulation_options const& options);

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. Model and book are copied before the call returns. On a host it is
/// simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed: 200 kB for each of up to 64 contracts (double: 32), and 16 bytes (double: 32) a
///         normal
template <class T = float>
void simulate_async(gpu& place, basket const& model, std::span<basket_contract const> book,
                    device_span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate_async(host const& place, basket const& model, std::span<basket_contract const> book,
                    std::span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options);
}

// Contract of all of them:
//
// Model       Black and Scholes's for every asset (Merton, Theory of rational option pricing,
//             1973). The assets' Brownian motions have constant correlations. All assets have the
//             same rate, which discounts; yields may differ. A futures price has a yield equal to
//             the rate. Nothing converts currencies: there is no quanto's drift.
// Steps       Exact, however long. A step ends where a volatility changes, because the assets'
//             covariance is not the product of mean volatilities there. Such a change, and
//             `longest_step`, add steps that contracts do not see.
// Correlation The matrix's factor is Cholesky's with the largest pivot first. Assets may depend on
//             each other: what is below 1e-10 of the unit diagonal counts as rounding.
// Numbers     A step takes 2 normals for 2 assets, 4 for up to 4, 8 for up to 8, else 16. Not with
//             sampling::sobol.
// Controls    There are none: control_variate changes nothing.
// T           Sums over paths are doubles; sums over the times of a path are in T: above some
//             10,000 fixings take double.
// Ranks       <warpfold/comm/pricing.hpp> has the form for a communicator.
// Determinism The same bits on every run, for any grid or number of threads, whatever contracts
//             stand beside one, unless they are `independent`: contract i then has the normals of
//             stream + i. Host and GPU have the same bits unless options.bits is native: they
//             then agree to some units in the last place of T. Another order of the assets gives
//             other paths.
// Throws      argument_error, naming what is wrong, for simulation_options that make no simulation
//             (see simulate.cuh); unless `results` has the book's size; unless there are 2 to 16
//             assets; for an asset's value that is NaN, infinite, or for spots and volatilities
//             negative (a spot of 0 too); for assets with different rates; for a matrix of another
//             size, that is not symmetric, has no unit diagonal or is not positive semidefinite,
//             each to 1e-10; for weights of another number than there are assets, that are not
//             finite, or for selections other than weighted_sum negative or all 0; a strike that is
//             not finite; a measure other than price and arithmetic_average, which weighted_product
//             does not combine with; an expiry that is none of the times, to 1e-9 of it; and for
//             what is finite but not in T: spots, strikes, weights times spots, products of spots
//             or forwards, forwards and volatilities. cuda_error.

/// Correlated assets. The spans are read before a call returns.
struct basket {
  std::span<black_scholes const> assets; ///< 2 to 16, with the same rate
  /// Row-major: element i n + j is the correlation of the logarithms of assets i and j, of n.
  std::span<double const> correlation;
};

/// How a contract makes one number of its assets' prices, each times its weight.
enum class selection : std::uint8_t {
  weighted_sum, ///< negative weights make spreads
  best_of,      ///< the largest of those with a weight other than 0
  worst_of,     ///< the smallest of those with a weight other than 0
  /// The product of prices, each to the power of its weight, which is not negative: a geometric
  /// average if weights add up to 1. On prices at expiry alone.
  weighted_product
};

/// Pays at its expiry, as its settlement says, on a measure m that is selected from the weighted
/// prices. A weight of 1 / spot makes a price a performance.
struct basket_contract {
  std::span<double const> weights{};                               ///< one an asset
  double strike;                                                   ///< of either sign
  double expiry;                                                   ///< years: one of the times
  pricing::settlement settlement = pricing::settlement::call;      ///< see there
  pricing::selection selection = pricing::selection::weighted_sum; ///< see there
  /// price, or arithmetic_average: of each asset's prices at the times until expiry, from which m
  /// is then selected.
  pricing::measure measure = pricing::measure::price;
};

} // namespace warpfold::inline v0::pricing
