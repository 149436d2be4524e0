#pragma once
// Whole books of European options by simulation: values and Greeks with their errors.

#include <warpfold/execution.hpp>
#include <warpfold/pricing/estimate.hpp>
#include <warpfold/pricing/input.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/pricing/sampling.hpp>
#include <warpfold/span.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

namespace warpfold::inline v0::pricing {

/// Calls and puts; see option<T> for what the quantities are. Arrays have one size, which is the
/// number of options; where there is none, the outputs' size is.
template <class Kinds, class Span>
struct european_book {
  /// As in option<T>.
  input<Kinds> kind;
  input<Span> spot, strike, expiry, volatility, rate, dividend_yield = 0;
};

/// Where results go. An output that is left out, or empty, is not written. The derivatives are
/// those of valuation<T>, by two ways: pathwise, and by the likelihood ratio, which has larger
/// errors here but would also do for payoffs with jumps. (Gamma has no pathwise estimate, because a
/// payoff has a kink: `gamma` is the pathwise derivative of the likelihood ratio's delta.) Without
/// randomness, where expiry, volatility or spot is 0, gamma and likelihood ratios are NaN; so is
/// delta where spot is 0. P. Glasserman, Monte Carlo Methods in Financial Engineering, 2003,
/// chapter 7.
template <class Span>
struct simulation_outputs {
  /// As in valuation<T>, of the option's kind.
  Span value{};
  Span delta{}, vega{}, rho{}, gamma{};
  Span ratio_delta{}, ratio_vega{}, ratio_rho{}, ratio_gamma{};
};

/// Books and outputs in memory of a gpu, or of the host.
template <class T>
using device_europeans = european_book<device_span<option_kind const>, device_span<T const>>;
template <class T>
using host_europeans = european_book<std::span<option_kind const>, std::span<T const>>;
using device_estimates = simulation_outputs<device_span<estimate>>;
using host_estimates = simulation_outputs<std::span<estimate>>;

/// How far a simulation is.
struct simulation_progress {
  std::uint64_t paths;      ///< an option, so far
  std::uint64_t most_paths; ///< monte_carlo_options::paths
  double standard_error;    ///< the largest of the values
};

/// How many paths, from which random numbers, and what makes errors smaller. To be used with
/// designated initialisers.
struct monte_carlo_options {
  std::uint64_t paths = std::uint64_t{1} << 20; ///< an option
  std::uint64_t seed = 0;                       ///< of the normals: see <warpfold/random.hpp>
  std::uint64_t stream = 0;                     ///< of the normals, or of the first option's
  double confidence = 0.95;                     ///< of the intervals, between 0 and 1

  /// All options are priced with the same paths, those of `stream`; else option i has those of
  /// stream + i to itself, and errors of different options are independent of each other.
  bool independent = false;
  /// Every other path is the mirror image of the one before: a sample is the mean of the two.
  bool antithetic = false;
  /// Corrects the value by what the mean of the final price of the underlying is off. The
  /// coefficient is estimated from the same paths, which makes the value biased: by order
  /// 1 / samples, where its standard error is of order 1 / sqrt(samples).
  bool control_variate = false;
  /// Options that fewer than one path in 44 pays for (two standard deviations) are priced with
  /// paths that drift to where they do, weighted by the likelihood ratio, and without control
  /// variate. In float for no more than nine deviations: weights are too small from there on.
  bool importance = false;
  sampling from = sampling::philox; ///< where the normals come from
  /// Of Sobol sequences; at least 8, and 128 for levels above 95 %: see sampling::sobol.
  std::uint32_t replicates = 32;

  /// Above 0, and in blocking calls only: the paths are simulated in batches, each as large as all
  /// before it, until `paths` are done or no value's standard error is larger than this, and none
  /// has had too few paths that paid.
  double standard_error = 0;
  /// Called after every batch, by the calling thread. If it returns false no more are simulated;
  /// the results are those of the paths so far.
  std::function<bool(simulation_progress const&)> progress{};
};

// What holds for every form of the verb.
//
// Elements    float or double: in which payoffs are computed, from normals of that type. They are
//             added in it over at most 128 paths, above that in double. Estimates are double.
// Inputs      NaN, negative spots, strikes, expiries or volatilities and infinities: refused where
//             one value stands for all options; in arrays they give NaN in all outputs of that
//             option and of no other. Of a strike K below L = spot / 2^30 a put has K / L of the
//             value of one with strike L: not less than its own, by less than K, discounted.
// Outputs     One estimate an option; they overlap neither each other nor the book.
// Model       Black and Scholes (1973) and Merton (1973): the final price is log-normal, and a path
//             is one normal number. Path i of stream s is normal i of random::normal's stream s; an
//             antithetic pair is one number, and its negative. Sobol sequences are those of one
//             dimension; their scramblings are of the stream modulo 2^32.
// Memory      The host's form takes 24 bytes (with reduced variances 56, Greeks 136) for each of up
//             to 2048 tiles of each option, and of each replicate of a Sobol sequence.
// Errors      A standard error is the estimated one. How often intervals of Sobol sequences hold
//             the price stands at sampling::sobol. Where few paths pay it is worth little:
//             estimate::too_few_paid. So it is, with control_variate, where few paths do not pay:
//             what all others pay, the final price explains. In float it is lost to rounding where
//             volatility sqrt(expiry) is below 0.002.
// Determinism The same bits on every run and every GPU, for every grid. A host's results differ in
//             the last digits, since its sums have another tree and, in float, a GPU takes powers
//             of two from its own instruction; they do not depend on the number of threads.
// Combining   importance, antithetic and control_variate with each other; antithetic needs an even
//             number of paths. Greeks with importance and antithetic. Sobol sequences with Greeks,
//             importance and independent; `replicates` divides `paths`. A wanted standard error
//             with all but Sobol sequences.
// Scratch     A gpu keeps sums in scratch memory. The form with _async refuses what there is no
//             room for (gpu::reserve), the others make it.
// Throws      argument_error, before any output is touched, if an array or output has another size
//             than the others or is null with a size, if an output overlaps anything, if there are
//             no paths or more than 2^42, or if options do not go together; cuda_error.

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. The memory must stay until the work is done.
template <class T>
void monte_carlo_async(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                       monte_carlo_options const& options = {});

/// The same, and waits until it is done.
template <class T>
void monte_carlo(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                 monte_carlo_options const& options = {});

/// On the host's threads. Blocks.
template <class T>
void monte_carlo(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
                 monte_carlo_options const& options = {});

} // namespace warpfold::inline v0::pricing
