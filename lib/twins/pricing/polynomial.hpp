#pragma once
// Prices by other formulas: those of the CUDA courses, with Hull's polynomial of five terms for the
// normal distribution, and exponentials and the logarithm as fast as the place has them; and as
// textbooks write it, in the functions of the mathematical library at hand.

#include <warpfold/detail/pricing/black_scholes_regular.hpp>

namespace warpfold::inline v0::detail {

#ifdef __CUDA_ARCH__
__device__ inline float fast_log(float x) { return __logf(x); }
__device__ inline float fast_exp(float x) { return __expf(x); }
__device__ inline float fast_divide(float a, float b) { return __fdividef(a, b); }
__device__ inline float fast_rsqrt(float x) { return rsqrtf(x); }
__device__ inline double fast_rsqrt(double x) { return rsqrt(x); }
#else
inline float fast_log(float x) { return std::log(x); }
inline float fast_exp(float x) { return std::exp(x); }
inline float fast_divide(float a, float b) { return a / b; }
template <class T>
T fast_rsqrt(T x) {
  return T{1} / std::sqrt(x);
}
#endif
WARPFOLD_HOST_DEVICE inline double fast_log(double x) { return std::log(x); }
WARPFOLD_HOST_DEVICE inline double fast_exp(double x) { return std::exp(x); }
WARPFOLD_HOST_DEVICE inline double fast_divide(double a, double b) { return a / b; }

/// N(d), at most 7.5e-8 away (Abramowitz and Stegun, Handbook of Mathematical Functions, 1964,
/// 26.2.17; Hull, Options, Futures, and Other Derivatives).
template <class T>
WARPFOLD_HOST_DEVICE T polynomial_normal(T d) {
  T const size = d < T{0} ? -d : d;
  T const k = fast_divide(T{1}, T{1} + T(0.2316419) * size);
  T const upper = T(0.39894228040143268) * fast_exp(T(-0.5) * d * d) *
                  (k * horner(k, T(0.319381530), T(-0.356563782), T(1.781477937), T(-1.821255978),
                              T(1.330274429)));
  return d > T{0} ? T{1} - upper : upper;
}

template <yields Yields = yields::any, class T>
WARPFOLD_HOST_DEVICE pricing::prices<T> polynomial_prices(pricing::option<T> const& o) {
  T const inverse_root = fast_rsqrt(o.expiry), root = o.expiry * inverse_root;
  T spot = o.spot, carry = o.rate;
  if constexpr (Yields == yields::any) {
    spot *= fast_exp(-o.dividend_yield * o.expiry);
    carry -= o.dividend_yield;
  }
  T const d1 = (fast_log(fast_divide(o.spot, o.strike)) +
                (carry + T(0.5) * o.volatility * o.volatility) * o.expiry) *
               fast_divide(inverse_root, o.volatility);
  T const d2 = d1 - o.volatility * root;
  T const n1 = polynomial_normal(d1), n2 = polynomial_normal(d2);
  T const strike = o.strike * fast_exp(-o.rate * o.expiry);
  return {spot * n1 - strike * n2, strike * (T{1} - n2) - spot * (T{1} - n1)};
}

} // namespace warpfold::inline v0::detail

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
