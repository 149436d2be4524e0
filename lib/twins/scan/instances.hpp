#pragma once
// The compared scans: what <warpfold/twins/scan.hpp> says is compiled.

#include <warpfold/twins/scan.hpp>

#include <cstdint>

// X(element, operator)
#define WARPFOLD_COMPARED_SCANS(X)                                                                 \
  X(std::int32_t, plus)                                                                            \
  X(float, plus)                                                                                   \
  X(float, maximum<>)                                                                              \
  X(double, plus)

// X(element): sums by key
#define WARPFOLD_COMPARED_SCANS_BY_KEY(X) X(std::int32_t) X(float) X(double)
