#pragma once
// The volatility that a price implies, to the last digits that the price has, in two steps.
//
// Let A = S exp(-qT), B = X exp(-rT), k = |ln(A / B)|, s = volatility sqrt(T), N the normal
// distribution function, n its density and M(u) = N(-u) / n(u) the Mills ratio. An option's time
// value is the price of the one out of the money with the same strike. In units of min(A, B) it is
//   P = N(-u) - exp(k) N(-v) = n(u) (M(u) - M(v)),  where u = k / s - s / 2, v = k / s + s / 2,
// and what it lacks to its bound is 1 - P = n(u) (M(-u) + M(v)): exp(k) n(v) = n(u). So ln P and
// ln(1 - P), whichever is farther from 0, need no exponential, do not underflow and lose no digits;
// their derivatives with respect to s are 1 / (M(u) - M(v)) and -1 / (M(-u) + M(v)), the others
// follow from dP/ds = n(u) and d ln n(u) / ds = u v / s.
//
// P. Jaeckel, "Let's be rational", Wilmott 75, 2015, showed that from a good guess two of
// Householder's steps of fourth order (The Numerical Treatment of a Single Nonlinear Equation,
// 1970) attain the accuracy of the machine. Here the guess is one formula with two sets of
// coefficients (at most 6 % off), and the objective sqrt(-2 ln P), nearly linear from the money to
// the farthest wing: the first step leaves less than 6e-7, the second rounding.

#include <warpfold/detail/pricing/black_scholes_regular.hpp>
#include <warpfold/pricing/implied_volatility.hpp>

#include <limits>

namespace warpfold::inline v0::detail {

/// ln(a / b), for 2^-900 < a, b < 2^900.
WARPFOLD_HOST_DEVICE inline double log_of_ratio(double a, double b) {
  return half_log2_ratio(a, b) * 0x1.62e42fefa39efp+0; // 2 ln 2
}

template <class T>
inline constexpr T implied_nan = std::numeric_limits<T>::quiet_NaN();

/// (M(near) +- M(far)) / sqrt(2 pi).
struct mills_pair {
  double sum, difference;
};

/// For -0.75 <= near <= far, gap = far - near. M(u) = x R(y) sqrt(2 pi) where x = 1 / (u + 4) and
/// y = -u x is between -1 and 0.24. M(near) - M(far) is the difference of x, a product, times a
/// divided difference of x R, which Horner's scheme gives without cancellation.
/// R and the guess below: lib/pricing/fit_implied_volatility.py.
WARPFOLD_HOST_DEVICE inline mills_pair mills_pair_of(double near, double far, double gap) {
  constexpr double r[] = {
      0x1.0000000000000p+1,   0x1.1884533d43650p+2,  0x1.4ef7598579363p+2,  0x1.989d6b526348ep+1,
      0x1.2e7c34554699ap-2,   -0x1.6e9bde0c881e1p-1, -0x1.ecd0d55e354f5p-4, 0x1.be30c3a18a4e5p-3,
      -0x1.ff25081fe68ebp-10, -0x1.2096907dc9e3ep-4, 0x1.98823866959e0p-6,  0x1.de474547be98ap-7,
      -0x1.0410d95a1add8p-6,  0x1.6a9bdce3f4147p-9,  0x1.1d9fb06bde409p-8,  -0x1.12883969dcb43p-8,
      0x1.720b64d0b5017p-10,  0x1.c3c25a6d9fee7p-8,  0x1.455d4f6af72c0p-7,  -0x1.6ab3dd302e927p-8,
      -0x1.417af5fbe463ap-4,  -0x1.ac952344f81dap-3, -0x1.5179ec017cbc7p-2, -0x1.68cb4d65f017ap-2,
      -0x1.0c679dd700002p-2,  -0x1.1180f212fa472p-3, -0x1.6be963add6ceap-5, -0x1.1ccdcee327082p-7,
      -0x1.8dc2d6e715254p-11};
  constexpr int degree = sizeof(r) / sizeof(r[0]) - 1;
  double const near_shifted = near + 4, far_shifted = far + 4;
  double const product = rounded_reciprocal(near_shifted * far_shifted);
  double const x_near = product * far_shifted, x_far = product * near_shifted;
  double const y_near = -near * x_near, y_far = -far * x_far;
  double value = r[degree], slope = value; // of R, at y_near; from there to y_far
  WARPFOLD_UNROLL
  for (int i = degree - 1; i > 0; --i) {
    value = std::fma(value, y_near, r[i]);
    slope = std::fma(slope, y_far, value);
  }
  value = std::fma(value, y_near, r[0]);
  double const x_difference = gap * product;
  double const difference = x_difference * std::fma(4 * x_far, slope, value);
  double const far_value = std::fma(-4 * x_difference, slope, value);
  return {std::fma(2 * x_far, far_value, difference), difference};
}

/// Where a time value is sought.
struct implied_target {
  double k;     ///< |ln(A / B)|
  double bound; ///< min(A, B)
  double value; ///< the time value or what it lacks to its bound, the lesser; times exp(scale)
  double scale; ///< 0, or what makes a tiny value a normal number
  double z;     ///< about sqrt(-2 ln P), or of 1 - P: any constant will do for the objective
  bool low;     ///< whether the value is the time value
};

/// A better s, by Householder's step of fourth order for sqrt(z^2 - 2 g) - z, g being what ln P, or
/// ln(1 - P), is too much at s. Its derivative is slope / s; second and third are the others of the
/// objective, relative to its first, in units of 1 / s.
WARPFOLD_HOST_DEVICE inline double implied_step(implied_target const& target, double s) {
  double const per_s = rounded_reciprocal(s);
  double const about_a = target.k * per_s;
  double const a = std::fma(std::fma(-about_a, s, target.k), per_s, about_a), t = 0.5 * s;
  double const u = a - t, v = a + t;
  mills_pair const mills = mills_pair_of(target.low ? u : -u, v, target.low ? s : 2 * a);
  double const quotient = target.low ? mills.difference : mills.sum;
  double const g =
      log_of_ratio(quotient * target.bound, target.value) - std::fma(0.5 * u, u, -target.scale);
  double const square = std::fma(-2., g, target.z * target.z);
  double const root = rounded_root(square), roots = root + target.z;
  double const inverse = rounded_reciprocal(square * roots);
  constexpr double root_two_pi = 0x1.40d931ff62706p+1;
  double const sign = target.low ? root_two_pi : -root_two_pi;
  double const slope = s * rounded_reciprocal(quotient * sign);
  double const uv = u * v, curl = slope * roots * inverse;
  double const second = uv - slope + curl;
  double const third = std::fma(uv, uv - 3 * slope, 2 * slope * slope) - std::fma(3 * a, a, t * t) +
                       3 * curl * second;
  double const newton = -2 * g * root * (quotient * sign * per_s) * (square * inverse);
  double const step =
      newton * std::fma(0.5 * second, newton, 1.) *
      rounded_reciprocal(std::fma(newton, std::fma(third * (1. / 6), newton, second), 1.));
  return std::fma(s, step, s);
}

/// s as if |u| were z times a polynomial of 1 / z and z / sqrt(z^2 + 2k): both are smooth from the
/// money, where a low value depends on P / k, to the wings, where it depends on ln P.
WARPFOLD_HOST_DEVICE inline double implied_guess(bool low, double k, double z) {
  double const x = rounded_reciprocal(z),
               r = z * rounded_reciprocal(rounded_root(std::fma(z, z, 2 * k)));
  auto const row = [&](double low0, double low1, double low2, double high0, double high1,
                       double high2) {
    return std::fma(r, std::fma(r, low ? low2 : high2, low ? low1 : high1), low ? low0 : high0);
  };
  double y = row(-44.157452, 142.661248, -94.397461, 0.536302, 0.099043, -0.159343);
  y = std::fma(y, x, row(33.363787, -119.773765, 85.417175, -1.483746, 0.990563, -0.085838));
  y = std::fma(y, x, row(-8.658324, 28.037704, -20.873729, -0.317998, -0.045363, -0.008804));
  y = std::fma(y, x, row(1.528284, -1.640710, 1.166430, 1.014934, 0.003311, 0.000160));
  y *= z;
  double const sum = y + rounded_root(std::fma(y, y, 2 * k));
  return low ? 2 * k * rounded_reciprocal(sum) : sum;
}

/// volatility * sqrt(expiry) from the time value and what it lacks to its bound, min(A, B).
WARPFOLD_HOST_DEVICE inline double implied_deviation(double k, double bound, double time_value,
                                                     double lack) {
  bool const low = time_value <= lack;
  double const least = low ? time_value : lack;
  bool const tiny = least < bound * 0x1p-300; // it might be subnormal
  double const value = least * (tiny ? 0x1p700 : 1.);
  double const scale = tiny ? 700 * 0x1.62e42fefa39efp-1 : 0;
  double const weight = k * rounded_reciprocal(std::fma(0.5, k, 1.));
  double const three = low ? 3 * least * rounded_reciprocal(bound) : 0;
  double const unit = low ? weight + three : 1;
  if (unit < 0x1p-400) return 0; // so little volatility, at the money
  double const z = rounded_root(2 * (log_of_ratio(unit * bound, value) + scale));
  implied_target const target{k, bound, value, scale, z, low};
  return implied_step(target, implied_step(target, implied_guess(low, k + three, z)));
}

/// The volatility that a quote implies, and what became of it; computed in double, by the same
/// operations on every place, without loops.
///
/// As accurate as the price allows: the largest errors seen are 7 units in the last place of a
/// double and 0.5001 of a float. That holds in the money, too: the intrinsic value is known to more
/// digits than the price has. But the fewer digits the time value has, the fewer digits of the
/// volatility the price determines. Where the time value is of the order of the price's own
/// rounding, the volatility is noise. A price below the intrinsic value by as little counts as
/// equal to it: volatility 0, converged.
///
/// bad_input: NaN, an infinity, a negative price, no positive spot, strike or expiry. Or spot and
/// strike, discounted or not, beyond 2^+-512, expiry beyond 2^+-300, discounts beyond exp(+-500).
template <class T>
WARPFOLD_HOST_DEVICE pricing::implied<T> implied_volatility_of(pricing::quote<T> const& quote) {
  using pricing::implied_status;
  constexpr T nan = implied_nan<T>;
  auto const within = [](double x, double low, double high) { return x >= low && x <= high; };
  auto const is_price = [&](double x) { return within(x, 0x1p-512, 0x1p512); };
  double const price = quote.price, spot = quote.spot, strike = quote.strike;
  double const expiry = quote.expiry, rate = quote.rate, dividend_yield = quote.dividend_yield;
  bool const call = quote.kind == pricing::option_kind::call;
  if (!(within(price, 0, 0x1p1000) && is_price(spot) && is_price(strike) &&
        within(expiry, 0x1p-300, 0x1p300) && within(rate * expiry, -500, 500) &&
        within(dividend_yield * expiry, -500, 500) &&
        (call || quote.kind == pricing::option_kind::put)))
    return {nan, implied_status::bad_input};

  two_parts<double> const a = discounted(spot, dividend_yield, expiry);
  two_parts<double> const b = discounted(strike, rate, expiry);
  if (!(is_price(a.head) && is_price(b.head))) return {nan, implied_status::bad_input};
  two_parts<double> const own = call ? a : b, other = call ? b : a;
  if (price >= own.head) return {nan, implied_status::above_bound};
  double const lack = (own.head - price) + own.tail;
  double time_value = price;
  if (own.head > other.head) { // less the intrinsic value, what its rounding lost included
    double const intrinsic = own.head - other.head;
    double const lost = (own.head - intrinsic) - other.head + (own.tail - other.tail);
    time_value = (price - intrinsic) - lost;
  }
  if (!(time_value > 0)) {
    constexpr double epsilon = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
    double const rounding = std::fma(price, epsilon, 0x1p-52 * (a.head + b.head));
    if (time_value < -rounding) return {nan, implied_status::below_intrinsic};
    return {T{0}, implied_status::converged};
  }

  bool const above = spot >= strike;
  double const carry = above ? rate - dividend_yield : dividend_yield - rate;
  double const k =
      std::fma(carry, expiry, log_of_ratio(above ? spot : strike, above ? strike : spot));
  double const least = own.head < other.head ? own.head : other.head;
  double const s = implied_deviation(k < 0 ? -k : k, least, time_value, lack);
  return {static_cast<T>(s * rounded_reciprocal(rounded_root(expiry))), implied_status::converged};
}

} // namespace warpfold::inline v0::detail
