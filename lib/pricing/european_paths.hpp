#pragma once
// What one path makes of a European option: functions of one normal number, and the sums that are
// kept of them.

#include <warpfold/detail/elementary.hpp>
#include <warpfold/detail/estimate.hpp>
#include <warpfold/pricing/option.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace warpfold::pricing {

// As variables, since device code may read those but not call numeric_limits.
template <class T>
inline constexpr T simulated_nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T simulated_most = std::numeric_limits<T>::max();

/// NaN, negative or infinite inputs make a price that is NaN.
template <class T>
WARPFOLD_HOST_DEVICE bool can_be_simulated(option<T> const& of) {
  constexpr T most = simulated_most<T>;
  auto const positive = [&](T x) { return x >= 0 && x <= most; };
  auto const finite = [&](T x) { return x >= -most && x <= most; };
  return positive(of.spot) && positive(of.strike) && positive(of.expiry) &&
         positive(of.volatility) && finite(of.rate) && finite(of.dividend_yield);
}

/// An option's payoff is unit max(sign (2^(a + b z) - 1), 0): the strike is taken out, so that the
/// exponent is small where the payoff is small and float arithmetic loses nothing there.
struct option_scale {
  double unit;      ///< the strike
  double discount;  ///< from expiry to today; NaN where an input is none
  double a, b;      ///< b = log2(e) deviation
  double deviation; ///< volatility sqrt(expiry), of the logarithm
};

/// log2(x / y).
template <class T>
WARPFOLD_HOST_DEVICE double log2_ratio(T x, T y) {
  constexpr T least = sizeof(T) == 4 ? T(0x1p-126) : T(0x1p-1022);
  if (x >= least && y >= least) return 2 * detail::half_log2_ratio(x, y);
  return log2(static_cast<double>(x)) - log2(static_cast<double>(y));
}

template <class T>
WARPFOLD_HOST_DEVICE option_scale scale_of(option<T> const& of) {
  constexpr double log2_e = 1.4426950408889634;
  double const expiry = of.expiry, rate = of.rate, volatility = of.volatility;
  double const drift = rate - double{of.dividend_yield} - volatility * volatility / 2;
  // A strike of next to nothing changes nothing but the unit.
  T const least = of.spot * T(0x1p-30), strike = of.strike > least ? of.strike : least;
  double const a = of.spot > 0 ? log2_ratio(of.spot, strike) + drift * expiry * log2_e : -200;
  double const deviation = volatility * sqrt(expiry);
  return {strike, can_be_simulated(of) ? exp(-rate * expiry) : simulated_nan<double>, a,
          deviation * log2_e, deviation};
}

/// 2^x: on a GPU by the instruction for it in float, within 2 units in the last place.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float power_of_two(float x) {
#ifdef __CUDA_ARCH__
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
#else
  float const within = x < -126.F ? -126.F : x > 127.F ? 127.F : x;
  auto const split = detail::nearest_integer(within);
  return detail::scale_up(1.F + detail::exp2_less_one(within - split.whole), split);
#endif
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double power_of_two(double x) {
  double const within = x < -1000. ? -1000. : x > 1000. ? 1000. : x;
  auto const split = detail::nearest_integer(within);
  double const power = detail::scale_up(1. + detail::exp2_less_one(within - split.whole), split);
  return x == x ? power : x;
}

/// 1 for a negative number; 0 for one that is not, NaN among them.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t sign_bit(float x) {
  return detail::cast_bits<std::uint32_t>(x) >> 31;
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t sign_bit(double x) {
  return static_cast<std::uint32_t>(detail::cast_bits<std::uint64_t>(x) >> 63);
}

/// x where it is positive, else 0, also for NaN.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float positive_part(float x) {
#ifdef __CUDA_ARCH__
  return fmaxf(x, 0.F);
#else
  return x > 0 ? x : 0;
#endif
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double positive_part(double x) { return x > 0 ? x : 0; }

/// What an option's samples add up to.
struct sampled {
  double const* sums;
  std::uint64_t samples, paths, paying;
  double quantile;

  /// The mean of a quantity of which sums[m] and sums[m + 1] are the sum and that of its squares,
  /// times `factor`.
  WARPFOLD_HOST_DEVICE estimate mean(int m, double factor) const {
    detail::payoff_sums const all{sums[m], sums[m + 1], samples, paying};
    estimate one = detail::estimate_of(all, factor, quantile);
    one.paths = paths;
    return one;
  }
};

// An evaluation has
//   terms           what a thread keeps of an option, made by terms_of
//   sums            how many sums it keeps, in pairs: of a quantity and of its squares
//   paths           of a sample: one, or two that are antithetic
//   add(terms, z, at, negative)   adds a sample's quantities to the sums at(0), at(1) ..., and the
//                   number of paths that do not pay. A NaN is no path and changes nothing.
//   finish(kind, option, all, put)   calls put(k, estimate) for outputs k

/// The payoff of a path.
template <class T>
struct plain_evaluation {
  static constexpr int sums = 2;
  struct terms {
    T a, b;
    T sign; ///< 1 for a call, -1 for a put
  };

  WARPFOLD_HOST_DEVICE static constexpr int paths() { return 1; }
  WARPFOLD_HOST_DEVICE terms terms_of(option_kind kind, option<T> const& of) const {
    auto const scale = scale_of(of);
    return {static_cast<T>(scale.a), static_cast<T>(scale.b),
            kind == option_kind::call ? T(1) : T(-1)};
  }
  // Seven instructions of a GPU, which the compiler makes of this: two fused multiply-adds and one
  // more for the square, ex2, a maximum, a sum, and a shift with a sum.
  template <class At>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add(terms const& of, T z, At at,
                                                       std::uint32_t& negative) const {
    T const worth = std::fma(of.sign, power_of_two(std::fma(of.b, z, of.a)), -of.sign);
    T const payoff = positive_part(worth);
    at(0) += payoff;
    at(1) = std::fma(payoff, payoff, at(1));
    negative += sign_bit(worth);
  }
  template <class Put>
  WARPFOLD_HOST_DEVICE void finish(option_kind, option<T> const& of, sampled const& all,
                                   Put put) const {
    auto const scale = scale_of(of);
    put(0, all.mean(0, scale.unit * scale.discount));
  }
};

} // namespace warpfold::pricing
