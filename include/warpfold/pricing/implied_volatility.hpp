#pragma once
// The volatilities that books of option prices imply.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/input.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/span.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace warpfold::inline v0::pricing {

template <class Kinds, class Span>
struct quote_book;
template <class Span, class Statuses>
struct implied_outputs;

/// The outcome of a quote.
enum class implied_status : std::uint8_t {
  converged,       ///< the volatility is there; 0 if the price is the intrinsic value
  below_intrinsic, ///< the price is less than the intrinsic value, by more than rounding explains
  above_bound,     ///< the price is at least what no volatility exceeds
  /// An input is NaN, infinite, negative or out of the range that implied_volatility states; or
  /// nothing is to imply.
  bad_input
};

/// Books and outputs in memory of a gpu, or of the host.
template <class T>
using device_quotes = quote_book<device_span<option_kind const>, device_span<T const>>;
template <class T>
using host_quotes = quote_book<std::span<option_kind const>, std::span<T const>>;
template <class T>
using device_implied_outputs = implied_outputs<device_span<T>, device_span<implied_status>>;
template <class T>
using host_implied_outputs = implied_outputs<std::span<T>, std::span<implied_status>>;

/// Finds the volatilities in GPU memory. Enqueues the work on the place's stream and returns:
/// neither allocates nor waits, and can be captured in a CUDA graph. The memory must stay until the
/// work is done.
template <class T>
void implied_volatility_async(gpu& place, device_quotes<T> const& quotes,
                              std::type_identity_t<device_implied_outputs<T>> const& outputs);

/// Finds the volatilities in GPU memory, and waits until it is done.
template <class T>
void implied_volatility(gpu& place, device_quotes<T> const& quotes,
                        std::type_identity_t<device_implied_outputs<T>> const& outputs);

/// Finds the volatilities on the host's threads. Blocks.
template <class T>
void implied_volatility(host const& place, host_quotes<T> const& quotes,
                        std::type_identity_t<host_implied_outputs<T>> const& outputs);

/// Finds them on the host at once, and returns when it is done.
template <class T>
void implied_volatility_async(host const& place, host_quotes<T> const& quotes,
                              std::type_identity_t<host_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility_async");
  implied_volatility<T>(place, quotes, outputs);
}

/// Host memory to host memory through a GPU; see price(), also for why there is no form with
/// _async. Blocks.
template <class T>
void implied_volatility(gpu& place, host_quotes<T> const& quotes,
                        std::type_identity_t<host_implied_outputs<T>> const& outputs);

// Contract of every form of the verb.
//
// Elements    float or double; the arithmetic is that of double.
// volatility  One a quote, per square root of a year; NaN where there is none.
// status      One a quote, what became of it; or empty, if that is not asked for. No quote makes
//             the call fail.
// Accuracy    The largest errors seen, of what the price determines, are 7 units in the last place
//             of a double and 0.5001 of a float. See docs/black-scholes.md.
// Range       spot, strike, spot e^(-dividend_yield expiry) and strike e^(-rate expiry) from 2^-512
//             to 2^512; expiry from 2^-300 to 2^300; rate expiry and dividend_yield expiry from
//             -500 to 500; price from 0 to 2^1000. Other quotes are bad_input.
// Outputs     They overlap neither each other nor the inputs.
// Determinism The same bits on every run, GPU and host, for any number of threads.
// Throws      argument_error, before any output is touched, if an array has another size than the
//             others or is null with a size, or if an output overlaps another array; cuda_error.
// Source      P. Jaeckel, Let's be rational, Wilmott 75, 2015; with another objective and guess.

/// Options and their prices; see quote<T> for what the quantities are. Arrays have one size, which
/// is the number of quotes; where there is none, the volatilities' size is.
template <class Kinds, class Span>
struct quote_book {
  /// As in quote<T>.
  input<Kinds> kind;
  input<Span> price, spot, strike, expiry, rate, dividend_yield = 0;
};

/// Where results go; see implied<T>. `volatility` is required. A `status` that is left out, or
/// empty, is not written. To be used with designated initialisers: `{.volatility = found}`.
template <class Span, class Statuses>
struct implied_outputs {
  /// As in implied<T>.
  Span volatility{};
  Statuses status{};
};

/// A European option and its price. The fields are those of `option`.
template <class T>
struct quote {
  /// As in option<T>.
  option_kind kind;
  T price, spot, strike, expiry, rate, dividend_yield;
};

/// The volatility that a quote implies.
template <class T>
struct implied {
  T volatility;          ///< NaN unless converged
  implied_status status; ///< why not, if not
};

} // namespace warpfold::inline v0::pricing
