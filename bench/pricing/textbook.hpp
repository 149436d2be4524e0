#pragma once
// Black and Scholes's formula as it is written, to compare with.

#include <warpfold/pricing/option.hpp>

#include <cmath>

namespace warpfold::bench {

template <class R>
struct textbook_prices {
  R call, put;
  R spot, strike;                  ///< discounted
  R call_condition, put_condition; ///< relative change of the price for one of the spot
};

/// In the arithmetic of R.
template <class R, class T>
textbook_prices<R> textbook(pricing::option<T> const& one) {
  R const S = one.spot, X = one.strike, time = one.expiry, sigma = one.volatility;
  R const s = sigma * std::sqrt(time);
  R const d1 = (std::log(S / X) + (R(one.rate) - R(one.dividend_yield)) * time) / s + s / 2;
  R const d2 = d1 - s;
  R const A = S * std::exp(-R(one.dividend_yield) * time), B = X * std::exp(-R(one.rate) * time);
  auto const below = [](R d) { return std::erfc(-d * std::sqrt(R(0.5))) / 2; };
  R const call = A * below(d1) - B * below(d2), put = B * below(-d2) - A * below(-d1);
  return {call, put, A, B, A * below(d1) / call, A * below(-d1) / put};
}

} // namespace warpfold::bench
