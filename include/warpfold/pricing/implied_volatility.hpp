#pragma once
// The volatilities that whole books of option prices imply.

#include <warpfold/execution.hpp>
#include <warpfold/pricing/implied.hpp>
#include <warpfold/pricing/input.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/span.hpp>

#include <span>
#include <type_traits>

namespace warpfold::inline v0::pricing {

/// Options and their prices; see quote<T> for what the quantities are. Arrays have one size, which
/// is the number of quotes; where there is none, the volatilities' size is.
template <class Kinds, class Span>
struct quote_book {
  /// As in quote<T>.
  input<Kinds> kind;
  input<Span> price, spot, strike, expiry, rate, dividend_yield = 0;
};

/// Books in memory of a gpu, or of the host.
template <class T>
using device_quotes = quote_book<device_span<option_kind const>, device_span<T const>>;
template <class T>
using host_quotes = quote_book<std::span<option_kind const>, std::span<T const>>;

// What holds for every form of the verb.
//
// Elements    float or double; the arithmetic is that of double.
// volatility  One a quote, per square root of a year; NaN where there is none.
// status      One a quote, what became of it; or empty, if that is not asked for. No quote makes
//             the call fail.
// Accuracy    Of what the price determines: 7 units in the last place of a double and 0.5001 of a
//             float are the largest errors seen. See docs/black-scholes.md.
// Range       spot, strike, spot e^(-dividend_yield expiry) and strike e^(-rate expiry) from 2^-512
//             to 2^512; expiry from 2^-300 to 2^300; rate expiry and dividend_yield expiry from
//             -500 to 500; price from 0 to 2^1000. Other quotes are bad_input.
// Outputs     They overlap neither each other nor the inputs.
// Determinism The same bits on every run, GPU and host, for any number of threads.
// Throws      argument_error, before any output is touched, if an array has another size than the
//             others or is null with a size, or if an output overlaps another array; cuda_error.
// Source      P. Jaeckel, Let's be rational, Wilmott 75, 2015; with another objective and guess.

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. The memory must stay until the work is done.
template <class T>
void implied_volatility_async(gpu& place, device_quotes<T> const& book,
                              std::type_identity_t<device_span<T>> volatility,
                              device_span<implied_status> status = {});

/// The same, and waits until it is done.
template <class T>
void implied_volatility(gpu& place, device_quotes<T> const& book,
                        std::type_identity_t<device_span<T>> volatility,
                        device_span<implied_status> status = {});

/// On the host's threads. Blocks.
template <class T>
void implied_volatility(host const& place, host_quotes<T> const& book,
                        std::type_identity_t<std::span<T>> volatility,
                        std::span<implied_status> status = {});

/// Host memory to host memory through a GPU; see price. Blocks.
template <class T>
void implied_volatility(gpu& place, host_quotes<T> const& book,
                        std::type_identity_t<std::span<T>> volatility,
                        std::span<implied_status> status = {});

} // namespace warpfold::inline v0::pricing
