#pragma once
// The compared counts and selections: what <warpfold/twins/counting.hpp> says is compiled.

#include <warpfold/twins/counting.hpp>

#include <cuda_fp16.h>

#include <cstdint>

// X(element, predicate)
#define WARPFOLD_COMPARED_COUNTS(X)                                                                \
  X(float, less_than<float>)                                                                       \
  X(float, greater_than<float>)                                                                    \
  X(float, equal_to<float>)                                                                        \
  X(float, is_nan)                                                                                 \
  X(float, is_finite)                                                                              \
  X(double, less_than<double>)                                                                     \
  X(double, greater_than<double>)                                                                  \
  X(double, is_nan)                                                                                \
  X(std::int32_t, less_than<std::int32_t>)                                                         \
  X(std::int32_t, equal_to<std::int32_t>)                                                          \
  X(__half, greater_than<__half>)

// X(element, predicate)
#define WARPFOLD_COMPARED_SELECTIONS(X)                                                            \
  X(float, less_than<float>)                                                                       \
  X(float, is_nan)                                                                                 \
  X(float, is_finite)                                                                              \
  X(double, less_than<double>)                                                                     \
  X(std::int32_t, less_than<std::int32_t>)

// X(element)
#define WARPFOLD_COMPARED_HISTOGRAMS(X)                                                            \
  X(std::uint8_t)                                                                                  \
  X(std::int32_t)                                                                                  \
  X(float)
