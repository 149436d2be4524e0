#pragma once
// The built-in reductions, once: every backend instantiates what this list names.
// Kept equal to detail::built_in_reduction by test/instances_test.cpp.

#include <warpfold/reduction.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// X(element, accumulator, operator, transform)
#define WARPFOLD_FOR_EACH_ARITHMETIC(X, T, A)                                                      \
  X(T, A, plus, identity)                                                                          \
  X(T, A, plus, square)                                                                            \
  X(T, A, multiplies, identity)

#define WARPFOLD_FOR_EACH_INTEGER(X, T)                                                            \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, T, T)                                                            \
  X(T, T, minimum<nan_policy::propagate>, identity)                                                \
  X(T, T, maximum<nan_policy::propagate>, identity)

#define WARPFOLD_FOR_EACH_FLOATING(X, T, A)                                                        \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, T, A)                                                            \
  X(T, A, minimum<nan_policy::propagate>, identity)                                                \
  X(T, A, maximum<nan_policy::propagate>, identity)                                                \
  X(T, A, minimum<nan_policy::ignore>, identity)                                                   \
  X(T, A, maximum<nan_policy::ignore>, identity)

#define WARPFOLD_FOR_EACH_REDUCTION(X)                                                             \
  WARPFOLD_FOR_EACH_INTEGER(X, std::int32_t)                                                       \
  WARPFOLD_FOR_EACH_INTEGER(X, std::uint32_t)                                                      \
  WARPFOLD_FOR_EACH_INTEGER(X, std::int64_t)                                                       \
  WARPFOLD_FOR_EACH_INTEGER(X, std::uint64_t)                                                      \
  WARPFOLD_FOR_EACH_FLOATING(X, float, float)                                                      \
  WARPFOLD_FOR_EACH_FLOATING(X, double, double)                                                    \
  WARPFOLD_FOR_EACH_FLOATING(X, __half, float)                                                     \
  WARPFOLD_FOR_EACH_FLOATING(X, __nv_bfloat16, float)                                              \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, std::int32_t, std::int64_t)                                      \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, std::uint32_t, std::uint64_t)                                    \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, std::int64_t, double)                                            \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, std::uint64_t, double)                                           \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, float, double)                                                   \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, __half, double)                                                  \
  WARPFOLD_FOR_EACH_ARITHMETIC(X, __nv_bfloat16, double)

// X(element, accumulator): what the ladder sums
#define WARPFOLD_FOR_EACH_ELEMENT(X)                                                               \
  X(std::int32_t, std::int32_t)                                                                    \
  X(std::uint32_t, std::uint32_t)                                                                  \
  X(std::int64_t, std::int64_t)                                                                    \
  X(std::uint64_t, std::uint64_t)                                                                  \
  X(float, float)                                                                                  \
  X(double, double)                                                                                \
  X(__half, float)                                                                                 \
  X(__nv_bfloat16, float)
