#pragma once
// The compared segmented reductions: what <warpfold/twins/segments.hpp> says is compiled.

#include <warpfold/twins/segments.hpp>

#include <cstdint>

// X(element, operator)
#define WARPFOLD_COMPARED_SEGMENTS(X)                                                              \
  X(float, plus)                                                                                   \
  X(float, minimum<>)                                                                              \
  X(float, maximum<>)                                                                              \
  X(double, plus)                                                                                  \
  X(std::int32_t, plus)

// X(value): sums by keys of std::uint32_t, of <warpfold/twins/by_key.hpp>.
#define WARPFOLD_COMPARED_BY_KEY(X)                                                                \
  X(float)                                                                                         \
  X(double)                                                                                        \
  X(std::int32_t)
