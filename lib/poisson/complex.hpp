#pragma once
// Complex numbers for hosts and GPUs.

#include <warpfold/detail/core/macros.hpp>

#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::poisson {

template <class V>
struct lane_type {
  using type = V;
};
template <class V>
requires requires(V v) { v[0]; }
struct lane_type<V> {
  using type = std::remove_reference_t<decltype(std::declval<V&>()[0])>;
};
/// The type of the numbers in a pack, which computes lane by lane; of a number itself.
template <class V>
using lane_of = typename lane_type<V>::type;

/// As cuFFT and FFTW have it.
template <class T>
struct alignas(2 * sizeof(T)) complex {
  T re, im;
};

template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> operator+(complex<T> a, complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> operator-(complex<T> a, complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> operator*(complex<T> a,
                                                                 complex<lane_of<T>> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> operator*(lane_of<T> a, complex<T> b) {
  return {a * b.re, a * b.im};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> conj(complex<T> a) {
  return {a.re, -a.im};
}

#ifndef __CUDACC_RTC__
/// exp(-2 pi i k / n) of whole numbers, on the host, rounded once: by the nearest quarter turn, and
/// an angle in two numbers.
template <class T>
complex<T> root_of_unity(double k, double n) {
  constexpr double right = std::numbers::pi / 2, beyond = 6.123233995736766e-17; // pi / 2 - right
  double const quarters = std::floor(4 * k / n + 0.5), rest = 4 * k - quarters * n;
  double const part = rest / n, angle = -right * part;
  double const more =
      -(std::fma(right, part, angle) + beyond * part + right * (std::fma(-part, n, rest) / n));
  double const cosine = std::cos(angle), sine = std::sin(angle);
  double const c = cosine - more * sine, s = sine + more * cosine;
  switch (static_cast<long long>(quarters) & 3) {
  case 0: return {static_cast<T>(c), static_cast<T>(s)};
  case 1: return {static_cast<T>(s), static_cast<T>(-c)};
  case 2: return {static_cast<T>(-c), static_cast<T>(-s)};
  default: return {static_cast<T>(-s), static_cast<T>(c)};
  }
}
#endif

} // namespace warpfold::inline v0::poisson
