#pragma once
// Transforms in registers of further lengths, as products of the shortest ones (Cooley and Tukey,
// "An algorithm for the machine calculation of complex Fourier series", 1965).

#include "poisson/butterflies.hpp"

namespace warpfold::inline v0::poisson {

namespace line_impl {

inline constexpr double pi = 3.14159265358979323846;

/// For angles up to pi / 4, by their series.
WARPFOLD_HOST_DEVICE constexpr double small_sine(double a) {
  double term = a, sum = 0;
  for (int k = 1; k < 24; k += 2) {
    sum += term;
    term *= -a * a / ((k + 1) * (k + 2));
  }
  return sum;
}
WARPFOLD_HOST_DEVICE constexpr double small_cosine(double a) {
  double term = 1, sum = 0;
  for (int k = 0; k < 24; k += 2) {
    sum += term;
    term *= -a * a / ((k + 1) * (k + 2));
  }
  return sum;
}

/// cos(2 pi k / n), 0 <= k < n; the sine is that of k - n / 4.
WARPFOLD_HOST_DEVICE constexpr double cosine(int k, int n) {
  if (2 * k > n) k = n - k;
  if (4 * k > n) return -cosine(2 * (n - 2 * k), 4 * n);
  if (8 * k > n) return small_sine(2 * pi * (n - 4 * k) / (4 * n));
  return small_cosine(2 * pi * k / n);
}
WARPFOLD_HOST_DEVICE constexpr double sine(int k, int n) {
  if (2 * k > n) return -sine(n - k, n);
  return 4 * k >= n ? cosine(4 * k - n, 4 * n) : cosine(n - 4 * k, 4 * n);
}

template <int N, class Real>
struct wave_table {
  Real cosine[N / 2 + 1], sine[N / 2 + 1];
};
/// What butterfly_odd wants.
template <int N, class Real>
WARPFOLD_HOST_DEVICE constexpr wave_table<N, Real> waves() {
  wave_table<N, Real> made{};
  for (int m = 0; 2 * m < N; ++m) {
    made.cosine[m] = static_cast<Real>(line_impl::cosine(m, N));
    made.sine[m] = static_cast<Real>(line_impl::sine(m, N));
  }
  return made;
}

/// a exp(-2 pi i K / N); inverse, times its conjugate.
template <int K, int N, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> turned_by(complex<T> a) {
  constexpr int k = K % N;
  if constexpr (k == 0) return a;
  else if constexpr (4 * k == N) return quarter_turned<Inverse>(a);
  else if constexpr (2 * k == N) return {-a.re, -a.im};
  else if constexpr (4 * k == 3 * N) return quarter_turned<!Inverse>(a);
  else {
    using real = lane_of<T>;
    constexpr real c = static_cast<real>(cosine(k, N)), s = static_cast<real>(sine(k, N));
    return turned<Inverse>(a, {c, -s});
  }
}

} // namespace line_impl

/// As butterfly, N also 11, 13 or a product of two of its lengths.
template <int N, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void short_transform(complex<T> (&v)[N]) {
  constexpr bool is_product = N == 6 || N == 9 || N == 10 || N == 12 || N == 15;
  if constexpr (N == 11 || N == 13) {
    constexpr auto waves = line_impl::waves<N, lane_of<T>>();
    butterfly_odd<N, Inverse>(v, waves.cosine, waves.sine);
  } else if constexpr (!is_product) butterfly<N, Inverse>(v);
  else {
    constexpr int a = N == 9 ? 3 : N % 5 == 0 ? 5 : 3, b = N / a;
    complex<T> part[b][a];
    unrolled<b>([&](auto j) {
      unrolled<a>([&](auto i) { part[j.value][i.value] = v[i.value * b + j.value]; });
      butterfly<a, Inverse>(part[j.value]);
    });
    unrolled<a>([&](auto i) {
      complex<T> other[b];
      unrolled<b>([&](auto j) {
        other[j.value] =
            line_impl::turned_by<i.value * j.value, N, Inverse>(part[j.value][i.value]);
      });
      butterfly<b, Inverse>(other);
      unrolled<b>([&](auto j) { v[i.value + a * j.value] = other[j.value]; });
    });
  }
}

} // namespace warpfold::inline v0::poisson
