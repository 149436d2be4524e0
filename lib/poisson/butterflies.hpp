#pragma once
// Discrete Fourier transforms of 2, 3, 4, 5, 7, 8 and 16 complex numbers in registers.
// The odd ones as in C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992.

#include "complex.hpp"

namespace warpfold::inline v0::poisson {

/// Times a factor of a forward transform, or its conjugate, for an inverse one.
template <bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> turned(complex<T> a, complex<T> w) {
  return a * (Inverse ? conj(w) : w);
}
/// Times -i; inverse, times i.
template <bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> quarter_turned(complex<T> a) {
  return Inverse ? complex<T>{-a.im, a.re} : complex<T>{a.im, -a.re};
}
/// Times exp(-2 pi i / 8); inverse, its conjugate.
template <bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> eighth_turned(complex<T> a) {
  constexpr T half = T(0.70710678118654752440);
  return half * (a + quarter_turned<Inverse>(a));
}

/// v[k] becomes the sum over j of v[j] exp(-+2 pi i j k / R).
template <int R, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void butterfly(complex<T>* v);

template <bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void butterfly_2(complex<T>& a, complex<T>& b) {
  auto const difference = a - b;
  a = a + b;
  b = difference;
}

template <bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void butterfly_4(complex<T>& a, complex<T>& b,
                                                             complex<T>& c, complex<T>& d) {
  butterfly_2<Inverse>(a, c);
  butterfly_2<Inverse>(b, d);
  auto const turned = quarter_turned<Inverse>(d);
  auto const odd = c;
  d = odd - turned;
  c = a - b;
  a = a + b;
  b = odd + turned;
}

/// Sums of v[j] and v[R - j] in v[j], and differences in v[R - j], for an odd transform.
template <int R, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void fold_ends(complex<T>* v) {
  WARPFOLD_UNROLL
  for (int j = 1; 2 * j < R; ++j) butterfly_2<false>(v[j], v[R - j]);
}

/// The odd transforms: cosine[m] + i sine[m] = exp(2 pi i m / R), for 2 m < R.
template <int R, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void butterfly_odd(complex<T>* v, T const* cosine,
                                                               T const* sine) {
  fold_ends<R>(v);
  complex<T> even[R / 2], odd[R / 2], sum = v[0];
  WARPFOLD_UNROLL
  for (int k = 1; 2 * k < R; ++k) {
    complex<T> c = v[0], s{0, 0};
    WARPFOLD_UNROLL
    for (int j = 1; 2 * j < R; ++j) {
      int const m = j * k % R;
      c = c + cosine[2 * m < R ? m : R - m] * v[j];
      s = s + (2 * m < R ? sine[m] : -sine[R - m]) * v[R - j];
    }
    even[k - 1] = c;
    odd[k - 1] = quarter_turned<Inverse>(s);
    sum = sum + v[k];
  }
  v[0] = sum;
  WARPFOLD_UNROLL
  for (int k = 1; 2 * k < R; ++k) {
    v[k] = even[k - 1] + odd[k - 1];
    v[R - k] = even[k - 1] - odd[k - 1];
  }
}

template <int R, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void butterfly(complex<T>* v) {
  static_assert(R == 1 || R == 2 || R == 3 || R == 4 || R == 5 || R == 7 || R == 8 || R == 16);
  if constexpr (R == 2) butterfly_2<Inverse>(v[0], v[1]);
  if constexpr (R == 3) {
    constexpr T cosine[] = {1, T(-0.5)}, sine[] = {0, T(0.86602540378443864676)};
    butterfly_odd<R, Inverse>(v, cosine, sine);
  }
  if constexpr (R == 4) butterfly_4<Inverse>(v[0], v[1], v[2], v[3]);
  if constexpr (R == 5) {
    constexpr T cosine[] = {1, T(0.30901699437494742410), T(-0.80901699437494742410)};
    constexpr T sine[] = {0, T(0.95105651629515357212), T(0.58778525229247312917)};
    butterfly_odd<R, Inverse>(v, cosine, sine);
  }
  if constexpr (R == 7) {
    constexpr T cosine[] = {1, T(0.62348980185873353053), T(-0.22252093395631440429),
                            T(-0.90096886790241912624)};
    constexpr T sine[] = {0, T(0.78183148246802980871), T(0.97492791218182360702),
                          T(0.43388373911755812048)};
    butterfly_odd<R, Inverse>(v, cosine, sine);
  }
  if constexpr (R == 8) {
    butterfly_4<Inverse>(v[0], v[2], v[4], v[6]);
    butterfly_4<Inverse>(v[1], v[3], v[5], v[7]);
    complex<T> const even[] = {v[0], v[2], v[4], v[6]};
    complex<T> const odd[] = {v[1], eighth_turned<Inverse>(v[3]), quarter_turned<Inverse>(v[5]),
                              quarter_turned<Inverse>(eighth_turned<Inverse>(v[7]))};
    WARPFOLD_UNROLL
    for (int k = 0; k < 4; ++k) {
      v[k] = even[k] + odd[k];
      v[k + 4] = even[k] - odd[k];
    }
  }
  if constexpr (R == 16) {
    WARPFOLD_UNROLL
    for (int i = 0; i < 4; ++i) butterfly_4<Inverse>(v[i], v[i + 4], v[i + 8], v[i + 12]);
    constexpr T c = T(0.92387953251128675613), s = T(0.38268343236508977173);
    constexpr complex<T> w1{c, -s}, w3{s, -c};
    v[5] = turned<Inverse>(v[5], w1);
    v[6] = eighth_turned<Inverse>(v[6]);
    v[7] = turned<Inverse>(v[7], w3);
    v[9] = eighth_turned<Inverse>(v[9]);
    v[10] = quarter_turned<Inverse>(v[10]);
    v[11] = quarter_turned<Inverse>(eighth_turned<Inverse>(v[11]));
    v[13] = turned<Inverse>(v[13], w3);
    v[14] = quarter_turned<Inverse>(eighth_turned<Inverse>(v[14]));
    v[15] = turned<Inverse>(v[15], complex<T>{-c, s});
    WARPFOLD_UNROLL
    for (int k = 0; k < 4; ++k)
      butterfly_4<Inverse>(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
    WARPFOLD_UNROLL
    for (int k = 0; k < 4; ++k) WARPFOLD_UNROLL
    for (int j = k + 1; j < 4; ++j) {
      auto const other = v[4 * k + j];
      v[4 * k + j] = v[4 * j + k];
      v[4 * j + k] = other;
    }
  }
}

} // namespace warpfold::inline v0::poisson
