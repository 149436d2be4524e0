#pragma once
// Implied volatility: the words for it.

#include <warpfold/pricing/option.hpp>

namespace warpfold::inline v0::pricing {

/// What became of a quote.
enum class implied_status : std::uint8_t {
  converged,       ///< the volatility is there; 0 if the price is the intrinsic value
  below_intrinsic, ///< the price is less than the intrinsic value, by more than rounding explains
  above_bound,     ///< the price is at least what no volatility exceeds
  /// An input is NaN, infinite, negative or out of the range that implied_volatility states; or
  /// nothing is to imply.
  bad_input
};

/// A European option and its price. The fields are those of `option`.
template <class T>
struct quote {
  /// As in option<T>.
  option_kind kind;
  T price, spot, strike, expiry, rate, dividend_yield;
};

/// What a quote implies.
template <class T>
struct implied {
  T volatility;          ///< NaN unless converged
  implied_status status; ///< why not, if not
};

} // namespace warpfold::inline v0::pricing
