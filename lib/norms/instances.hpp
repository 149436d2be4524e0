#pragma once
// The built-in measures and dot products, once: every backend instantiates what these lists name.

#include <warpfold/norms.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// X(element, measure)
#define WARPFOLD_FOR_EACH_MEASURE_OF(X, T)                                                         \
  X(T, sum_of_magnitudes<T>)                                                                       \
  X(T, largest_magnitude<T>)                                                                       \
  X(T, root_of_squares<T>)                                                                         \
  X(T, sum_and_bound<T>)
#define WARPFOLD_FOR_EACH_MEASURE(X)                                                               \
  WARPFOLD_FOR_EACH_MEASURE_OF(X, float)                                                           \
  WARPFOLD_FOR_EACH_MEASURE_OF(X, double)                                                          \
  WARPFOLD_FOR_EACH_MEASURE_OF(X, __half)                                                          \
  WARPFOLD_FOR_EACH_MEASURE_OF(X, __nv_bfloat16)

// X(element, accumulator)
#define WARPFOLD_FOR_EACH_DOT(X)                                                                   \
  X(std::int32_t, std::int32_t)                                                                    \
  X(std::uint32_t, std::uint32_t)                                                                  \
  X(std::int64_t, std::int64_t)                                                                    \
  X(std::uint64_t, std::uint64_t)                                                                  \
  X(float, float)                                                                                  \
  X(double, double)                                                                                \
  X(__half, float)                                                                                 \
  X(__nv_bfloat16, float)                                                                          \
  X(std::int32_t, std::int64_t)                                                                    \
  X(std::uint32_t, std::uint64_t)                                                                  \
  X(std::int64_t, double)                                                                          \
  X(std::uint64_t, double)                                                                         \
  X(float, double)                                                                                 \
  X(__half, double)                                                                                \
  X(__nv_bfloat16, double)
