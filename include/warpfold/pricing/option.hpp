#pragma once
// European options: the words that their prices, Greeks and implied volatilities share.

#include <cstdint>

namespace warpfold::inline v0::pricing {

/// The right to buy, or the right to sell.
enum class option_kind : std::uint8_t { call, put };

/// The inputs of a European option's price in the model of Black and Scholes (1973) with Merton's
/// dividend yield (1973). An option on a forward (Black 1976) has the forward as spot and the rate
/// as dividend yield; one on a currency has the foreign rate as dividend yield.
template <class T>
struct option {
  T spot;           ///< price of the underlying
  T strike;         ///< price at which it may be bought or sold
  T expiry;         ///< years until then
  T volatility;     ///< per square root of a year: 0.2 is 20 %
  T rate;           ///< continuously compounded, a year; may be negative
  T dividend_yield; ///< continuously compounded, a year; may be negative
};

/// The prices of a call and a put on the same terms.
template <class T>
struct prices {
  T call, put; ///< in the unit of spot and strike
};

/// Prices and their derivatives. All are per unit of what is differentiated by: of 1.00 of
/// volatility or rate (not 1 %), of one year (not one day).
template <class T>
struct valuation {
  T call, put;             ///< prices
  T call_delta, put_delta; ///< d price / d spot
  T gamma;                 ///< d2 price / d spot2, of call and put
  T vega;                  ///< d price / d volatility, of call and put
  T call_theta, put_theta; ///< - d price / d expiry: what passing time adds
  T call_rho, put_rho;     ///< d price / d rate, the dividend yield being held
  T vanna;                 ///< d2 price / d spot d volatility, of call and put
  T volga;                 ///< d2 price / d volatility2, of call and put
  T call_charm, put_charm; ///< - d delta / d expiry
};

} // namespace warpfold::inline v0::pricing
