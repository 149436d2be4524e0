#pragma once
// The Mills ratio (the normal distribution's upper tail over its density) as a polynomial Q of
// v = 1 / (t + c), and differences of it that lose no digits however close their arguments are.

#include <warpfold/detail/elementary.hpp>

namespace warpfold::detail {

/// Where the polynomial holds from, and the shift in v = 1 / (t + shift).
template <class T>
struct mills_fit {
  static constexpr T from = T(-0.125), shift = sizeof(T) == 4 ? T(2.75) : T(4);
};

/// Q(v1) / v1 and the divided difference (Q(v1) - Q(v2)) / (v1 - v2).
template <class T>
struct mills_values {
  T first, slope;
};

/// Horner's scheme, and over its intermediate values once more: the quotient by x - v1, at v2.
template <class T, class... Rest>
WARPFOLD_HOST_DEVICE mills_values<T> twofold_horner(T v1, T v2, T first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return {first, first};
  } else {
    mills_values<T> const inner = twofold_horner(v1, v2, rest...);
    T const here = std::fma(v1, inner.first, first);
    return {here, std::fma(v2, inner.slope, here)};
  }
}

/// Q(v) = 2^(t^2) N(-t sqrt(2 ln 2)) where N is the normal distribution function. The relative
/// error of Q', and so of every divided difference, is at most 3.6e-7 for float and 1.7e-15 for
/// double. Coefficients: lib/pricing/fit_mills_ratio.py.
WARPFOLD_HOST_DEVICE inline mills_values<float> mills_polynomial(float v1, float v2) {
  return twofold_horner(v1, v2, 0.338830113F, 0.9318313F, 2.31685185F, 5.0150342F, 9.70263481F,
                        -3.82021093F, 99.3535004F, -494.891144F, 778.591614F, -424.6763F);
}
WARPFOLD_HOST_DEVICE inline mills_values<double> mills_polynomial(double v1, double v2) {
  return twofold_horner(
      v1, v2, 0.33883037580155306, 1.3553215032049066, 5.1768715620614057, 18.752170479875197,
      63.805732038889674, 201.11388959096799, 574.42329405139047, 1423.174376327113,
      2919.2025761088985, 423.14615320327921, 39811.982619824359, -695377.79513115967,
      7106493.6176864372, -64400303.617181862, 452719806.19068658, -2498331094.9061984,
      10760915368.647355, -35034191255.90599, 83425461334.716872, -140269704857.69654,
      157741456682.45708, -106622544014.57243, 32807934148.542003);
}

} // namespace warpfold::detail
