#pragma once
// The division of two modes of a unit.

#include "axis.hpp"
#include "poisson/squares/fused_column_pass.hpp"

namespace warpfold::inline v0::poisson {

/// Divides two modes of both lines: `across` are the lines' eigenvalues less lambda, `along` those
/// of the modes, which may be known to be Alike. `removes`: the first line's first mode is a mean,
/// and goes.
template <bool Alike, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
divide_two(complex<T>& a, complex<T>& b, complex<T> across, complex<T> along, bool removes) {
  T const first = quotient(T(1), across.re + along.re),
          second = quotient(T(1), across.im + along.re);
  a = {(removes ? T(0) : first) * a.re, second * a.im};
  if constexpr (Alike) b = {first * b.re, second * b.im};
  else
    b = {quotient(T(1), across.re + along.im) * b.re, quotient(T(1), across.im + along.im) * b.im};
}

} // namespace warpfold::inline v0::poisson
