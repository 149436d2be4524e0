#pragma once
// Discrete Fourier transforms of 2, 3, 4, 5, 7, 8 and 16 complex numbers in registers.
// The odd ones as in C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992.

#include "complex.hpp"

#include <type_traits>
#include <utility>

namespace warpfold::inline v0::poisson {

template <class Use, int... K>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void use_each(Use const& use,
                                                          std::integer_sequence<int, K...>) {
  (use(std::integral_constant<int, K>{}), ...);
}
/// use(0) ... use(N - 1), as constants: so that registers are indexed by constants, on a host, too.
template <int N, class Use>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void unrolled(Use const& use) {
  use_each(use, std::make_integer_sequence<int, N>{});
}

/// Times a factor of a forward transform, or its conjugate, for an inverse one.
template <bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> turned(complex<T> a, complex<lane_of<T>> w) {
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
  constexpr lane_of<T> half = lane_of<T>(0.70710678118654752440);
  return half * (a + quarter_turned<Inverse>(a));
}

/// exp(-pi i j / n), for j < n and n of 2, 4, 8, 16 and 32.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> half_turn(int j, int n) {
  constexpr T cosine[] = {1,
                          T(0.99518472667219688624),
                          T(0.98078528040323044913),
                          T(0.95694033573220886494),
                          T(0.92387953251128675613),
                          T(0.88192126434835502971),
                          T(0.83146961230254523708),
                          T(0.77301045336273696081),
                          T(0.7071067811865475244),
                          T(0.63439328416364549822),
                          T(0.55557023301960222474),
                          T(0.47139673682599764856),
                          T(0.38268343236508977173),
                          T(0.29028467725446236764),
                          T(0.19509032201612826785),
                          T(0.098017140329560601994),
                          0};
  int const m = j * (32 / n);
  return {m <= 16 ? cosine[m] : -cosine[32 - m], -cosine[m <= 16 ? 16 - m : m - 16]};
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

/// The odd transforms: cosine[m] + i sine[m] = exp(2 pi i m / R), for 2 m < R.
template <int R, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
butterfly_odd(complex<T>* v, lane_of<T> const* cosine, lane_of<T> const* sine) {
  constexpr int half = R / 2;
  // Sums of v[j] and v[R - j], and differences.
  unrolled<half>([&](auto i) { butterfly_2<false>(v[i.value + 1], v[R - 1 - i.value]); });
  complex<T> even[half], odd[half], sum = v[0];
  unrolled<half>([&](auto i) {
    complex<T> c = v[0], s{};
    constexpr int k = i.value + 1; // NVRTC knows no captured number
    unrolled<half>([&](auto n) {
      constexpr int j = n.value + 1, m = j * k % R;
      c = c + cosine[2 * m < R ? m : R - m] * v[j];
      s = s + (2 * m < R ? sine[m] : -sine[R - m]) * v[R - j];
    });
    even[i.value] = c;
    odd[i.value] = quarter_turned<Inverse>(s);
    sum = sum + v[i.value + 1];
  });
  v[0] = sum;
  unrolled<half>([&](auto i) {
    v[i.value + 1] = even[i.value] + odd[i.value];
    v[R - 1 - i.value] = even[i.value] - odd[i.value];
  });
}

template <int R, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void butterfly(complex<T>* v) {
  using real = lane_of<T>;
  static_assert(R == 1 || R == 2 || R == 3 || R == 4 || R == 5 || R == 7 || R == 8 || R == 16);
  if constexpr (R == 2) butterfly_2<Inverse>(v[0], v[1]);
  if constexpr (R == 3) {
    constexpr real cosine[] = {1, real(-0.5)}, sine[] = {0, real(0.86602540378443864676)};
    butterfly_odd<R, Inverse>(v, cosine, sine);
  }
  if constexpr (R == 4) butterfly_4<Inverse>(v[0], v[1], v[2], v[3]);
  if constexpr (R == 5) {
    constexpr real cosine[] = {1, real(0.30901699437494742410), real(-0.80901699437494742410)};
    constexpr real sine[] = {0, real(0.95105651629515357212), real(0.58778525229247312917)};
    butterfly_odd<R, Inverse>(v, cosine, sine);
  }
  if constexpr (R == 7) {
    constexpr real cosine[] = {1, real(0.62348980185873353053), real(-0.22252093395631440429),
                               real(-0.90096886790241912624)};
    constexpr real sine[] = {0, real(0.78183148246802980871), real(0.97492791218182360702),
                             real(0.43388373911755812048)};
    butterfly_odd<R, Inverse>(v, cosine, sine);
  }
  if constexpr (R == 8) {
    butterfly_4<Inverse>(v[0], v[2], v[4], v[6]);
    butterfly_4<Inverse>(v[1], v[3], v[5], v[7]);
    complex<T> const even[] = {v[0], v[2], v[4], v[6]};
    complex<T> const odd[] = {v[1], eighth_turned<Inverse>(v[3]), quarter_turned<Inverse>(v[5]),
                              quarter_turned<Inverse>(eighth_turned<Inverse>(v[7]))};
    unrolled<4>([&](auto k) {
      v[k.value] = even[k.value] + odd[k.value];
      v[k.value + 4] = even[k.value] - odd[k.value];
    });
  }
  if constexpr (R == 16) {
    unrolled<4>([&](auto i) {
      butterfly_4<Inverse>(v[i.value], v[i.value + 4], v[i.value + 8], v[i.value + 12]);
    });
    constexpr real c = real(0.92387953251128675613), s = real(0.38268343236508977173);
    constexpr complex<real> w1{c, -s}, w3{s, -c};
    v[5] = turned<Inverse>(v[5], w1);
    v[6] = eighth_turned<Inverse>(v[6]);
    v[7] = turned<Inverse>(v[7], w3);
    v[9] = eighth_turned<Inverse>(v[9]);
    v[10] = quarter_turned<Inverse>(v[10]);
    v[11] = quarter_turned<Inverse>(eighth_turned<Inverse>(v[11]));
    v[13] = turned<Inverse>(v[13], w3);
    v[14] = quarter_turned<Inverse>(eighth_turned<Inverse>(v[14]));
    v[15] = turned<Inverse>(v[15], complex<real>{-c, s});
    unrolled<4>([&](auto k) {
      constexpr int first = 4 * k.value;
      butterfly_4<Inverse>(v[first], v[first + 1], v[first + 2], v[first + 3]);
    });
    unrolled<4>([&](auto k) {
      unrolled<k.value>([&](auto j) {
        auto const other = v[4 * k.value + j.value];
        v[4 * k.value + j.value] = v[4 * j.value + k.value];
        v[4 * j.value + k.value] = other;
      });
    });
  }
}

/// The same of numbers tilted by exp(-pi i j / R): the sum over j of v[j] exp(-2 pi i j (k + 1 / 2)
/// / R). Inverse, v[j] becomes the sum over k of v[k] exp(2 pi i j (k + 1 / 2) / R). R is 4, 8
/// or 16.
template <int R, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void tilted_butterfly(complex<T>* v) {
  static_assert(R == 4 || R == 8 || R == 16);
  // j = i + outer a and k = c + 4 d: a tilt by an eighth of a turn for each a, and one between
  // both.
  constexpr int outer = R / 4;
  complex<T> part[R]; // [c][i]
  auto const turn = [](complex<T>& a, complex<T>& b, complex<T>& c) {
    a = eighth_turned<Inverse>(a);
    b = quarter_turned<Inverse>(b);
    c = quarter_turned<Inverse>(eighth_turned<Inverse>(c));
  };
  auto const turn_between = [&] {
    unrolled<R>([&](auto at) {
      constexpr int i = at.value % outer, m = i * (2 * (at.value / outer) + 1);
      constexpr lane_of<T> sign = m < R ? 1 : -1;
      if constexpr (i > 0)
        part[at.value] = turned<Inverse>(part[at.value], sign * half_turn<lane_of<T>>(m % R, R));
    });
  };
  if constexpr (!Inverse) {
    unrolled<R>([&](auto j) { part[j.value] = v[j.value]; });
    unrolled<outer>([&](auto n) {
      constexpr int i = n.value;
      turn(part[i + outer], part[i + 2 * outer], part[i + 3 * outer]);
      butterfly_4<false>(part[i], part[i + outer], part[i + 2 * outer], part[i + 3 * outer]);
    });
    turn_between();
    unrolled<4>([&](auto c) { butterfly<outer, false>(part + c.value * outer); });
    unrolled<R>([&](auto k) { v[k.value] = part[k.value % 4 * outer + k.value / 4]; });
  } else {
    unrolled<R>([&](auto k) { part[k.value % 4 * outer + k.value / 4] = v[k.value]; });
    unrolled<4>([&](auto c) { butterfly<outer, true>(part + c.value * outer); });
    turn_between();
    unrolled<outer>([&](auto n) {
      constexpr int i = n.value;
      butterfly_4<true>(part[i], part[i + outer], part[i + 2 * outer], part[i + 3 * outer]);
      turn(part[i + outer], part[i + 2 * outer], part[i + 3 * outer]);
    });
    unrolled<R>([&](auto j) { v[j.value] = part[j.value]; });
  }
}

} // namespace warpfold::inline v0::poisson
