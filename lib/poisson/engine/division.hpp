#pragma once
// The division of two modes of a unit.

#include "axis.hpp"
#include "memory.hpp"

namespace warpfold::inline v0::poisson {

/// By a number that is neither tiny nor huge. The reciprocal is good to a few units of the last
/// place.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T quotient(T a, T by) {
#ifdef __CUDA_ARCH__
  T r;
  if constexpr (sizeof(T) == 4) {
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(by));
  } else {
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(by));
    r = r + r * (T(1) - by * r);
    r = r + r * (T(1) - by * r);
  }
  return a * r;
#else
  return a / by;
#endif
}

/// What two modes of both lines are multiplied by: `across` are the lines' eigenvalues less lambda,
/// `along` those of the modes, which may be known to be Alike. `removes`: the first line's first
/// mode is a mean, and goes.
template <bool Alike, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> quotients_of(complex<T> across, complex<T> along,
                                                                bool removes) {
  T const first = quotient(T(1), across.re + along.re),
          second = quotient(T(1), across.im + along.re);
  if constexpr (Alike) return {{first, second}, {first, second}};
  else
    return {{removes ? T(0) : first, second},
            {quotient(T(1), across.re + along.im), quotient(T(1), across.im + along.im)}};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void scale_two(complex<T>& a, complex<T>& b,
                                                           two<T> by) {
  a = {by.first.re * a.re, by.first.im * a.im};
  b = {by.second.re * b.re, by.second.im * b.im};
}

} // namespace warpfold::inline v0::poisson
