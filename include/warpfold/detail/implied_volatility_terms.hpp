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

#include <warpfold/detail/implied_elementary.hpp>
#include <warpfold/pricing/implied.hpp>

#include <limits>

namespace warpfold::detail {

template <class T>
inline constexpr T implied_nan = std::numeric_limits<T>::quiet_NaN();

/// M(near) and M(far), added or subtracted.
struct mills_pair {
  double sum, difference;
};

/// -0.75 <= near <= far, gap = far - near. M(u) = x R(w) where x = 1 / (u + 4), w = 6.5 x - 1 is
/// between -1 and 1, and R is Chebyshev's approximation of degree 26 (its error is 1e-16). M(near)
/// - M(far) is a difference of x, which is a product, times a divided difference of R, which
/// Horner's scheme gives without cancellation.
WARPFOLD_HOST_DEVICE inline mills_pair mills_pair_of(double near, double far, double gap) {
  constexpr double r[] = {0x1.26bfa274a504dp+1,   0x1.43964da3e16d3p+1,   0x1.04a9cb5c71c4fp+1,
                          0x1.2570ad3a57ff2p+0,   0x1.82b99f34fac0ep-2,   0x1.f0679c32de612p-8,
                          -0x1.95fa192fdd562p-5,  -0x1.56c70e00a3d42p-7,  0x1.d5a52c66a75acp-8,
                          0x1.220a28d229ef9p-9,   -0x1.75138967ddddfp-10, -0x1.72c4115d117c0p-12,
                          0x1.6d2b5facff3f1p-12,  0x1.79d6a71f2ab8cp-16,  -0x1.68d27d06f38dfp-14,
                          0x1.030f7f2f252f2p-16,  0x1.222da069d687fp-16,  -0x1.3d36fecc501b1p-17,
                          -0x1.8cbbcc4b1a14fp-20, 0x1.b6a4172857d5bp-19,  -0x1.89538320bebf2p-21,
                          -0x1.9809d9f7e8f2bp-21, 0x1.c288a67e4db01p-22,  0x1.d5a595a91a15cp-24,
                          -0x1.c3bb4c35c7d4ap-24, -0x1.eb9daeba6aa9ap-28, 0x1.8db6ab0114b5fp-27};
  constexpr int degree = sizeof(r) / sizeof(r[0]) - 1;
  double const near_shifted = near + 4, far_shifted = far + 4;
  double const product = 1 / (near_shifted * far_shifted);
  double const x_near = product * far_shifted, x_far = product * near_shifted;
  double const w_near = std::fma(6.5, x_near, -1.), w_far = std::fma(6.5, x_far, -1.);
  double value = r[degree], slope = value; // of R, at w_near; from there to w_far
  WARPFOLD_UNROLL
  for (int i = degree - 1; i > 0; --i) {
    value = std::fma(value, w_near, r[i]);
    slope = std::fma(slope, w_far, value);
  }
  value = std::fma(value, w_near, r[0]);
  double const x_difference = gap * product;
  double const difference = x_difference * std::fma(6.5 * x_far, slope, value);
  double const far_value = std::fma(-6.5 * x_difference, slope, value);
  return {std::fma(2 * x_far, far_value, difference), difference};
}

/// Where a time value is sought.
struct implied_target {
  double k;           ///< |ln(A / B)|
  double bound;       ///< min(A, B) / sqrt(2 pi)
  double value;       ///< the time value, or what it lacks to min(A, B): the lesser, normal...
  double value_scale; ///< ... by an addition of this to its logarithm
  double z;           ///< a constant of the objective, about sqrt(-2 ln P)
  bool low;           ///< whether the value is the time value
};

/// A better s, by Householder's step for sqrt(z^2 - 2 g) - z, g being what the logarithm of P
/// (of 1 - P) at s exceeds the target by. With L the logarithm, L' = slope / s and so on.
WARPFOLD_HOST_DEVICE inline double implied_step(implied_target const& target, double s) {
  double const a = target.k / s, t = 0.5 * s;
  double const u = a - t, v = a + t;
  mills_pair const mills = mills_pair_of(target.low ? u : -u, v, target.low ? s : 2 * a);
  double const quotient = target.low ? mills.difference : mills.sum;
  double const g = log_of_ratio(quotient * target.bound, target.value) -
                   std::fma(0.5 * u, u, -target.value_scale);
  double const slope = (target.low ? s : -s) / quotient;
  double const square = std::fma(-2., g, target.z * target.z);
  double const root = std::sqrt(square);
  double const curl = slope / square;
  double const uv = u * v;
  double const second = uv - slope + curl;
  double const third = std::fma(uv, uv - 3 * slope, 2 * slope * slope) - std::fma(3 * a, a, t * t) +
                       3 * curl * second;
  double const newton = -2 * g * root / ((root + target.z) * slope);
  double const step = newton * std::fma(0.5 * second, newton, 1.) /
                      std::fma(newton, std::fma(third * (1. / 6), newton, second), 1.);
  return std::fma(s, step, s);
}

/// The guess: y = z * polynomial(1 / z, z / sqrt(z^2 + 2k)) stands for |u|.
WARPFOLD_HOST_DEVICE inline double implied_guess(bool low, double k, double z) {
  double const x = 1 / z, r = z / std::sqrt(std::fma(z, z, 2 * k));
  auto const row = [&](double low0, double low1, double low2, double high0, double high1,
                       double high2) {
    return std::fma(r, std::fma(r, low ? low2 : high2, low ? low1 : high1), low ? low0 : high0);
  };
  double y = row(-44.660918, 143.703399, -94.948610, 0.538923, 0.091255, -0.153955);
  y = std::fma(y, x, row(33.785239, -120.849431, 86.086243, -1.488354, 1.003376, -0.094250));
  y = std::fma(y, x, row(-8.762273, 28.378862, -21.115020, -0.315951, -0.050750, -0.005416));
  y = std::fma(y, x, row(1.534524, -1.658654, 1.178363, 1.014679, 0.003954, -0.000232));
  y *= z;
  double const sum = y + std::sqrt(std::fma(y, y, 2 * k));
  return low ? 2 * k / sum : sum;
}

/// volatility * sqrt(expiry) from the time value and what it lacks to its bound, min(A, B).
WARPFOLD_HOST_DEVICE inline double implied_deviation(double k, double bound, double time_value,
                                                     double lack) {
  bool const low = time_value <= lack;
  double const least = low ? time_value : lack;
  bool const tiny = least < 0x1p-300; // it might be subnormal
  double const value = least * (tiny ? 0x1p600 : 1.);
  double const scale = tiny ? 600 * 0x1.62e42fefa39efp-1 : 0;
  double const weight = k / std::fma(0.5, k, 1.);
  double const three = low ? 3 * (least / bound) : 0;
  double const unit = low ? weight + three : 1;
  double const z = std::sqrt(2 * (log_of_ratio(unit * bound, value) + scale));
  implied_target const target{k, bound * 0x1.9884533d43651p-2, value, scale, z, low};
  return implied_step(target, implied_step(target, implied_guess(low, k + three, z)));
}

/// The volatility that a quote implies, and what became of it; computed in double, by the same
/// operations on every place, without loops.
///
/// What a correctly rounded price determines is attained within a few units in the last place; the
/// price of an option in the money first loses the digits of its intrinsic value, and where its
/// time value is of the order of the price's rounding, so is the error of what that implies. A
/// price below the intrinsic value by so little counts as equal to it: volatility 0, converged.
///
/// bad_input: NaN, an infinity, a negative price, no positive spot, strike or expiry; or spot and
/// strike, discounted or not, beyond 2^-1000 and 2^1000, or discounted by more than exp(+-690).
template <class T>
WARPFOLD_HOST_DEVICE pricing::implied<T> implied_volatility_of(pricing::quote<T> const& quote) {
  using pricing::implied_status;
  constexpr T nan = implied_nan<T>;
  double const price = quote.price, expiry = quote.expiry;
  double const spot = quote.spot, strike = quote.strike;
  double const growth = quote.dividend_yield * expiry, interest = quote.rate * expiry;
  bool const call = quote.kind == pricing::option_kind::call;
  auto const within = [](double x, double low, double high) { return x >= low && x <= high; };
  if (!(within(price, 0, 0x1p1000) && within(expiry, 0x1p-1000, 0x1p1000) &&
        within(spot, 0x1p-1000, 0x1p1000) && within(strike, 0x1p-1000, 0x1p1000) &&
        within(growth, -690, 690) && within(interest, -690, 690) &&
        (call || quote.kind == pricing::option_kind::put)))
    return {nan, implied_status::bad_input};
  double const a = spot * exponential(-growth), b = strike * exponential(-interest);
  if (!(within(a, 0x1p-1000, 0x1p1000) && within(b, 0x1p-1000, 0x1p1000)))
    return {nan, implied_status::bad_input};
  double const highest = call ? a : b, other = call ? b : a;
  if (price >= highest) return {nan, implied_status::above_bound};
  double const intrinsic = highest > other ? highest - other : 0;
  double const time_value = price - intrinsic;
  if (!(time_value > 0)) {
    // What the rounding of the price, even by a whole unit, and of a and b may account for.
    constexpr double epsilon = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
    double const rounding = std::fma(price, epsilon, 0x1p-50 * (a + b));
    if (time_value < -rounding) return {nan, implied_status::below_intrinsic};
    return {T{0}, implied_status::converged};
  }
  bool const above = spot >= strike;
  double const carry = interest - growth;
  double const k =
      log_of_ratio(above ? spot : strike, above ? strike : spot) + (above ? carry : -carry);
  double const s = implied_deviation(k < 0 ? -k : k, highest < other ? highest : other, time_value,
                                     highest - price);
  return {static_cast<T>(s / std::sqrt(expiry)), implied_status::converged};
}

} // namespace warpfold::detail
