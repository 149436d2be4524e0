#pragma once
// Operators and transforms that reductions know by type.

#include <warpfold/detail/reduction/arithmetic.hpp>

#include <concepts>
#include <type_traits>

namespace warpfold::inline v0 {

/// Treatment of NaN by a minimum or maximum.
enum class nan_policy {
  propagate, ///< the result is NaN if any element is (IEEE 754-2019 minimum, numpy.min)
  ignore     ///< NaN elements do not count (C's fmin, numpy.nanmin)
};

/// True if an operator may take its operands in any order. Folds keep the elements in order unless
/// this says that they need not. Specialise it, or give the operator a member type
/// `is_commutative`, to let your own operator take the faster tree.
template <class Op>
inline constexpr bool is_commutative = requires {
  typename Op::is_commutative;
};

/// a + b. On the GPU it is never merged with a product of the transform into one rounding. So host
/// and GPU agree bit for bit, if host code is compiled with -ffp-contract=off, as the library's is.
/// Integers wrap around.
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

/// The smaller of a and b; of floating-point numbers IEEE 754-2019's minimum, or minimumNumber
/// where NaN is ignored: -0 is less than +0.
template <nan_policy Nan = nan_policy::propagate>
struct minimum {
  using is_commutative = void;
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr T operator()(T a, T b) const {
    if constexpr (detail::is_half<T>)
      return static_cast<T>((*this)(static_cast<float>(a), static_cast<float>(b)));
    else if constexpr (std::floating_point<T>)
      return detail::least<Nan == nan_policy::ignore>(a, b);
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
    else if constexpr (std::floating_point<T>)
      return -detail::least<Nan == nan_policy::ignore>(-a, -b);
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

} // namespace warpfold::inline v0
