#pragma once
// Division, roots, logarithms and powers of two for pricing: the same bits on the host and on a
// GPU, without branches. Only + - * sqrt, explicit fma and integers; what includes this is compiled
// without contraction (-ffp-contract=off, -fmad=false).

#include <warpfold/pricing/bits.hpp>
#include <warpfold/reduction/operations.hpp>

#include <cmath>
#include <cstdint>

namespace warpfold::inline v0::detail {

template <class T>
inline constexpr int mantissa_bits = sizeof(T) == 4 ? 23 : 52;

/// `inverse` of d, correctly rounded; where all bits of d's mantissa are ones, the power of two
/// below, as Newton's step on a GPU gives it.
template <class T>
WARPFOLD_ALWAYS_INLINE T without_last_bit(T inverse, T d) {
  constexpr bits_of<T> mantissa = (bits_of<T>{1} << mantissa_bits<T>)-1;
  bool const ones = (cast_bits<bits_of<T>>(d) & mantissa) == mantissa;
  return cast_bits<T>(cast_bits<bits_of<T>>(inverse) - static_cast<bits_of<T>>(ones));
}

// Not of the same bits everywhere: a GPU's own instructions, which are faster. On a host they are
// rounded correctly.

/// 1 / d, to 1 unit in the last place.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float native_reciprocal(float d) {
#ifdef __CUDA_ARCH__
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(d));
  return r;
#else
  return 1 / d;
#endif
}
/// 1 / d, to some 2^-20 of itself.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double native_reciprocal(double d) {
#ifdef __CUDA_ARCH__
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
  return r;
#else
  return 1 / d;
#endif
}
/// 1 / sqrt(x), to 2^-22.4 of itself.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float native_inverse_root(float x) {
#ifdef __CUDA_ARCH__
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return 1 / std::sqrt(x);
#endif
}

// The same bits everywhere.

/// 1 / d, correctly rounded, for 2^-125 < d < 2^125 (double: 2^-1000 < d < 2^1000, and but for the
/// d of without_last_bit). The GPU's seed and Newton's steps, no branch: Markstein, IA-64 and
/// Elementary Functions (2000), chapter 8. A test tries all mantissas of float.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T rounded_reciprocal(T d) {
#ifdef __CUDA_ARCH__
  T r = native_reciprocal(d);
  if constexpr (sizeof(T) == 8) {
    T e = std::fma(-d, r, T{1});
    e = std::fma(e, e, e);
    r = std::fma(r, e, r);
  }
  return std::fma(r, std::fma(-d, r, T{1}), r);
#else
  return sizeof(T) == 4 ? T{1} / d : without_last_bit(T{1} / d, d);
#endif
}

/// The square root of x, correctly rounded, for 2^-100 < x < 2^100 (double: 2^-900 < x < 2^900).
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T rounded_root(T x) {
#ifdef __CUDA_ARCH__
  T y;
  if constexpr (sizeof(T) == 4) {
    y = native_inverse_root(x);
  } else {
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    T const e = std::fma(x, -(y * y), T{1});
    y = std::fma(std::fma(e, T(0.375), T(0.5)), y * e, y);
  }
  T const s = x * y;
  return std::fma(std::fma(-s, s, x), y * T(0.5), s);
#else
  return std::sqrt(x);
#endif
}

/// first + x (second + x (...)).
template <class T, class... Rest>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T horner(T x, T first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) return first;
  else return std::fma(x, horner(x, rest...), first);
}

/// a b split into the nearest integer and what that leaves, for |a b| < 2^22 (double: 2^51).
template <class T>
struct integer_split {
  bits_of<T> bits; ///< the lowest are the integer's
  T whole;
};
template <class T>
inline constexpr T integer_magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52); ///< puts it there
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE integer_split<T> nearest_integer(T a, T b) {
  T const sum = std::fma(a, b, integer_magic<T>);
  return {cast_bits<bits_of<T>>(sum), sum - integer_magic<T>};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE integer_split<T> nearest_integer(T a) {
  T const sum = a + integer_magic<T>;
  return {cast_bits<bits_of<T>>(sum), sum - integer_magic<T>};
}

/// x 2^n and x 2^-n, n being the integer of `split`, as long as that is a normal number.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T scale_up(T x, integer_split<T> split) {
  return cast_bits<T>(cast_bits<bits_of<T>>(x) + (split.bits << mantissa_bits<T>));
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T scale_down(T x, integer_split<T> split) {
  return cast_bits<T>(cast_bits<bits_of<T>>(x) - (split.bits << mantissa_bits<T>));
}

/// 2^f - 1 for |f| <= 1/2; at most 0.45 and 0.6 units of 2^-24 and 2^-53 away. Coefficients:
/// lib/pricing/fit_mills_ratio.py.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float exp2_less_one(float f) {
  constexpr float first = 0x1.62e43p-1F,
                  rest = static_cast<float>(0.6931472028575281 - 0x1.62e43p-1);
  float const tail =
      horner(f, rest, 0.240226479F, 0.0555033247F, 0.00961843737F, 0.00133988751F, 0.000153533575F);
  return std::fma(f, first, f * tail);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double exp2_less_one(double f) {
  constexpr double first = 0x1.62e42fefa39efp-1, rest = 2.3190468138462996e-17;
  double const tail = horner(f, rest, 0.24022650695910131, 0.055504108664820084,
                             0.0096181291075941216, 0.0013333558146774584, 0.00015403530457110382,
                             1.5252733493131909e-5, 1.3215435283024788e-6, 1.0178199577311979e-7,
                             7.0737831461946076e-9, 4.4347697324383052e-10);
  return std::fma(f, first, f * tail);
}

/// 2^f - 1 for |f| <= 1/2, to fewer digits in float: at most 1.5 units of 2^-25 away.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float power_less_one(float f) {
  return f * horner(f, 0.693147203F, 0.240226479F, 0.0555033247F, 0.00961843737F, 0.00133988751F,
                    0.000153533575F);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double power_less_one(double f) {
  return exp2_less_one(f);
}

/// A value as head + tail, to more digits than T has.
template <class T>
struct two_parts {
  T head, tail;
};

/// Half the binary logarithm of a / b, for normal positive a and b: k / 2 + log2(e) atanh(z) where
/// z = (a 2^-k - b) / (a 2^-k + b) is at most 0.2, and its numerator exact (Sterbenz 1974): nothing
/// cancels where a and b are close. In double also for floats: some 40 bits of it count.
template <pricing::bits how = pricing::bits::portable, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double half_log2_ratio(T a, T b) {
  using bits = bits_of<T>;
  constexpr bits one = bits{1} << mantissa_bits<T>;
  // k, above the mantissa, and 2^7 or 2^10 more, so that it is not negative.
  constexpr bits bias = sizeof(T) == 4 ? bits{0x4000'0000} : one << 10;
  bits const biased = (cast_bits<bits>(a) - cast_bits<bits>(b) + (bias + one / 2)) & ~(one - 1);
  T const near = cast_bits<T>(cast_bits<bits>(a) - biased + bias);
  T const half = (near - b) * T(0.5), middle = half + b;
  constexpr bool native = how == pricing::bits::native && sizeof(T) == 4;
  T inverse; // what it is off by is corrected
  if constexpr (native) inverse = native_reciprocal(middle);
  else inverse = rounded_reciprocal(middle);
  // k / 2: the biased bits are the low word of a double from 2^top to 2^top + 2^32.
  constexpr int top = sizeof(T) == 4 ? 28 : 31;
  constexpr double excess = (1LL << top) + (1LL << (top - 22));
  auto const word = static_cast<std::uint32_t>(biased >> (sizeof(T) == 4 ? 0 : 32));
  double const k =
      cast_bits<double>(std::uint64_t{1023 + top} << 52 | std::uint64_t{word}) - excess;
  constexpr double log2_e = 1.4426950408889634;
  if constexpr (sizeof(T) == 4) {
    float const z = half * inverse;
    float const left = std::fma(-z, half, std::fma(-z, b, half));
    float const square = z * z;
    float const series = horner(square, 0.333334737F, 0.19978881F, 0.1518134F);
    float const tail = std::fma(z * square, series, left * inverse);
    return std::fma(static_cast<double>(z) + static_cast<double>(tail), log2_e, k);
  } else {
    double const first = half * inverse;
    double const z = std::fma(std::fma(-first, middle, half), inverse, first);
    double const square = z * z;
    double const series = horner(square, 0.333333333333333, 0.2000000000002741, 0.14285714278080104,
                                 0.11111112133569061, 0.09090833649048455, 0.076955366973603235,
                                 0.065870735545640851, 0.0691993063848611);
    double const atanh = std::fma(z * square, series, z);
    return std::fma(atanh, log2_e, k);
  }
}

} // namespace warpfold::inline v0::detail
