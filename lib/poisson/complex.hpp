#pragma once
// Complex numbers for hosts and GPUs.

#include <warpfold/detail/core/macros.hpp>

#include <cmath>
#include <numbers>

namespace warpfold::inline v0::poisson {

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
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> operator*(complex<T> a, complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> operator*(T a, complex<T> b) {
  return {a * b.re, a * b.im};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> conj(complex<T> a) {
  return {a.re, -a.im};
}

/// exp(-2 pi i k / n), on the host, rounded once.
template <class T>
complex<T> root_of_unity(double k, double n) {
  double const angle = -2 * std::numbers::pi * k / n;
  return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

} // namespace warpfold::inline v0::poisson
