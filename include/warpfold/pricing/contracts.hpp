#pragma once
// Contracts on simulated paths of a model: Heston's, or Black and Scholes's with curves, both also
// with jumps. A local volatility is in local_volatility.hpp.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/curve.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <cstdint>
#include <span>

namespace warpfold::inline v0::pricing {

struct black_scholes;
struct heston;
struct contract;

/// Writes an estimate of each contract's price, from paths of the model in T: float or double. All
/// contracts look at the same paths. Blocks.
template <class T = float>
void simulate(gpu& place, black_scholes const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate(host const& place, black_scholes const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate(gpu& place, heston const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate(host const& place, heston const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options);

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. Model and book are copied before the call returns. On a host it is
/// simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed: 200 kB for each of up to 64 contracts (double: 32), and 64 bytes (double: 112) a
///         step, with jumps 128 (double: 304)
template <class T = float>
void simulate_async(gpu& place, black_scholes const& model, std::span<contract const> book,
                    device_span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate_async(gpu& place, heston const& model, std::span<contract const> book,
                    device_span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate_async(host const& place, black_scholes const& model, std::span<contract const> book,
                    std::span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options);
}
template <class T = float>
void simulate_async(host const& place, heston const& model, std::span<contract const> book,
                    std::span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options);
}

// Contract of all of them:
//
// Times       Years. `times`, or the ends of `steps`, are what contracts see: the fixings of
//             averages and variances, and what an expiry may be. `longest_step` adds steps between
//             them.
// Heston      Each step is one of Andersen's scheme QE-M (Efficient simulation of the Heston
//             stochastic volatility model, Journal of Computational Finance 11, 2008). The next
//             variance has the exact mean and variance: it is a squared normal variable, or 0 and
//             exponential where its squared coefficient of variation is above 1.5. The price takes
//             the mean of the variances at both ends. The martingale correction makes the forward
//             price exact. It exists unless the correlation is above 0 and steps are long; a step
//             without it is Andersen's plain scheme. Prices are biased by the length of steps:
//             docs/monte-carlo.md has figures. Take steps of 1/8 of a year or less, and of less
//             than 1 / reversion. A vol_of_vol below 1e-5 counts as 0, where the variance is exact.
// Black-Scholes  Exact for any steps.
// Jumps       Exact for any steps, too. A uniform number makes the number of a step's jumps, the
//             same on host and GPU, with probabilities to 2^-33 (double: 1e-16). Given it, jumps
//             add to the mean and the variance of the step's normal number. Drift makes the forward
//             exact. A step in which more than one jump is expected, each times its factor if that
//             is above 1, is divided; contracts do not see where. An intensity of 0 has the bits of
//             a model without jumps.
// Numbers     Besides a normal number a step takes a uniform number: path p with n steps has
//             samples p m ... p m + n - 1 of stream + 2^63, m being n rounded up to a multiple of 4
//             (double: 2). With jumps a step takes two, and a path 2 n: first that of the variance.
//             An antithetic path has 1 - u. Not with sampling::sobol.
// Controls    There are none: control_variate changes nothing.
// T           Sums over paths are doubles; sums over the times of a path are in T: above some
//             10,000 fixings take double.
// Ranks       <warpfold/comm/pricing.hpp> has the form for a communicator.
// Determinism The same bits on every run, for any grid or number of threads, whatever contracts
//             stand beside one, unless they are `independent`: contract i then has the normals and
//             uniforms of stream + i. Host and GPU have the same bits unless options.bits is
//             native: they then agree to some units in the last place of T.
// Throws      argument_error, naming what is wrong, for simulation_options that make no simulation
//             (see simulate.cuh); unless `results` has the book's size; for a model's value that is
//             NaN, infinite, negative (a spot of 0 too) or a correlation outside [-1, 1]; rates,
//             yields, correlations and the mean of jumps may be negative; for jumps that make more
//             than 2^20 steps; for a negative or infinite strike; an expiry that is none of the
//             times, to 1e-9 of it, or 0 for a variance; and for what is finite but not in T:
//             spots, strikes, forwards and the constants of steps; for jumps with an expected
//             factor above 100. cuda_error.

/// Jumps of the price at random times (R. C. Merton, Option pricing when underlying stock returns
/// are discontinuous, Journal of Financial Economics 3, 1976): a jump multiplies it by exp(J), J
/// being normal. Drift is lower by intensity (E exp(J) - 1), so that the forward is what it is
/// without jumps.
struct jumps {
  double intensity = 0; ///< expected number a year, Poisson's; 0 for no jumps
  double mean = 0;      ///< of J: -0.1 is a price that falls by some 10 %
  double deviation = 0; ///< standard deviation of J
};

/// Black and Scholes's model with curves (Merton, Theory of rational option pricing, 1973).
struct black_scholes {
  double spot;              ///< price of the underlying
  curve volatility;         ///< per square root of a year
  curve rate;               ///< continuously compounded, a year
  curve dividend_yield = 0; ///< continuously compounded, a year
  pricing::jumps jumps{};   ///< Merton's model (1976); only contracts take them
};

/// Heston's model (A closed-form solution for options with stochastic volatility, Review of
/// Financial Studies 6, 1993): the variance v of the price's returns follows
/// dv = reversion (mean - v) dt + vol_of_vol sqrt(v) dW. With jumps it is Bates's (Jumps and
/// stochastic volatility, Review of Financial Studies 9, 1996).
struct heston {
  double spot;              ///< price of the underlying
  curve rate;               ///< continuously compounded, a year
  curve dividend_yield = 0; ///< continuously compounded, a year
  double variance;          ///< at the start, a year: 0.04 is a volatility of 20 %
  double reversion;         ///< speed at which the variance returns to its mean, a year
  double mean;              ///< of the variance in the long run
  double vol_of_vol;        ///< volatility of the variance
  double correlation;       ///< of price and variance, from -1 to 1
  pricing::jumps jumps{};   ///< Bates's model; only contracts take them
};

/// The quantity that a contract pays on.
enum class measure : std::uint8_t {
  price,              ///< at expiry
  arithmetic_average, ///< of the prices at the times until expiry
  geometric_average,  ///< of the same
  /// Sum of the squared logarithmic returns from 0 until expiry, over the expiry in years.
  realized_variance
};

/// How a contract pays on a measure m.
enum class settlement : std::uint8_t {
  call,         ///< max(m - strike, 0)
  put,          ///< max(strike - m, 0)
  forward,      ///< m - strike
  digital_call, ///< 1 where m is above the strike, else 0
  digital_put   ///< 1 where m is below the strike, else 0
};

/// Pays on a measure m of the path, at its expiry.
struct contract {
  double strike;                                              ///< in the measure's unit
  double expiry;                                              ///< years: one of the times
  pricing::settlement settlement = pricing::settlement::call; ///< see there
  pricing::measure measure = pricing::measure::price;         ///< what it pays on
};

} // namespace warpfold::inline v0::pricing
