#pragma once
// The measures and dot products that are compared with the vendors' code, by element type; see
// detail::compared_measure and compared_dot.

#include "norms/instances.hpp"

#include <warpfold/twins/norms.hpp>

// X(element, measure)
#define WARPFOLD_COMPARED_MEASURES_OF_float(X) WARPFOLD_MEASURES_OF_float(X)
#define WARPFOLD_COMPARED_MEASURES_OF_double(X) WARPFOLD_MEASURES_OF_double(X)
#define WARPFOLD_COMPARED_MEASURES_OF_half(X) X(__half, sum_and_bound<__half>)

// X(element, accumulator)
#define WARPFOLD_COMPARED_DOTS_OF_int32(X) X(std::int32_t, std::int32_t)
#define WARPFOLD_COMPARED_DOTS_OF_float(X) X(float, float)
#define WARPFOLD_COMPARED_DOTS_OF_double(X) X(double, double)
#define WARPFOLD_COMPARED_DOTS_OF_half(X) X(__half, float)

// All types in one source; see reduction/instances.hpp.
#define WARPFOLD_COMPARED_MEASURES_OF_all(X)                                                       \
  WARPFOLD_COMPARED_MEASURES_OF_float(X) WARPFOLD_COMPARED_MEASURES_OF_double(X)                   \
      WARPFOLD_COMPARED_MEASURES_OF_half(X)
#define WARPFOLD_COMPARED_DOTS_OF_all(X)                                                           \
  WARPFOLD_COMPARED_DOTS_OF_int32(X) WARPFOLD_COMPARED_DOTS_OF_float(X)                            \
      WARPFOLD_COMPARED_DOTS_OF_double(X) WARPFOLD_COMPARED_DOTS_OF_half(X)
