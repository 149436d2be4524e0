#pragma once
// Arithmetic that operators, folds and their transforms share on both places.

#include <warpfold/detail/core/macros.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace warpfold::inline v0::detail {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

template <class T>
inline constexpr T highest = std::numeric_limits<T>::has_infinity
                                 ? std::numeric_limits<T>::infinity()
                                 : std::numeric_limits<T>::max();
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::has_infinity
                                ? -std::numeric_limits<T>::infinity()
                                : std::numeric_limits<T>::lowest();

/// Integers in which additions and products wrap around: narrow ones would be promoted to int.
template <std::integral T>
using wrapping_t =
    typename std::conditional_t<(sizeof(T) < sizeof(unsigned)), std::type_identity<unsigned>,
                                std::make_unsigned<T>>::type;

/// The bits of one type as another of the same size. (std::bit_cast is not for device code.)
template <class To, class From>
WARPFOLD_HOST_DEVICE constexpr To cast_bits(From x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}
template <std::floating_point T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// x as an accumulator of type A; half types go by way of float, which holds them exactly.
template <class A, class T>
WARPFOLD_HOST_DEVICE constexpr A widen(T x) {
  if constexpr (is_half<T>) return static_cast<A>(static_cast<float>(x));
  else return static_cast<A>(x);
}

/// A transform applied to elements already widened to the accumulator.
template <class A, class Transform>
struct widened {
  Transform transform{};
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr A operator()(T x) const {
    return transform(widen<A>(x));
  }
};

/// IEEE 754-2019's minimum and, where NaN is ignored, minimumNumber.
template <bool IgnoresNan, std::floating_point T>
requires(sizeof(T) <= 8) WARPFOLD_HOST_DEVICE constexpr T least(T a, T b) {
#ifdef __CUDA_ARCH__
  // The GPU's instructions know that -0 is less than +0.
  if constexpr (IgnoresNan) {
    return fmin(a, b);
  } else if constexpr (std::is_same_v<T, float>) {
    float result;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
  } else {
    return (a != a) | (b != b) ? a + b : fmin(a, b);
  }
#else
  using bits = bits_of<T>;
  bool const first = (a < b) | (IgnoresNan ? b != b : a != a);
  T const less = first ? a : b;
  // Equal numbers have equal bits but for the sign of zero: -0 if either is.
  return a == b ? std::bit_cast<T>(std::bit_cast<bits>(a) | std::bit_cast<bits>(b)) : less;
#endif
}

} // namespace warpfold::inline v0::detail
