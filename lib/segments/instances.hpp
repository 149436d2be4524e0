#pragma once
// The built-in segmented reductions, by element type: backends instantiate what these lists name.
// Kept equal to detail::built_in_segments by test/segments/refusals_segments_test.cpp.

#include "reduction/instances.hpp"

#include <warpfold/segments.hpp>

// X(element, accumulator, operator)
#define WARPFOLD_SEGMENTS(X, T, A)                                                                 \
  X(T, A, plus)                                                                                    \
  X(T, A, multiplies)                                                                              \
  X(T, A, minimum<>)                                                                               \
  X(T, A, maximum<>)
#define WARPFOLD_SEGMENTS_OF_int32(X) WARPFOLD_SEGMENTS(X, std::int32_t, std::int32_t)
#define WARPFOLD_SEGMENTS_OF_int64(X) WARPFOLD_SEGMENTS(X, std::int64_t, std::int64_t)
#define WARPFOLD_SEGMENTS_OF_float(X)                                                              \
  WARPFOLD_SEGMENTS(X, float, float)                                                               \
  X(float, double, plus)
#define WARPFOLD_SEGMENTS_OF_double(X) WARPFOLD_SEGMENTS(X, double, double)
#define WARPFOLD_SEGMENTS_OF_half(X) WARPFOLD_SEGMENTS(X, __half, float)
#define WARPFOLD_SEGMENTS_OF_bfloat16(X) WARPFOLD_SEGMENTS(X, __nv_bfloat16, float)
#define WARPFOLD_FOR_EACH_SEGMENTS(X)                                                              \
  WARPFOLD_SEGMENTS_OF_int32(X) WARPFOLD_SEGMENTS_OF_int64(X)                                      \
      WARPFOLD_OF_FLOATS(WARPFOLD_SEGMENTS, X)

// X(element, accumulator)
#define WARPFOLD_EXACT_SEGMENTS_OF_float(X) X(float, float)
#define WARPFOLD_EXACT_SEGMENTS_OF_double(X) X(double, double)
#define WARPFOLD_EXACT_SEGMENTS_OF_half(X) X(__half, float)
#define WARPFOLD_EXACT_SEGMENTS_OF_bfloat16(X) X(__nv_bfloat16, float)

// X(key)
#define WARPFOLD_KEYS_OF_int32(X) X(std::int32_t) X(std::uint32_t)
#define WARPFOLD_KEYS_OF_int64(X) X(std::int64_t) X(std::uint64_t)
#define WARPFOLD_KEYS_OF_float(X) X(float)
#define WARPFOLD_KEYS_OF_double(X) X(double)
