#pragma once
// The Mills ratio (the normal distribution's upper tail over its density) as a polynomial Q of
// v = 1 / (t + c), and differences of it that lose no digits however close their arguments are.

#include <warpfold/detail/random/elementary.hpp>

namespace warpfold::inline v0::detail {

/// Where the polynomial holds from, and the shift in v = 1 / (t + shift).
template <class T>
struct mills_fit {
  static constexpr T from = T(-0.125), shift = sizeof(T) == 4 ? T(2.75) : T(4);
};

/// Q(v1) / v1 = constant + v1 rest, and the divided difference (Q(v1) - Q(v2)) / (v1 - v2).
template <class T>
struct mills_values {
  T constant, rest, slope;
};

template <class T>
struct horner_values {
  T value, quotient;
};

/// Horner's scheme, and over its intermediate values once more: the quotient by x - v1, at v2.
template <class T, class... Rest>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE horner_values<T> twofold_horner(T v1, T v2, T first,
                                                                            Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return {first, first};
  } else {
    horner_values<T> const inner = twofold_horner(v1, v2, rest...);
    T const here = std::fma(v1, inner.value, first);
    return {here, std::fma(v2, inner.quotient, here)};
  }
}

template <class T, class... Rest>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mills_values<T> mills_values_of(T v1, T v2, T first,
                                                                            Rest... rest) {
  horner_values<T> const inner = twofold_horner(v1, v2, rest...);
  return {first, inner.value, std::fma(v2, inner.quotient, std::fma(v1, inner.value, first))};
}

/// Q(v) = G(t) = 2^(t^2) N(-t sqrt(2 ln 2)), N being the normal distribution function. Relative
/// error of Q', and so of every divided difference: at most 9.4e-7 for float and 1.7e-15 for
/// double; of Q itself, times the density and up to t = 4, 6.5e-9 for float. Coefficients:
/// lib/pricing/fit_mills_ratio.py.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mills_values<float> mills_polynomial(float v1,
                                                                                 float v2) {
  return mills_values_of(v1, v2, 0.338830084F, 0.931831419F, 2.31685209F, 5.01502752F, 9.70270538F,
                         -3.82063818F, 99.3550797F, -494.894684F, 778.595947F, -424.678467F);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mills_values<double> mills_polynomial(double v1,
                                                                                  double v2) {
  return mills_values_of(
      v1, v2, 0.33883037580155306, 1.3553215032049066, 5.1768715620614026, 18.752170479875695,
      63.805732038842487, 201.11388959391636, 574.42329392147042, 1423.1743805424056,
      2919.2024723849983, 423.14812989923916, 39811.953004156303, -695377.44263391334,
      7106490.2623847496, -64400277.993035033, 452719649.21460258, -2498330326.4773974,
      10760912387.616326, -35034182218.884177, 83425440399.423531, -140269669092.7243,
      157741414244.1162, -106622512793.14779, 32807923427.092603);
}

} // namespace warpfold::inline v0::detail
