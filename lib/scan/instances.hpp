#pragma once
// The built-in scans, by element type: backends instantiate what these lists name. Kept equal to
// detail::built_in_scan by test/scan/refusals_scan_test.cpp.

#include "reduction/instances.hpp"

#include <warpfold/scan.hpp>

// X(element, accumulator, operator)
#define WARPFOLD_SCANS(X, T, A)                                                                    \
  X(T, A, plus)                                                                                    \
  X(T, A, multiplies)                                                                              \
  X(T, A, minimum<>)                                                                               \
  X(T, A, maximum<>)
#define WARPFOLD_WIDE_SCANS(X, T, A, Wide) WARPFOLD_SCANS(X, T, A) X(T, Wide, plus)
#define WARPFOLD_SCANS_OF_int32(X) WARPFOLD_WIDE_SCANS(X, std::int32_t, std::int32_t, std::int64_t)
#define WARPFOLD_SCANS_OF_uint32(X)                                                                \
  WARPFOLD_WIDE_SCANS(X, std::uint32_t, std::uint32_t, std::uint64_t)
#define WARPFOLD_SCANS_OF_int64(X) WARPFOLD_WIDE_SCANS(X, std::int64_t, std::int64_t, double)
#define WARPFOLD_SCANS_OF_uint64(X) WARPFOLD_WIDE_SCANS(X, std::uint64_t, std::uint64_t, double)
#define WARPFOLD_SCANS_OF_float(X)                                                                 \
  WARPFOLD_WIDE_SCANS(X, float, float, double) X(float, float, compensated_plus)
#define WARPFOLD_SCANS_OF_double(X)                                                                \
  WARPFOLD_SCANS(X, double, double) X(double, double, compensated_plus)
#define WARPFOLD_SCANS_OF_half(X) WARPFOLD_WIDE_SCANS(X, __half, float, double)
#define WARPFOLD_SCANS_OF_bfloat16(X) WARPFOLD_WIDE_SCANS(X, __nv_bfloat16, float, double)
#define WARPFOLD_FOR_EACH_SCAN(X) WARPFOLD_OF_ELEMENTS(WARPFOLD_SCANS, X)

// And segmented scans: kept equal to detail::built_in_segmented_scan
#define WARPFOLD_SEGMENTED_SCANS(X, T)                                                             \
  X(T, T, segmented<plus>)                                                                         \
  X(T, T, segmented<minimum<>>)                                                                    \
  X(T, T, segmented<maximum<>>)
#define WARPFOLD_SEGMENTED_SCANS_OF_int32(X) WARPFOLD_SEGMENTED_SCANS(X, std::int32_t)
#define WARPFOLD_SEGMENTED_SCANS_OF_int64(X) WARPFOLD_SEGMENTED_SCANS(X, std::int64_t)
#define WARPFOLD_SEGMENTED_SCANS_OF_float(X) WARPFOLD_SEGMENTED_SCANS(X, float)
#define WARPFOLD_SEGMENTED_SCANS_OF_double(X) WARPFOLD_SEGMENTED_SCANS(X, double)
