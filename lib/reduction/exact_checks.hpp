#pragma once
// Checks of exact sums.

#include "checks.hpp"

#include <warpfold/exact.hpp>

// X(element)
#define WARPFOLD_EXACT_OF_float(X) X(float)
#define WARPFOLD_EXACT_OF_double(X) X(double)
#define WARPFOLD_EXACT_OF_half(X) X(__half)
#define WARPFOLD_EXACT_OF_bfloat16(X) X(__nv_bfloat16)

namespace warpfold::inline v0::detail {

/// Refuses what is no array, and factors of different number. y is x but for dot products.
template <class Span>
void check_exact(exact_kind what, Span x, Span y) {
  if (what == exact_kind::dot) check_pair(x.data(), x.size(), y.data(), y.size());
  else check_elements("values", x.data(), x.size());
}

} // namespace warpfold::inline v0::detail
