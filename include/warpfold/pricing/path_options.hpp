#pragma once
// Asian and barrier options by Monte Carlo. For models and payoffs of your own, compile with nvcc
// and include <warpfold/pricing/simulate.cuh>.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <cstdint>
#include <span>

namespace warpfold::inline v0::pricing {

struct asian_option;
struct barrier_option;

/// Writes an estimate of each option's price, from paths in T: float or double. Blocks.
template <class T = float>
void simulate(gpu& place, std::span<asian_option const> book, std::span<estimate> results,
              simulation_options const& options);
template <class T = float>
void simulate(host const& place, std::span<asian_option const> book, std::span<estimate> results,
              simulation_options const& options);
template <class T = float>
void simulate(gpu& place, std::span<barrier_option const> book, std::span<estimate> results,
              simulation_options const& options);
template <class T = float>
void simulate(host const& place, std::span<barrier_option const> book, std::span<estimate> results,
              simulation_options const& options);

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. The book is copied before the call returns. On a host it is
/// simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed. 4 MiB are enough for random numbers and 30,000 times; with more, books are done
///         in larger pieces. Sobol's sequence is fast with 140 MiB.
template <class T = float>
void simulate_async(gpu& place, std::span<asian_option const> book, device_span<estimate> results,
                    simulation_options const& options);
template <class T = float>
void simulate_async(gpu& place, std::span<barrier_option const> book, device_span<estimate> results,
                    simulation_options const& options);
template <class T = float>
void simulate_async(host const& place, std::span<asian_option const> book,
                    std::span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, book, results, options);
}
template <class T = float>
void simulate_async(host const& place, std::span<barrier_option const> book,
                    std::span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, book, results, options);
}

// Contract of all of them, with geometric Brownian motion (Black and Scholes 1973, Merton
// 1973):
//
// T           Sums over paths are doubles; sums over the times of a path are in T: above some
//             10,000 times take double.
// Times       Fractions of each option's expiry: times in simulation_options are within 0 ... 1,
//             and the horizon is 1. They are an Asian option's fixings, and a barrier option's
//             steps, which always end at expiry: the last time is 1. With `steps` alone, all are
//             equal; an Asian option has then no fixing at 0.
// Controls    An arithmetic average's control variate is the geometric one's payoff (Kemna and
//             Vorst, A pricing method for options based on average asset values, 1990). A barrier
//             option's is the option without barrier. A geometric average's is itself, so that its
//             estimate is then the closed form's, from two paths on that pay differently. A
//             standard error is worth little where few paths tell an option from its control.
// Barriers    Continuous ones: a path's payoff is multiplied by the probability that it has not met
//             the barrier between steps (Andersen and Brotherton-Ratcliffe, Exact exits, 1996). So
//             the number of steps does not matter; 1 is enough but for rebates paid at the time of
//             a hit, which is taken to be the middle of its step. An in-option has then a chance to
//             begin on nearly every path: all on which it has one and would pay count as paying.
// Determinism The same bits on every run, for any grid or number of threads, whatever other options
//             stand beside an option that shares its normals. Host and GPU have the same bits in
//             double, and if options.bits is portable; else they agree to some units in the last
//             place of T.
// Throws      argument_error, naming what is wrong, for simulation_options that make no simulation
//             (see simulate.cuh) or times that are not fractions of the expiry; unless `results`
//             has the book's size; for NaN or infinite terms; a negative spot, strike, expiry or
//             volatility (spot 0 too); a barrier that is not positive, or on the wrong side of the
//             spot: an up-barrier has to be above it, a down-barrier below; a negative rebate; an
//             infinite discount; and what is finite, but not in T: spot, strike, rebate, its
//             interest until expiry, the forward at expiry, or the mean and deviation of its
//             logarithm. cuda_error.

/// Kind of an Asian option's average.
enum class average : std::uint8_t { arithmetic, geometric };

/// Pays max(+-(A - strike), 0) at expiry, A being the average of the prices at the fixings.
struct asian_option {
  option<double> terms;                                    ///< see there
  option_kind kind = option_kind::call;                    ///< + for a call, - for a put
  pricing::average average = pricing::average::arithmetic; ///< of the prices
};

/// The side from which a barrier is reached, and its effect.
enum class barrier_type : std::uint8_t { up_and_out, down_and_out, up_and_in, down_and_in };
/// The times at which a barrier counts.
enum class monitoring : std::uint8_t {
  continuous, ///< at all times: between steps by the probability that a Brownian bridge hits it
  discrete    ///< at the ends of steps
};

/// A call or put that ends (out) or begins (in) when the price of the underlying reaches a barrier.
struct barrier_option {
  option<double> terms; ///< see there
  /// A price of the underlying. One that is out of reach, however far, leaves the plain option.
  double barrier;
  barrier_type type;                    ///< ends or begins it
  option_kind kind = option_kind::call; ///< of what is paid at expiry
  /// Paid when an out-option ends, or at expiry if an in-option has not begun.
  double rebate = 0;
  pricing::monitoring monitoring = pricing::monitoring::continuous; ///< of the barrier
};

// ---- closed forms, in double --------------------------------------------------------------------

/// The price of an option on the geometric average of the prices at these fractions of its expiry
/// (Kemna and Vorst 1990, for any fixings); `average` is not looked at. At once, on the calling
/// thread.
/// @throws argument_error as simulate()
double geometric_asian_price(asian_option const& contract, std::span<double const> fixings);

/// The price of a continuously monitored barrier option (Reiner and Rubinstein, Breaking down the
/// barriers, 1991; Haug, The complete guide to option pricing formulas, 2007, 4.17); `monitoring`
/// is not looked at. Volatility and expiry are above 0. At once, on the calling thread.
/// @throws argument_error as simulate()
double barrier_price(barrier_option const& contract);

} // namespace warpfold::inline v0::pricing
