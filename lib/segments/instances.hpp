#pragma once
// The built-in segmented reductions, once. Kept equal to detail::built_in_segments by
// test/refusals_segments_test.cpp.

#include <warpfold/segments.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// X(element, accumulator, operator)
#define WARPFOLD_SEGMENTS_OF(X, T, A)                                                              \
  X(T, A, plus)                                                                                    \
  X(T, A, multiplies)                                                                              \
  X(T, A, minimum<>)                                                                               \
  X(T, A, maximum<>)

#define WARPFOLD_FOR_EACH_SEGMENTS(X)                                                              \
  WARPFOLD_SEGMENTS_OF(X, std::int32_t, std::int32_t)                                              \
  WARPFOLD_SEGMENTS_OF(X, std::int64_t, std::int64_t)                                              \
  WARPFOLD_SEGMENTS_OF(X, float, float)                                                            \
  WARPFOLD_SEGMENTS_OF(X, double, double)                                                          \
  WARPFOLD_SEGMENTS_OF(X, __half, float)                                                           \
  WARPFOLD_SEGMENTS_OF(X, __nv_bfloat16, float)                                                    \
  X(float, double, plus)
