#pragma once
// Prices and Greeks of options that are not regular: zeros, infinities, NaN and extreme magnitudes.
// In double, with exponents kept apart; rare, and so it may branch.

#include <warpfold/detail/pricing/black_scholes_regular.hpp>

#include <initializer_list>
#include <limits>

namespace warpfold::inline v0::detail {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

WARPFOLD_HOST_DEVICE inline bool is_undefined(double x) { return !(x == x); }
WARPFOLD_HOST_DEVICE inline bool is_bounded(double x) { return x - x == 0; }

template <class T>
WARPFOLD_HOST_DEVICE bool is_option(pricing::option<T> const& o) {
  return o.spot >= T{0} && o.strike >= T{0} && o.expiry >= T{0} && o.volatility >= T{0} &&
         is_bounded(static_cast<double>(o.rate)) &&
         is_bounded(static_cast<double>(o.dividend_yield));
}

/// amount e^(-rate time) for amounts from 0 to infinity; NaN for infinity times 0.
WARPFOLD_HOST_DEVICE inline double discounted_limit(double amount, double rate, double time) {
  if (amount == 0 || rate == 0) return amount;
  if (amount == infinite) return rate > 0 && time == infinite ? undefined : infinite;
  double const power = -rate * time;
  if (power > 2800) return infinite;
  if (power < -2800) return 0;
  if (std::fabs(rate) > 0x1p1000) return discounted_limit(amount, rate * 0x1p-100, time * 0x1p100);
  int exponent = 0;
  double const mantissa = std::frexp(amount, &exponent);
  if (power < 600 && power > -600)
    return std::ldexp(discounted(mantissa, rate, time).head, exponent);
  // The power of two alone would leave the range: its fourth root does not.
  int root_exponent = 0;
  double const root = std::frexp(discounted(1.0, rate, time / 4).head, &root_exponent);
  return std::ldexp(mantissa * root * root * root * root, exponent + 4 * root_exponent);
}

/// The inputs of a limit: discounted spot a and strike b, and total volatility root.
struct limit_inputs {
  double a, b;
  double root; ///< sigma sqrt T in units of t; NaN where it is 0 times infinity
};

WARPFOLD_HOST_DEVICE inline limit_inputs limit_inputs_of(pricing::option<double> const& o) {
  constexpr double root_half_log2_e = 0.84932180028801905;
  return {discounted_limit(o.spot, o.dividend_yield, o.expiry),
          discounted_limit(o.strike, o.rate, o.expiry),
          o.volatility * root_half_log2_e * std::sqrt(o.expiry)};
}

/// The terms of finite positive a, b and root, a and b scaled by 2^-exponent.
WARPFOLD_HOST_DEVICE inline black_scholes_terms<double>
scaled_terms(pricing::option<double> const& o, limit_inputs const& in, int& exponent) {
  constexpr double half_log2_e = 0.72134752044448170;
  int near_exponent = 0, far_exponent = 0;
  std::frexp(in.a < in.b ? in.a : in.b, &near_exponent);
  std::frexp(in.a < in.b ? in.b : in.a, &far_exponent);
  // The larger is of the order of 1, unless the smaller would leave the range.
  exponent = far_exponent < near_exponent + 900    ? far_exponent
             : near_exponent > far_exponent - 1900 ? near_exponent + 900
                                                   : far_exponent - 1000;
  int spot_exponent = 0, strike_exponent = 0;
  double const spot = std::frexp(o.spot, &spot_exponent),
               strike = std::frexp(o.strike, &strike_exponent);
  double const x = half_log2_ratio(spot, strike) + 0.5 * (spot_exponent - strike_exponent) +
                   (o.rate - o.dividend_yield) * o.expiry * half_log2_e;
  double const root = in.root < 1e4 ? in.root : 1e4;
  double const t1 = ((x < 0 ? -x : x) - root * root / 2) / root;
  double power = 0, growth = 0;
  if (std::fabs(t1) < largest_t<double>) {
    auto const split = nearest_integer(t1, t1);
    power = scale_down(1.0, split);
    growth = power_less_one(std::fma(-t1, t1, split.whole));
  }
  return terms_of<double>({std::ldexp(in.a, -exponent), 0}, {std::ldexp(in.b, -exponent), 0}, x < 0,
                          t1, root, power, growth);
}

/// Prices where a, b or root is 0, infinite or NaN.
WARPFOLD_HOST_DEVICE inline pricing::prices<double> extreme_prices(limit_inputs const& in) {
  auto const [a, b, root] = in;
  if (is_undefined(a) || is_undefined(b)) return {undefined, undefined};
  if (a == infinite && b == infinite) return {undefined, undefined};
  // Limits for root 0. Those for root infinity are a and b; every other price lies between.
  double const least_call = a > b ? a - b : 0, least_put = b > a ? b - a : 0;
  bool const wide = root == infinite && is_bounded(a) && is_bounded(b);
  bool const narrow = root < infinite;
  return {least_call == a || wide ? a
          : narrow                ? least_call
                                  : undefined,
          least_put == b || wide ? b
          : narrow               ? least_put
                                 : undefined};
}

WARPFOLD_HOST_DEVICE inline bool has_terms(limit_inputs const& in) {
  return in.a > 0 && in.b > 0 && in.root > 0 && in.a < infinite && in.b < infinite &&
         in.root < infinite;
}

/// The prices of any option: limits where there is one, NaN where there is none or an input is NaN,
/// negative or an infinite rate.
template <class T>
WARPFOLD_HOST_DEVICE pricing::prices<T> limit_prices(pricing::option<T> const& o) {
  constexpr T nan = static_cast<T>(undefined);
  if (!is_option(o)) return {nan, nan};
  pricing::option<double> const wide{o.spot,       o.strike, o.expiry,
                                     o.volatility, o.rate,   o.dividend_yield};
  pricing::prices<double> r;
  if (is_regular(wide)) {
    r = regular_prices(wide);
  } else {
    limit_inputs const in = limit_inputs_of(wide);
    if (has_terms(in)) {
      int exponent = 0;
      auto const terms = scaled_terms(wide, in, exponent);
      if (terms.unit == 0) {
        r = extreme_prices({in.a, in.b, terms.t1 > 0 ? 0 : infinite});
      } else {
        r = prices_of(terms);
        r = {std::ldexp(r.call, exponent), std::ldexp(r.put, exponent)};
      }
    } else {
      r = extreme_prices(in);
    }
  }
  return {static_cast<T>(r.call), static_cast<T>(r.put)};
}

/// The Greeks where a, b or root is 0, infinite or NaN, `side` having the sign of a - b. At the
/// kink (a = b and root = 0) deltas, rhos and vega have their limits, gamma is infinite and the
/// others are NaN.
WARPFOLD_HOST_DEVICE inline pricing::valuation<double>
extreme_valuation(pricing::option<double> const& o, limit_inputs const& in, int side) {
  constexpr double nan = undefined, one_over_root_two_pi = 0.39894228040143268;
  auto const [call, put] = extreme_prices(in);
  auto const [a, b, root] = in;
  double const growth = discounted_limit(1, o.dividend_yield, o.expiry);
  double const q_a = o.dividend_yield == 0 ? 0 : o.dividend_yield * a;
  double const r_b = o.rate == 0 ? 0 : o.rate * b;
  double const t_b = b == 0 ? 0 : o.expiry * b;
  double const q_growth = o.dividend_yield == 0 ? 0 : o.dividend_yield * growth;
  if (is_undefined(call) || is_undefined(put))
    return {call, put, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
  if (root == infinite && a > 0 && b > 0)
    return {call, put, growth, 0, 0, 0, q_a, r_b, 0, -t_b, 0, 0, q_growth, 0};
  if (a == 0 && b == 0 && o.expiry == infinite)
    return {call, put, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (side > 0) return {call, put, growth, 0, 0, 0, q_a - r_b, 0, t_b, 0, 0, 0, q_growth, 0};
  if (side < 0) return {call, put, 0, -growth, 0, 0, 0, r_b - q_a, 0, -t_b, 0, 0, 0, -q_growth};
  if (a == 0) return {call, put, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
  double const vega = a * one_over_root_two_pi * std::sqrt(o.expiry);
  return {call, put,     growth / 2, -growth / 2, infinite, vega, nan,
          nan,  t_b / 2, -t_b / 2,   nan,         nan,      nan,  nan};
}

/// Prices and Greeks of any option, as limit_prices.
template <class T>
WARPFOLD_HOST_DEVICE pricing::valuation<T> limit_valuation(pricing::option<T> const& o) {
  constexpr T nan = static_cast<T>(undefined);
  if (!is_option(o)) return {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
  pricing::option<double> const wide{o.spot,       o.strike, o.expiry,
                                     o.volatility, o.rate,   o.dividend_yield};
  pricing::valuation<double> r;
  if (is_regular(wide)) {
    r = regular_valuation(wide);
  } else {
    limit_inputs const in = limit_inputs_of(wide);
    if (has_terms(in)) {
      int e = 0;
      auto const terms = scaled_terms(wide, in, e);
      if (terms.unit == 0) {
        r = extreme_valuation(wide, {in.a, in.b, terms.t1 > 0 ? 0 : infinite},
                              terms.call_outside ? -1 : 1);
      } else {
        r = valuation_of<true>(terms, wide, std::ldexp(wide.spot, -e));
        for (double* price : {&r.call, &r.put, &r.vega, &r.call_theta, &r.put_theta, &r.call_rho,
                              &r.put_rho, &r.volga})
          *price = std::ldexp(*price, e);
        r.gamma = std::ldexp(r.gamma, -e);
      }
    } else {
      r = extreme_valuation(wide, in, (in.a > in.b) - (in.a < in.b));
    }
  }
  return {static_cast<T>(r.call),       static_cast<T>(r.put),       static_cast<T>(r.call_delta),
          static_cast<T>(r.put_delta),  static_cast<T>(r.gamma),     static_cast<T>(r.vega),
          static_cast<T>(r.call_theta), static_cast<T>(r.put_theta), static_cast<T>(r.call_rho),
          static_cast<T>(r.put_rho),    static_cast<T>(r.vanna),     static_cast<T>(r.volga),
          static_cast<T>(r.call_charm), static_cast<T>(r.put_charm)};
}

} // namespace warpfold::inline v0::detail
