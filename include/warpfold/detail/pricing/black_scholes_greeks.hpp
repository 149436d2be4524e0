#pragma once
// The Greeks, from what the prices are made of: no exponential and no Mills ratio more.

#include <warpfold/detail/pricing/black_scholes_regular.hpp>

namespace warpfold::inline v0::detail {

/// Prices and Greeks (Haug, The Complete Guide to Option Pricing Formulas, 2007, chapter 2) from
/// the terms of `o`, whose spot is `spot` in the units of the terms. `Extreme`: 1 / spot may
/// overflow.
template <bool Extreme = false, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pricing::valuation<T>
valuation_of(black_scholes_terms<T> const& r, pricing::option<T> const& o, T spot) {
  constexpr T root_two_ln2 = T(1.1774100225154747), one_over_root_two_pi = T(0.39894228040143268);
  bool const outside = r.call_outside;
  // l N(-u1) and m N(-u2): what the option out of the money is the difference of.
  T const shared = std::fma(r.unit, r.growth, r.unit);
  T const product = shared * (r.v1 * std::fma(r.v1, r.rest, r.constant));
  T const first = r.inside ? r.near - product : product;
  T const second = std::fma(-shared, r.drop, product);
  // A N(d1) and B N(d2) of the call, the same less A and B of the put.
  T const a = r.spot.head, b = r.strike.head;
  T const call_a = outside ? first : a - second, put_a = outside ? first - a : -second;
  T const call_b = outside ? second : b - first, put_b = outside ? second - b : -first;
  T const u1 = root_two_ln2 * r.t1, u2 = root_two_ln2 * r.t2;
  T const d1 = outside ? -u1 : u2, d2 = outside ? -u2 : u1;

  T const density = shared * one_over_root_two_pi; // A phi(d1)
  auto const inverse = [](T x) { return Extreme ? T{1} / x : rounded_reciprocal(x); };
  T const per_spot = inverse(spot), per_time = inverse(o.expiry), per_sigma = inverse(o.volatility);
  auto const over_spot = [&](T x) { return Extreme ? x / spot : x * per_spot; };
  T const root_expiry = Extreme ? std::sqrt(o.expiry) : rounded_root(o.expiry);
  T const per_root = per_sigma * (root_expiry * per_time);
  T const density_per_spot = over_spot(density);
  T const vega = density * root_expiry;
  T const decay = T(-0.5) * vega * o.volatility * per_time;
  T const q = o.dividend_yield, rate = o.rate;
  T const call_delta = over_spot(call_a), put_delta = over_spot(put_a);
  T const turn = density_per_spot * std::fma(T(-0.5) * d2, per_time, (rate - q) * per_root);
  auto const [call, put] = prices_of(r);
  return {.call = call,
          .put = put,
          .call_delta = call_delta,
          .put_delta = put_delta,
          .gamma = over_spot(density_per_spot) * per_root,
          .vega = vega,
          .call_theta = std::fma(q, call_a, std::fma(-rate, call_b, decay)),
          .put_theta = std::fma(q, put_a, std::fma(-rate, put_b, decay)),
          .call_rho = o.expiry * call_b,
          .put_rho = o.expiry * put_b,
          .vanna = -density_per_spot * d2 * per_sigma,
          .volga = vega * (d1 * d2) * per_sigma,
          .call_charm = std::fma(q, call_delta, -turn),
          .put_charm = std::fma(q, put_delta, -turn)};
}

template <yields Yields = yields::any, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pricing::valuation<T>
regular_valuation(pricing::option<T> const& o) {
  return valuation_of(regular_terms<Yields>(o), o, o.spot);
}

} // namespace warpfold::inline v0::detail
