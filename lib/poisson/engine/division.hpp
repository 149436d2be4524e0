#pragma once
// The division of two modes of a unit.

#include "axis.hpp"
#include "poisson/squares/fused_column_pass.hpp"

namespace warpfold::inline v0::poisson {

/// Divides two modes of both lines: `across` are the lines' eigenvalues less lambda, `along` those
/// of the modes. `removes`: the first line's first mode is a mean, and goes.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
divide_two(complex<T>& a, complex<T>& b, complex<T> across, complex<T> along, bool removes) {
  a = {(removes ? T(0) : quotient(T(1), across.re + along.re)) * a.re,
       quotient(T(1), across.im + along.re) * a.im};
  b = {quotient(T(1), across.re + along.im) * b.re, quotient(T(1), across.im + along.im) * b.im};
}

} // namespace warpfold::inline v0::poisson
