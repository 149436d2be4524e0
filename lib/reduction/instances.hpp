#pragma once
// The built-in reductions, by element type: backends instantiate what these lists name. Kept equal
// to detail::built_in_reduction by test/reduction/instances_test.cpp.

#include <warpfold/reduction.hpp>

#include <cstdint>

// X(element, accumulator, operator, transform): sums, also in the wider accumulators
#define WARPFOLD_SUMS_IN(X, T, A)                                                                  \
  X(T, A, plus, identity)                                                                          \
  X(T, A, plus, square)
#define WARPFOLD_SUMS(X, T, A, Wide) WARPFOLD_SUMS_IN(X, T, A) WARPFOLD_SUMS_IN(X, T, Wide)
#define WARPFOLD_SUMS_OF_int32(X) WARPFOLD_SUMS(X, std::int32_t, std::int32_t, std::int64_t)
#define WARPFOLD_SUMS_OF_uint32(X) WARPFOLD_SUMS(X, std::uint32_t, std::uint32_t, std::uint64_t)
#define WARPFOLD_SUMS_OF_int64(X) WARPFOLD_SUMS(X, std::int64_t, std::int64_t, double)
#define WARPFOLD_SUMS_OF_uint64(X) WARPFOLD_SUMS(X, std::uint64_t, std::uint64_t, double)
#define WARPFOLD_SUMS_OF_float(X) WARPFOLD_SUMS(X, float, float, double)
#define WARPFOLD_SUMS_OF_double(X) WARPFOLD_SUMS_IN(X, double, double)
#define WARPFOLD_SUMS_OF_half(X) WARPFOLD_SUMS(X, __half, float, double)
#define WARPFOLD_SUMS_OF_bfloat16(X) WARPFOLD_SUMS(X, __nv_bfloat16, float, double)

// X(element, accumulator, operator, transform): products, minima and maxima
#define WARPFOLD_EXTREMA(X, T, A, Policy)                                                          \
  X(T, A, minimum<nan_policy::Policy>, identity)                                                   \
  X(T, A, maximum<nan_policy::Policy>, identity)
#define WARPFOLD_INTEGERS(X, T, Wide)                                                              \
  X(T, T, multiplies, identity)                                                                    \
  X(T, Wide, multiplies, identity)                                                                 \
  WARPFOLD_EXTREMA(X, T, T, propagate)
#define WARPFOLD_FLOATS(X, T, A)                                                                   \
  X(T, A, multiplies, identity)                                                                    \
  WARPFOLD_EXTREMA(X, T, A, propagate)                                                             \
  WARPFOLD_EXTREMA(X, T, A, ignore)
#define WARPFOLD_NARROW(X, T) WARPFOLD_FLOATS(X, T, float) X(T, double, multiplies, identity)
#define WARPFOLD_OTHERS_OF_int32(X) WARPFOLD_INTEGERS(X, std::int32_t, std::int64_t)
#define WARPFOLD_OTHERS_OF_uint32(X) WARPFOLD_INTEGERS(X, std::uint32_t, std::uint64_t)
#define WARPFOLD_OTHERS_OF_int64(X) WARPFOLD_INTEGERS(X, std::int64_t, double)
#define WARPFOLD_OTHERS_OF_uint64(X) WARPFOLD_INTEGERS(X, std::uint64_t, double)
#define WARPFOLD_OTHERS_OF_float(X) WARPFOLD_NARROW(X, float)
#define WARPFOLD_OTHERS_OF_double(X) WARPFOLD_FLOATS(X, double, double)
#define WARPFOLD_OTHERS_OF_half(X) WARPFOLD_NARROW(X, __half)
#define WARPFOLD_OTHERS_OF_bfloat16(X) WARPFOLD_NARROW(X, __nv_bfloat16)

// What a list, as WARPFOLD_SUMS, has for every floating-point type, and for every element type
#define WARPFOLD_OF_FLOATS(LIST, X)                                                                \
  LIST##_OF_float(X) LIST##_OF_double(X) LIST##_OF_half(X) LIST##_OF_bfloat16(X)
#define WARPFOLD_OF_ELEMENTS(LIST, X)                                                              \
  LIST##_OF_int32(X) LIST##_OF_uint32(X) LIST##_OF_int64(X) LIST##_OF_uint64(X)                    \
      WARPFOLD_OF_FLOATS(LIST, X)
#define WARPFOLD_FOR_EACH_REDUCTION(X)                                                             \
  WARPFOLD_OF_ELEMENTS(WARPFOLD_SUMS, X) WARPFOLD_OF_ELEMENTS(WARPFOLD_OTHERS, X)

// X(element, accumulator): the default accumulator of each element type
#define WARPFOLD_ELEMENT_OF_int32(X) X(std::int32_t, std::int32_t)
#define WARPFOLD_ELEMENT_OF_uint32(X) X(std::uint32_t, std::uint32_t)
#define WARPFOLD_ELEMENT_OF_int64(X) X(std::int64_t, std::int64_t)
#define WARPFOLD_ELEMENT_OF_uint64(X) X(std::uint64_t, std::uint64_t)
#define WARPFOLD_ELEMENT_OF_float(X) X(float, float)
#define WARPFOLD_ELEMENT_OF_double(X) X(double, double)
#define WARPFOLD_ELEMENT_OF_half(X) X(__half, float)
#define WARPFOLD_ELEMENT_OF_bfloat16(X) X(__nv_bfloat16, float)

// X(element, accumulator, policy): what searches for extrema do with NaN
#define WARPFOLD_POLICIES_OF_int32(X) X(std::int32_t, std::int32_t, nan_policy::propagate)
#define WARPFOLD_POLICIES_OF_uint32(X) X(std::uint32_t, std::uint32_t, nan_policy::propagate)
#define WARPFOLD_POLICIES_OF_int64(X) X(std::int64_t, std::int64_t, nan_policy::propagate)
#define WARPFOLD_POLICIES_OF_uint64(X) X(std::uint64_t, std::uint64_t, nan_policy::propagate)
#define WARPFOLD_EITHER_POLICY(X, T, A)                                                            \
  X(T, A, nan_policy::propagate)                                                                   \
  X(T, A, nan_policy::ignore)
#define WARPFOLD_POLICIES_OF_float(X) WARPFOLD_EITHER_POLICY(X, float, float)
#define WARPFOLD_POLICIES_OF_double(X) WARPFOLD_EITHER_POLICY(X, double, double)
#define WARPFOLD_POLICIES_OF_half(X) WARPFOLD_EITHER_POLICY(X, __half, float)
#define WARPFOLD_POLICIES_OF_bfloat16(X) WARPFOLD_EITHER_POLICY(X, __nv_bfloat16, float)

// X(element): exact sums
#define WARPFOLD_EXACT_OF_float(X) X(float)
#define WARPFOLD_EXACT_OF_double(X) X(double)
#define WARPFOLD_EXACT_OF_half(X) X(__half)
#define WARPFOLD_EXACT_OF_bfloat16(X) X(__nv_bfloat16)
