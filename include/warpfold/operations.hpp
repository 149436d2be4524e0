#pragma once
// Operators and transforms that reductions know by type.

#include <warpfold/detail/core/macros.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace warpfold::inline v0 {

/// What a minimum or maximum does with NaN.
enum class nan_policy {
  propagate, ///< the result is NaN if any element is (IEEE 754-2019 minimum, numpy.min)
  ignore     ///< NaN elements do not count (C's fmin, numpy.nanmin)
};

/// Whether an operator may take its operands in any order. Folds keep the elements in order unless
/// this says that they need not. Specialise it, or give the operator a member type
/// `is_commutative`, to let your own operator take the faster tree.
template <class Op>
inline constexpr bool is_commutative = requires {
  typename Op::is_commutative;
};

namespace detail {
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

template <class T>
inline constexpr bool is_half = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
} // namespace detail

/// a + b. On the GPU it is never merged with a product of the transform into one rounding, so that
/// host and GPU agree bit for bit (host code with -ffp-contract=off, as the library's is). Integers
/// wrap around.
struct plus {
  using is_commutative = void;
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T a, T b) const {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, float>) return __fadd_rn(a, b);
    if constexpr (std::is_same_v<T, double>) return __dadd_rn(a, b);
#endif
    if constexpr (std::integral<T>)
      return static_cast<T>(detail::wrapping_t<T>(a) + detail::wrapping_t<T>(b));
    else return a + b;
  }
};

/// a * b. Integers wrap around.
struct multiplies {
  using is_commutative = void;
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T a, T b) const {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, float>) return __fmul_rn(a, b);
    if constexpr (std::is_same_v<T, double>) return __dmul_rn(a, b);
#endif
    if constexpr (std::integral<T>)
      return static_cast<T>(detail::wrapping_t<T>(a) * detail::wrapping_t<T>(b));
    else return a * b;
  }
};

namespace detail {

/// IEEE 754-2019's minimum and, where NaN is ignored, minimumNumber.
template <nan_policy Nan, std::floating_point T>
requires(sizeof(T) <= 8) WARPFOLD_HOST_DEVICE constexpr T least(T a, T b) {
#ifdef __CUDA_ARCH__
  // The GPU's instructions know that -0 is less than +0.
  if constexpr (Nan == nan_policy::ignore) {
    return fmin(a, b);
  } else if constexpr (std::is_same_v<T, float>) {
    float result;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
  } else {
    return (a != a) | (b != b) ? a + b : fmin(a, b);
  }
#else
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  bool const first = (a < b) | (Nan == nan_policy::propagate ? a != a : b != b);
  T const less = first ? a : b;
  // Equal numbers have equal bits but for the sign of zero: -0 if either is.
  return a == b ? std::bit_cast<T>(std::bit_cast<bits>(a) | std::bit_cast<bits>(b)) : less;
#endif
}

} // namespace detail

/// The smaller of a and b; of floating-point numbers IEEE 754-2019's minimum, or minimumNumber
/// where NaN is ignored: -0 is less than +0.
template <nan_policy Nan = nan_policy::propagate>
struct minimum {
  using is_commutative = void;
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T a, T b) const {
    if constexpr (detail::is_half<T>)
      return static_cast<T>((*this)(static_cast<float>(a), static_cast<float>(b)));
    else if constexpr (std::floating_point<T>) return detail::least<Nan>(a, b);
    else return b < a ? b : a;
  }
};

/// The larger of a and b; of floating-point numbers IEEE 754-2019's maximum or maximumNumber.
template <nan_policy Nan = nan_policy::propagate>
struct maximum {
  using is_commutative = void;
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T a, T b) const {
    if constexpr (detail::is_half<T>)
      return static_cast<T>((*this)(static_cast<float>(a), static_cast<float>(b)));
    else if constexpr (std::floating_point<T>) return -detail::least<Nan>(-a, -b);
    else return a < b ? b : a;
  }
};

/// x
struct identity {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T x) const {
    return x;
  }
};

/// x * x
struct square {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T x) const {
    return multiplies{}(x, x);
  }
};

/// |x| of a float or double. The sign of zero and of NaN is cleared too.
struct absolute {
  template <std::floating_point T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T x) const {
    using bits = detail::bits_of<T>;
    return detail::cast_bits<T>(detail::cast_bits<bits>(x) & (static_cast<bits>(-1) >> 1));
  }
};

namespace detail {

template <class T>
inline constexpr T highest = std::numeric_limits<T>::has_infinity
                                 ? std::numeric_limits<T>::infinity()
                                 : std::numeric_limits<T>::max();
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::has_infinity
                                ? -std::numeric_limits<T>::infinity()
                                : std::numeric_limits<T>::lowest();

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

} // namespace detail

} // namespace warpfold::inline v0
