#pragma once
// One European option's price and Greeks by the Mills ratio (the normal distribution's upper tail
// over its density): both terms from one exponential and one divided
// difference, so that nothing cancels in the tails, near the money or for small volatility.
//
// With A = S e^-qT, B = X e^-rT, s = sigma sqrt T and x = ln(A / B), the option that is out of the
// money (the call where A < B, else the put) is worth
//   l N(-u1) - m N(-u2) = p (R(u1) - R(u2)),   u1 = |x| / s - s / 2,   u2 = u1 + s,
// where l and m are the smaller and the larger of A and B, R is the Mills ratio and p the density
// that both terms share: l phi(u1) = m phi(u2). The other option is worth m - l more. Everything is
// in units in which phi is a power of two: t = u sqrt(log2(e) / 2), so 2^(-t^2) = e^(-u^2 / 2).

#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/pricing/option.hpp>

namespace warpfold::inline v0::detail {

// ---- the Mills ratio ----------------------------------------------------------------------------
//
// A polynomial Q of v = 1 / (t + c), and differences of it that lose no digits however close their
// arguments are.

/// Where the polynomial holds from, and the shift in v = 1 / (t + shift).
template <class T>
struct mills_fit {
  static constexpr T from = T(-0.125), shift = sizeof(T) == 4 ? T(2.75) : T(4);
};

/// Q(v1) / v1 = constant + v1 rest, and the divided difference (Q(v1) - Q(v2)) / (v1 - v2).
template <class T>
struct mills_values {
  T constant, rest, slope;
};

template <class T>
struct horner_values {
  T value, quotient;
};

/// Horner's scheme, and over its intermediate values once more: the quotient by x - v1, at v2.
template <class T, class... Rest>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE horner_values<T> twofold_horner(T v1, T v2, T first,
                                                                            Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return {first, first};
  } else {
    horner_values<T> const inner = twofold_horner(v1, v2, rest...);
    T const here = std::fma(v1, inner.value, first);
    return {here, std::fma(v2, inner.quotient, here)};
  }
}

template <class T, class... Rest>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mills_values<T> mills_values_of(T v1, T v2, T first,
                                                                            Rest... rest) {
  horner_values<T> const inner = twofold_horner(v1, v2, rest...);
  return {first, inner.value, std::fma(v2, inner.quotient, std::fma(v1, inner.value, first))};
}

/// Q(v) = G(t) = 2^(t^2) N(-t sqrt(2 ln 2)), N being the normal distribution function. Relative
/// error of Q', and so of every divided difference: at most 9.4e-7 for float and 1.7e-15 for
/// double; of Q itself, times the density and up to t = 4, 6.5e-9 for float. Coefficients:
/// lib/pricing/fit_mills_ratio.py.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mills_values<float> mills_polynomial(float v1,
                                                                                 float v2) {
  return mills_values_of(v1, v2, 0.338830084F, 0.931831419F, 2.31685209F, 5.01502752F, 9.70270538F,
                         -3.82063818F, 99.3550797F, -494.894684F, 778.595947F, -424.678467F);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mills_values<double> mills_polynomial(double v1,
                                                                                  double v2) {
  return mills_values_of(
      v1, v2, 0.33883037580155306, 1.3553215032049066, 5.1768715620614026, 18.752170479875695,
      63.805732038842487, 201.11388959391636, 574.42329392147042, 1423.1743805424056,
      2919.2024723849983, 423.14812989923916, 39811.953004156303, -695377.44263391334,
      7106490.2623847496, -64400277.993035033, 452719649.21460258, -2498330326.4773974,
      10760912387.616326, -35034182218.884177, 83425440399.423531, -140269669092.7243,
      157741414244.1162, -106622512793.14779, 32807923427.092603);
}

// ---- prices -------------------------------------------------------------------------------------

/// A dividend yield that is known to be 0 saves its exponential. The bits are the same.
enum class yields { any, none };

/// An option is regular if all inputs are such that nothing that regular_prices computes
/// overflows or loses digits to underflow. float: spot and strike from 2^-32 to below 2^32, expiry
/// from 2^-58 to below 2^6, volatility from 2^-16 to 2^4, rates within +-1. double: 2^-128 to
/// 2^128, 2^-247 to 2^9, 2^-40 to 2^6, +-1.
template <class T>
struct regularity {
  using bits = bits_of<T>;
  static constexpr bool narrow = sizeof(T) == 4;
  static constexpr int binades = narrow ? 64 : 256, last_expiry = narrow ? 6 : 9;
  static constexpr bits limit = bits{binades} << mantissa_bits<T>;

  /// Below `limit`, a power of two, for a regular option. The union of several's bits is below it
  /// if all are: one comparison for as many options as there are.
  static WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bits of(pricing::option<T> const& o) {
    constexpr T low = narrow ? T(0x1p-16) : T(0x1p-40), high = narrow ? T(0x1p4) : T(0x1p6);
    bool const others = static_cast<bool>(
        static_cast<int>(o.volatility >= low) & static_cast<int>(o.volatility <= high) &
        static_cast<int>(o.rate >= T{-1}) & static_cast<int>(o.rate <= T{1}) &
        static_cast<int>(o.dividend_yield >= T{-1}) & static_cast<int>(o.dividend_yield <= T{1}));
    return above<-binades / 2>(o.spot) | above<-binades / 2>(o.strike) |
           above<last_expiry - binades>(o.expiry) | (others ? 0 : limit);
  }

private:
  /// How far x is above 2^Low, in units in its last place; huge for what is below, and for NaN.
  template <int Low>
  static WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bits above(T x) {
    constexpr bits bias = narrow ? 127 : 1023;
    return cast_bits<bits>(x) - ((bias + static_cast<bits>(Low)) << mantissa_bits<T>);
  }
};

template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool is_regular(pricing::option<T> const& o) {
  return regularity<T>::of(o) < regularity<T>::limit;
}

/// amount e^(-rate time) as head + tail; native: by the shorter power.
template <pricing::bits how = pricing::bits::portable, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two_parts<T> discounted(T amount, T rate, T time) {
  // - rate log2(e), to more digits than T has.
  constexpr double log2_e = 1.4426950408889634, log2_e_rest = 2.0355273740931033e-17;
  T slope, slope_rest;
  if constexpr (sizeof(T) == 4) {
    double const product = static_cast<double>(rate) * -log2_e;
    slope = static_cast<float>(product);
    slope_rest = static_cast<float>(product - static_cast<double>(slope));
  } else {
    slope = rate * -log2_e;
    slope_rest = std::fma(rate, -log2_e, -slope) - rate * log2_e_rest;
  }
  auto const split = nearest_integer(slope, time);
  T const f = std::fma(slope_rest, time, std::fma(slope, time, -split.whole));
  T const scaled = scale_up(amount, split);
  T growth;
  if constexpr (how == pricing::bits::native) growth = power_less_one(f);
  else growth = exp2_less_one(f);
  T const head = std::fma(scaled, growth, scaled);
  return {head, std::fma(scaled, growth, scaled - head)};
}

/// The terms of prices and Greeks.
template <class T, pricing::bits how = pricing::bits::portable>
struct black_scholes_terms {
  two_parts<T> spot, strike; ///< discounted: A and B
  bool call_outside;         ///< the call is the one out of the money
  bool inside;               ///< t1 is left of where the polynomial holds
  T near;                    ///< l
  /// unit (1 + growth) is l 2^(-t1^2), the density that both terms share; native: growth is 0.
  T unit, growth;
  T t1, t2;
  T v1, constant, rest; ///< G(t) = 2^(t^2) N(-t sqrt(2 ln 2)) is v1 (constant + v1 rest) at |t1|
  T minus_twice;        ///< inside: -2 v1, corrected; else 0
  T drop;               ///< G there less G at t2
};

/// From discounted spot and strike, t1, root = t2 - t1 and power (1 + growth) = 2^(-t1^2).
template <class T, pricing::bits how = pricing::bits::portable>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE black_scholes_terms<T, how>
terms_of(two_parts<T> spot, two_parts<T> strike, bool call_outside, T t1, T root, T power,
         T growth) {
  T const near = call_outside ? spot.head : strike.head, t2 = t1 + root;
  bool const inside = t1 <= mills_fit<T>::from;
  T const size1 = inside ? -t1 : t1, shifted1 = size1 + mills_fit<T>::shift;
  T const shifted2 = t2 + mills_fit<T>::shift;
  T v1_v2;
  if constexpr (how == pricing::bits::native) v1_v2 = native_reciprocal(shifted1 * shifted2);
  else v1_v2 = rounded_reciprocal(shifted1 * shifted2);
  T const v1 = v1_v2 * shifted2, v2 = v1_v2 * shifted1;
  auto const q = mills_polynomial(v1, v2);
  T const drop = (inside ? t2 + t1 : root) * v1_v2 * q.slope;
  // Where G is wanted itself, the roundings up to v1 are what it loses most by. It goes about with
  // v1^2: add to v1 twice what they lost.
  T const lost = size1 - (shifted1 - mills_fit<T>::shift);
  T const twice = inside ? T{-2} * v1 : T{0};
  T const excess = std::fma(twice, lost, std::fma(twice, shifted1, T{2}));
  T const minus_twice = std::fma(twice, excess, twice);
  return {spot, strike, call_outside, inside,     near,   near * power, growth,
          t1,   t2,     v1,           q.constant, q.rest, minus_twice,  drop};
}

template <class T, pricing::bits how>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pricing::prices<T>
prices_of(black_scholes_terms<T, how> const& r) {
  // drop or, inside, drop - 2 G: no select, so that no compiler makes a branch of it.
  T const factor =
      std::fma(r.minus_twice, r.constant, std::fma(r.minus_twice * r.v1, r.rest, r.drop));
  T share = factor;
  if constexpr (how == pricing::bits::portable) share = std::fma(factor, r.growth, factor);
  T const outside = std::fma(r.unit, share, r.inside ? r.near : T{0});
  // far - near + outside, rounded once but for what is small: it is the most that parity loses.
  T const far = r.call_outside ? r.strike.head : r.spot.head;
  T const apart = far - r.near, lost = (far - apart) - r.near;
  T const rest = r.strike.tail - r.spot.tail;
  T const sum = apart + ((outside + (r.call_outside ? rest : -rest)) + lost);
  T const inside = sum > T{0} ? sum : T{0};
  return {r.call_outside ? outside : inside, r.call_outside ? inside : outside};
}

/// Where 2^(-t^2) ceases to be a normal number: from here on it counts as 0.
template <class T>
inline constexpr T largest_t = sizeof(T) == 4 ? T(11.125) : T(31.875);

/// Native: in float with a GPU's own reciprocals, roots and powers of two.
template <yields Yields = yields::any, pricing::bits how = pricing::bits::portable, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE black_scholes_terms<T, how>
regular_terms(pricing::option<T> const& o) {
  constexpr bool native = how == pricing::bits::native;
  static_assert(!native || sizeof(T) == 4);
  constexpr double half_log2_e = 0.72134752044448170;
  double const time = static_cast<double>(o.expiry), sigma = static_cast<double>(o.volatility);
  two_parts<T> const strike = discounted<how>(o.strike, o.rate, o.expiry);
  two_parts<T> spot{o.spot, T{0}};
  double carry = static_cast<double>(o.rate);
  if constexpr (Yields == yields::any) {
    spot = discounted<how>(o.spot, o.dividend_yield, o.expiry);
    carry -= static_cast<double>(o.dividend_yield);
  }
  // In units of t: x / s and s / 2 are log2(A / B) / 2 and variance / 2 over root.
  double const x = std::fma(carry * half_log2_e, time, half_log2_ratio<how>(o.spot, o.strike));
  bool const call_outside = cast_bits<std::int64_t>(x) < 0;
  double const variance = sigma * sigma * half_log2_e * time;
  double const distance = std::fma(variance, -0.5, std::fabs(x));
  T root, inverse;
  if constexpr (native) {
    T const near = static_cast<T>(sigma * sigma * half_log2_e) * o.expiry;
    inverse = native_inverse_root(near);
    root = near * inverse;
  } else {
    root = rounded_root(static_cast<T>(variance));
    inverse = rounded_reciprocal(root);
  }
  T const t1 = static_cast<T>(distance) * inverse;
  // 2^(-t1^2); in float from more digits of t1^2 = distance^2 / variance than t1 has.
  T exact{};
  if constexpr (sizeof(T) == 4) {
    double guess;
    if constexpr (native) guess = native_reciprocal(variance);
    else guess = static_cast<double>(inverse * inverse);
    double const quotient = distance * distance * guess;
    exact = static_cast<float>(std::fma(quotient, std::fma(-variance, guess, 1.0), quotient));
  }
  if constexpr (native) { // beyond the normal numbers a power is 0
    return terms_of<T, how>(spot, strike, call_outside, t1, root, power_of_two(-exact), T{0});
  } else {
    bool const counts = std::fabs(t1) < largest_t<T>;
    integer_split<T> split;
    T f;
    if constexpr (sizeof(T) == 4) {
      float const square = exact < 128 ? exact : 128;
      split = nearest_integer(square);
      f = split.whole - square;
    } else {
      double const t = counts ? t1 : 0;
      split = nearest_integer(t, t);
      f = std::fma(-t, t, split.whole);
    }
    T const power = scale_down(T{1}, split);
    return terms_of(spot, strike, call_outside, t1, root, counts ? power : T{0}, power_less_one(f));
  }
}

template <yields Yields = yields::any, pricing::bits how = pricing::bits::portable, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pricing::prices<T>
regular_prices(pricing::option<T> const& o) {
  return prices_of(regular_terms<Yields, how>(o));
}

// ---- Greeks, from what the prices are made of: no exponential and no Mills ratio more -----------

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
