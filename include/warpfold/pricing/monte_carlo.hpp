#pragma once
// Books of European options by simulation: values and Greeks with their errors.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/input.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <span>

namespace warpfold::inline v0::pricing {

template <class Kinds, class Span>
struct european_book;
template <class Span>
struct simulation_outputs;

/// Books and outputs in memory of a gpu, or of the host.
template <class T>
using device_europeans = european_book<device_span<option_kind const>, device_span<T const>>;
template <class T>
using host_europeans = european_book<std::span<option_kind const>, std::span<T const>>;
using device_estimates = simulation_outputs<device_span<estimate>>;
using host_estimates = simulation_outputs<std::span<estimate>>;

/// Estimates of the options' values and Greeks. Blocks.
template <class T>
void simulate(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
              european_simulation_options const& options = {});
template <class T>
void simulate(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
              european_simulation_options const& options = {});

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. The memory must stay until the work is done. On a host it is
/// simulate().
/// @throws argument_error also for `standard_error` and `progress` on a gpu, which wait for batches
template <class T>
void simulate_async(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                    european_simulation_options const& options = {});
template <class T>
void simulate_async(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
                    european_simulation_options const& options = {}) {
  detail::verb const scope("pricing::simulate_async");
  simulate(place, book, outputs, options);
}

// Contract of every form of the verb.
//
// Elements    float or double: in which payoffs are computed, from normals of that type. They are
//             added in it over at most 128 paths, above that in double. Estimates are double.
// Inputs      NaN, negative spots, strikes, expiries or volatilities, infinities and kinds that are
//             neither call nor put: refused where one value stands for all options; in arrays they
//             give NaN in all outputs of that option and of no other. For a strike K below
//             L = spot / 2^30 a put is K / L of the put with strike L: not less than its own value,
//             by less than K, discounted. A call is that with strike L: less than its own value by
//             up to L, discounted.
// Outputs     One estimate an option; they overlap neither each other nor the book.
// Model       Black and Scholes (1973) and Merton (1973): the final price is log-normal, and a path
//             is one normal number. Path i of stream s is normal i of random::normal's stream s; an
//             antithetic pair is one number, and its negative. Sobol sequences are those of one
//             dimension; their scramblings are of the stream modulo 2^32.
// Memory      The host's form takes 24 bytes (with reduced variances 56, Greeks 136) for each tile
//             of each option, and of each replicate of a Sobol sequence. A group of up to 128
//             options (double: 64; with reduced variances or Greeks 16) has up to 4096 tiles, all
//             groups together not many more.
// Errors      A standard error is the estimated one. sampling::sobol says how often its intervals
//             hold the price. Where few paths pay it is worth little: estimate::too_few_paid. With
//             control_variate it is worth little, too, where few paths do not pay: the final price
//             explains the payoff of all others. In float rounding hides it where
//             volatility sqrt(expiry) is below 0.002.
// Determinism The same bits on every run, for every grid and number of threads. In double, and
//             with bits::portable, the same on a host and every GPU; else in float powers of two
//             are a GPU's own.
// Combining   importance, antithetic and control_variate with each other; antithetic needs an even
//             number of paths. Greeks with importance and antithetic. Sobol sequences with Greeks,
//             importance and independent; `replicates` divides `paths`. A wanted standard error
//             with all but Sobol sequences.
// Scratch     A gpu keeps sums in scratch memory. simulate_async() refuses what there is no room
//             for (gpu::reserve), simulate() makes it.
// Throws      argument_error, before any output is touched: if an array or output has another size
//             than the others or is null with a size; if an output overlaps anything; if there are
//             no paths or more than 2^42; if options do not go together. cuda_error.

/// Calls and puts; option<T> explains the quantities. Arrays have one size, which is the number of
/// options; without arrays, the outputs' size is.
template <class Kinds, class Span>
struct european_book {
  /// As in option<T>.
  input<Kinds> kind;
  input<Span> spot, strike, expiry, volatility, rate, dividend_yield = 0;
};

/// An output that is left out, or empty, is not written. The derivatives are those of valuation<T>,
/// by two ways: pathwise, and by the likelihood ratio, which has larger errors here but would also
/// do for payoffs with jumps. (Gamma has no pathwise estimate, because a payoff has a kink: `gamma`
/// is the pathwise derivative of the likelihood ratio's delta.) Without randomness, where expiry,
/// volatility or spot is 0, gamma and likelihood ratios are NaN; so is delta where spot is 0.
/// P. Glasserman, Monte Carlo Methods in Financial Engineering, 2003, chapter 7.
template <class Span>
struct simulation_outputs {
  /// As in valuation<T>, of the option's kind.
  Span value{};
  Span delta{}, vega{}, rho{}, gamma{};
  Span ratio_delta{}, ratio_vega{}, ratio_rho{}, ratio_gamma{};
};

} // namespace warpfold::inline v0::pricing
