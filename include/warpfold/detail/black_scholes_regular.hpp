#pragma once
// One European option's price by the Mills ratio: both terms from one exponential and one divided
// difference, so that nothing cancels in the tails, near the money or for small volatility.
//
// With A = S e^-qT, B = X e^-rT, s = sigma sqrt T and x = ln(A / B), the option that is out of the
// money (the call where A < B, else the put) is worth
//   l N(-u1) - m N(-u2) = p (R(u1) - R(u2)),   u1 = |x| / s - s / 2,   u2 = u1 + s,
// where l and m are the smaller and the larger of A and B, R is the Mills ratio and p the density
// that both terms share: l phi(u1) = m phi(u2). The other option is worth m - l more. Everything is
// in units in which phi is a power of two: t = u sqrt(log2(e) / 2), so 2^(-t^2) = e^(-u^2 / 2).

#include <warpfold/detail/mills_ratio.hpp>
#include <warpfold/pricing/option.hpp>

namespace warpfold::detail {

/// Whether the dividend yield is known to be 0, which saves its exponential. The bits are the same.
enum class yields { any, none };

/// Inputs from which nothing that regular_prices computes overflows or loses digits to underflow.
/// float: spot and strike in 2^-32..2^32, expiry in 2^-20..2^6, volatility in 2^-16..2^4, rates in
/// +-1. double: 2^-200..2^200, 2^-50..2^9, 2^-40..2^6, +-1.
template <class T>
WARPFOLD_HOST_DEVICE bool is_regular(pricing::option<T> const& o) {
  constexpr bool narrow = sizeof(T) == 4;
  constexpr T price = narrow ? T(0x1p32) : T(0x1p200),
              least_price = narrow ? T(0x1p-32) : T(0x1p-200);
  constexpr T time = narrow ? T(0x1p6) : T(0x1p9), least_time = narrow ? T(0x1p-20) : T(0x1p-50);
  constexpr T sigma = narrow ? T(0x1p4) : T(0x1p6), least_sigma = narrow ? T(0x1p-16) : T(0x1p-40);
  // Not short-circuited: a comparison each and no branch.
  return static_cast<bool>(
      static_cast<int>(o.spot >= least_price) & static_cast<int>(o.spot <= price) &
      static_cast<int>(o.strike >= least_price) & static_cast<int>(o.strike <= price) &
      static_cast<int>(o.expiry >= least_time) & static_cast<int>(o.expiry <= time) &
      static_cast<int>(o.volatility >= least_sigma) & static_cast<int>(o.volatility <= sigma) &
      static_cast<int>(o.rate >= T{-1}) & static_cast<int>(o.rate <= T{1}) &
      static_cast<int>(o.dividend_yield >= T{-1}) & static_cast<int>(o.dividend_yield <= T{1}));
}

/// amount e^(-rate time) as head + tail.
template <class T>
WARPFOLD_HOST_DEVICE two_parts<T> discounted(T amount, T rate, T time) {
  // - rate log2(e), to more digits than T has.
  constexpr double log2_e = 1.4426950408889634, log2_e_rest = 2.0355273740931033e-17;
  double const slope = static_cast<double>(rate) * -log2_e;
  double const t = static_cast<double>(time);
  auto const split = nearest_integer(slope, t);
  double f = std::fma(slope, t, -split.whole);
  if constexpr (sizeof(T) == 8) {
    double const rest = std::fma(rate, -log2_e, -slope) - rate * log2_e_rest;
    f = std::fma(rest, t, f);
  }
  T const scaled = scale_up(amount, split);
  T const growth = exp2_less_one(static_cast<T>(f));
  T const head = std::fma(scaled, growth, scaled);
  return {head, std::fma(scaled, growth, scaled - head)};
}

/// What prices and Greeks are made of.
template <class T>
struct black_scholes_terms {
  two_parts<T> spot, strike; ///< discounted: A and B
  bool call_outside;         ///< the call is the one out of the money
  bool inside;               ///< t1 is left of where the polynomial holds
  T near;                    ///< l
  T unit, growth; ///< unit (1 + growth) is l 2^(-t1^2), the density that both terms share
  T t1, t2;
  T minus_twice, first; ///< -2 G where G(t) = 2^(t^2) N(-t sqrt(2 ln 2)): at t1, inside at -t1
  T drop;               ///< G there less G at t2
};

/// From discounted spot and strike, t1, root = t2 - t1 and power (1 + growth) = 2^(-t1^2).
template <class T>
WARPFOLD_HOST_DEVICE black_scholes_terms<T> terms_of(two_parts<T> spot, two_parts<T> strike,
                                                     bool call_outside, T t1, T root, T power,
                                                     T growth) {
  T const near = call_outside ? spot.head : strike.head, t2 = t1 + root;
  bool const inside = t1 <= mills_fit<T>::from;
  T const size1 = inside ? -t1 : t1, shifted1 = size1 + mills_fit<T>::shift;
  T const v1 = rounded_reciprocal(shifted1), v2 = rounded_reciprocal(t2 + mills_fit<T>::shift);
  auto const q = mills_polynomial(v1, v2);
  T const drop = (inside ? t2 + t1 : root) * (v1 * v2) * q.slope;
  // Where G is wanted itself, the roundings up to v1 are what it loses most by. It goes about with
  // v1^2: add to v1 twice what they lost.
  T const lost = size1 - (shifted1 - mills_fit<T>::shift), twice = T{-2} * v1;
  T const excess = std::fma(twice, lost, std::fma(twice, shifted1, T{2}));
  T const minus_twice = std::fma(twice, excess, twice);
  return {spot,   strike, call_outside, inside,      near,    near * power,
          growth, t1,     t2,           minus_twice, q.first, drop};
}

template <class T>
WARPFOLD_HOST_DEVICE pricing::prices<T> prices_of(black_scholes_terms<T> const& r) {
  T const factor = r.inside ? std::fma(r.minus_twice, r.first, r.drop) : r.drop;
  T const share = std::fma(factor, r.growth, factor);
  T const outside = std::fma(r.unit, share, r.inside ? r.near : T{0});
  // far - (near - outside): at most a rounding of each, which is what parity may lose.
  T const far = r.call_outside ? r.strike.head : r.spot.head;
  T const rest = r.strike.tail - r.spot.tail;
  T const left = (r.near - outside) - (r.call_outside ? rest : -rest);
  T const sum = far - left;
  T const inside = sum > T{0} ? sum : T{0};
  return {r.call_outside ? outside : inside, r.call_outside ? inside : outside};
}

/// Where 2^(-t^2) ceases to be a normal number: from here on it counts as 0.
template <class T>
inline constexpr T largest_t = sizeof(T) == 4 ? T(11.125) : T(31.875);

template <yields Yields = yields::any, class T>
WARPFOLD_HOST_DEVICE black_scholes_terms<T> regular_terms(pricing::option<T> const& o) {
  constexpr double half_log2_e = 0.72134752044448170;
  double const time = static_cast<double>(o.expiry), sigma = static_cast<double>(o.volatility);
  two_parts<T> const strike = discounted(o.strike, o.rate, o.expiry);
  two_parts<T> spot{o.spot, T{0}};
  double carry = static_cast<double>(o.rate);
  if constexpr (Yields == yields::any) {
    spot = discounted(o.spot, o.dividend_yield, o.expiry);
    carry -= static_cast<double>(o.dividend_yield);
  }
  // In units of t: x / s and s / 2 are log2(A / B) / 2 and variance / 2 over root.
  double const x = std::fma(carry * half_log2_e, time, half_log2_ratio(o.spot, o.strike));
  bool const call_outside = cast_bits<std::int64_t>(x) < 0;
  double const variance = sigma * sigma * half_log2_e * time;
  double const distance = std::fma(variance, -0.5, std::fabs(x));
  T const root = rounded_root(static_cast<T>(variance));
  T const inverse = rounded_reciprocal(root);
  T const t1 = static_cast<T>(distance) * inverse;
  // 2^(-t1^2); in float from more digits of t1^2 = distance^2 / variance than t1 has.
  split_double split;
  T f;
  if constexpr (sizeof(T) == 4) {
    double const guess = static_cast<double>(inverse * inverse);
    double const quotient = distance * distance * guess;
    double const square = std::fma(quotient, std::fma(-variance, guess, 1.0), quotient);
    split = nearest_integer(square);
    f = static_cast<float>(split.whole - square);
  } else {
    split = nearest_integer(t1, t1);
    f = std::fma(-t1, t1, split.whole);
  }
  T const power = scale_down(T{1}, split);
  bool const counts = std::fabs(t1) < largest_t<T>;
  return terms_of(spot, strike, call_outside, t1, root, counts ? power : T{0}, power_less_one(f));
}

template <yields Yields = yields::any, class T>
WARPFOLD_HOST_DEVICE pricing::prices<T> regular_prices(pricing::option<T> const& o) {
  return prices_of(regular_terms<Yields>(o));
}

} // namespace warpfold::detail
