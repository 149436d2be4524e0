#pragma once
// The formula as textbooks write it, in the functions of the mathematical library at hand.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/pricing/option.hpp>

#include <cmath>

namespace warpfold::inline v0::pricing {

/// The normal distribution.
template <class T>
WARPFOLD_HOST_DEVICE T vendor_normal(T x) {
  using std::erfc;
  return T(0.5) * erfc(x * T(-0.70710678118654752440)); // -1 / sqrt(2)
}

template <class T>
WARPFOLD_HOST_DEVICE prices<T> vendor_prices(option<T> const& of) {
  using std::exp, std::log, std::sqrt;
  T const deviation = of.volatility * sqrt(of.expiry);
  T const drift = of.rate - of.dividend_yield + T(0.5) * of.volatility * of.volatility;
  T const d1 = (log(of.spot / of.strike) + drift * of.expiry) / deviation, d2 = d1 - deviation;
  T const spot = of.spot * exp(-of.dividend_yield * of.expiry);
  T const strike = of.strike * exp(-of.rate * of.expiry);
  return {spot * vendor_normal(d1) - strike * vendor_normal(d2),
          strike * vendor_normal(-d2) - spot * vendor_normal(-d1)};
}

} // namespace warpfold::inline v0::pricing
