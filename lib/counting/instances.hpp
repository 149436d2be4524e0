#pragma once
// The built-in counts, once: every backend instantiates what this list names.

#include <warpfold/counting.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// X(element, predicate)
#define WARPFOLD_FOR_EACH_COMPARISON(X, T)                                                         \
  X(T, less_than<T>)                                                                               \
  X(T, greater_than<T>)                                                                            \
  X(T, equal_to<T>)
#define WARPFOLD_FOR_EACH_CLASS(X, T)                                                              \
  X(T, is_nan)                                                                                     \
  X(T, is_finite)
#define WARPFOLD_FOR_EACH_COUNT(X)                                                                 \
  WARPFOLD_FOR_EACH_COMPARISON(X, std::int32_t)                                                    \
  WARPFOLD_FOR_EACH_COMPARISON(X, std::uint32_t)                                                   \
  WARPFOLD_FOR_EACH_COMPARISON(X, std::int64_t)                                                    \
  WARPFOLD_FOR_EACH_COMPARISON(X, std::uint64_t)                                                   \
  WARPFOLD_FOR_EACH_COMPARISON(X, float)                                                           \
  WARPFOLD_FOR_EACH_COMPARISON(X, double)                                                          \
  WARPFOLD_FOR_EACH_COMPARISON(X, __half)                                                          \
  WARPFOLD_FOR_EACH_COMPARISON(X, __nv_bfloat16)                                                   \
  WARPFOLD_FOR_EACH_CLASS(X, float)                                                                \
  WARPFOLD_FOR_EACH_CLASS(X, double)                                                               \
  WARPFOLD_FOR_EACH_CLASS(X, __half)                                                               \
  WARPFOLD_FOR_EACH_CLASS(X, __nv_bfloat16)

// X(element, predicate)
#define WARPFOLD_FOR_EACH_SELECTION(X)                                                             \
  WARPFOLD_FOR_EACH_COMPARISON(X, std::int32_t)                                                    \
  WARPFOLD_FOR_EACH_COMPARISON(X, std::int64_t)                                                    \
  WARPFOLD_FOR_EACH_COMPARISON(X, float)                                                           \
  WARPFOLD_FOR_EACH_COMPARISON(X, double)                                                          \
  WARPFOLD_FOR_EACH_CLASS(X, float)                                                                \
  WARPFOLD_FOR_EACH_CLASS(X, double)
