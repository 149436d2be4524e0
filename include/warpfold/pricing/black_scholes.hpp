#pragma once
// Prices and Greeks of books of European options.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/bits.hpp>
#include <warpfold/pricing/input.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/span.hpp>

#include <span>
#include <type_traits>

namespace warpfold::inline v0::pricing {

/// The options to be priced; see option<T> for what the quantities are. Arrays have one size, which
/// is the number of options; where there is none, the outputs' size is.
template <class Span>
struct option_book {
  /// As in option<T>.
  input<Span> spot, strike, expiry, volatility, rate, dividend_yield = 0;
};

/// Where results go; see valuation<T> for what they are. An output that is left out, or empty, is
/// not computed or not written. To be used with designated initialisers:
/// `{.call = calls, .vega = vegas}`.
template <class Span>
struct price_outputs {
  /// As in valuation<T>.
  Span call{}, put{}, call_delta{}, put_delta{}, gamma{}, vega{}, call_theta{}, put_theta{};
  Span call_rho{}, put_rho{}, vanna{}, volga{}, call_charm{}, put_charm{};
};

/// Options of price(). To be used with designated initialisers.
struct price_options {
  /// Native saves a gpu a fifth of the instructions of prices in float; their error may be a third
  /// larger. A call that asks for Greeks is computed as portable, its prices too. The default is
  /// portable, for prices that are compared, or that decide something, on several machines.
  pricing::bits bits = pricing::bits::portable;
};

/// Books and outputs in memory of a gpu, or of the host. A verb that is told T takes them without
/// these names: `price<float>(place, {.spot = spots, .strike = 100, ...}, {.call = calls})`.
template <class T>
using device_book = option_book<device_span<T const>>;
template <class T>
using host_book = option_book<std::span<T const>>;
template <class T>
using device_outputs = price_outputs<device_span<T>>;
template <class T>
using host_outputs = price_outputs<std::span<T>>;

/// Prices in GPU memory. Enqueues the work on the place's stream and returns: it neither allocates
/// nor waits, and can be captured in a CUDA graph. The memory must stay until the work is done.
template <class T>
void price_async(gpu& place, device_book<T> const& book,
                 std::type_identity_t<device_outputs<T>> const& outputs,
                 price_options const& options = {});

/// Prices in GPU memory, and waits until it is done.
template <class T>
void price(gpu& place, device_book<T> const& book,
           std::type_identity_t<device_outputs<T>> const& outputs,
           price_options const& options = {});

/// Prices on the host's threads. Blocks.
template <class T>
void price(host const& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options = {});

/// Prices on the host at once, and returns when it is done.
template <class T>
void price_async(host const& place, host_book<T> const& book,
                 std::type_identity_t<host_outputs<T>> const& outputs,
                 price_options const& options = {}) {
  detail::verb const scope("pricing::price_async");
  price<T>(place, book, outputs, options);
}

/// Prices host memory on a GPU: piece after piece goes in and comes back while others are on their
/// way, so that the book may be larger than the GPU's memory. Arrays in page-locked memory
/// (pinned_buffer) are copied from where they are and to there; others pass through page-locked
/// memory that the place keeps. Blocks, for the host's threads stage the pieces: so there is no
/// form with _async. May make the place's scratch memory grow, see gpu::reserve.
template <class T>
void price(gpu& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options = {});

// Contract of every form of the verb.
//
// Elements    float or double.
// Inputs      NaN, or a negative spot, strike, expiry or volatility, or an infinite rate or
//             dividend yield, give NaN in all outputs of that option and of no other. Where
//             expiry, volatility, spot or strike are 0 or infinite, results are the formula's
//             limits; NaN where there is none.
// Outputs     As many elements as there are options. They overlap neither each other nor the
//             inputs. At least one is needed, unless there is no option.
// Formula     Black and Scholes's (The pricing of options and corporate liabilities, 1973) with
//             Merton's dividend yield (Theory of rational option pricing, 1973), rearranged so that
//             both terms share one exponential: prices are never negative and keep their digits far
//             out of the money.
// Accuracy    Against the formula in 60 digits on the same inputs, rates moderate: their part of
//             ln(A / B) at most 100 s, where A = spot e^(-q T), B = strike e^(-r T), s = volatility
//             sqrt(T), d1 and d2 are the formula's. In float, and in double:
//             prices       1.6e-7 (portable: 1.2e-7), 4e-16 of A + B; out of the money, down to
//                          1e-30, 2e-5, 1e-12 of themselves
//             delta        5e-7, 1e-14 of e^(-q T)
//             theta        5e-7, 1e-14 of vega volatility / (2 T) + |q| A + |r| B
//             rho          5e-7, 1e-14 of T B
//             gamma, vega  1e-6, 3e-14 of (1 + |d1|) times themselves
//             vanna, volga, charm   1e-6, 3e-14 of (1 + |d1|) times what the sum of their terms is
//                          if each has its magnitude, |d1| and |d2| being one larger
//             densities    In float one below 1e-28 of its peak may count as 0.
//             docs/black-scholes.md writes these scales down, and says what was measured.
// Determinism The same bits on every run, for any number of threads and any alignment; with
//             bits::portable the same on a host and every GPU.
// Alignment   Any. A gpu takes up to 1.4 times as long if an array does not begin at a multiple of
//             16 bytes.
// Throws      argument_error, before any output is touched: if an array or an output has another
//             size than the others or is null with a size; if an output overlaps another array; if
//             no output is given, or if options.bits is neither. cuda_error.

} // namespace warpfold::inline v0::pricing
