#pragma once
// The built-in measures and dot products, by element type: backends instantiate what these lists
// name. Held against the headers' concepts by test/reduction/instances_test.cpp.

#include "reduction/instances.hpp"

#include <warpfold/norms.hpp>
#include <warpfold/reduction/compensated.hpp>

// X(element, measure)
#define WARPFOLD_MEASURES(X, T)                                                                    \
  X(T, sum_of_magnitudes<T>)                                                                       \
  X(T, largest_magnitude<T>)                                                                       \
  X(T, root_of_squares<T>)                                                                         \
  X(T, sum_and_bound<T>)
#define WARPFOLD_MEASURES_OF_float(X) WARPFOLD_MEASURES(X, float)
#define WARPFOLD_MEASURES_OF_double(X) WARPFOLD_MEASURES(X, double)
#define WARPFOLD_MEASURES_OF_half(X) WARPFOLD_MEASURES(X, __half)
#define WARPFOLD_MEASURES_OF_bfloat16(X) WARPFOLD_MEASURES(X, __nv_bfloat16)
#define WARPFOLD_FOR_EACH_MEASURE(X) WARPFOLD_OF_FLOATS(WARPFOLD_MEASURES, X)

// X(element, accumulator)
#define WARPFOLD_DOTS(X, T, A, Wide)                                                               \
  X(T, A)                                                                                          \
  X(T, Wide)
#define WARPFOLD_DOTS_OF_int32(X) WARPFOLD_DOTS(X, std::int32_t, std::int32_t, std::int64_t)
#define WARPFOLD_DOTS_OF_uint32(X) WARPFOLD_DOTS(X, std::uint32_t, std::uint32_t, std::uint64_t)
#define WARPFOLD_DOTS_OF_int64(X) WARPFOLD_DOTS(X, std::int64_t, std::int64_t, double)
#define WARPFOLD_DOTS_OF_uint64(X) WARPFOLD_DOTS(X, std::uint64_t, std::uint64_t, double)
#define WARPFOLD_DOTS_OF_float(X) WARPFOLD_DOTS(X, float, float, double)
#define WARPFOLD_DOTS_OF_double(X) X(double, double)
#define WARPFOLD_DOTS_OF_half(X) WARPFOLD_DOTS(X, __half, float, double)
#define WARPFOLD_DOTS_OF_bfloat16(X) WARPFOLD_DOTS(X, __nv_bfloat16, float, double)
#define WARPFOLD_FOR_EACH_DOT(X) WARPFOLD_OF_ELEMENTS(WARPFOLD_DOTS, X)
