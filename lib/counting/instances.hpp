#pragma once
// The built-in counts, selections and histograms, by element type. Generated sources instantiate
// what these lists name.

#include "reduction/instances.hpp"

#include <warpfold/counting.hpp>

#define WARPFOLD_COMPARISONS(X, T) X(T, less_than<T>) X(T, greater_than<T>) X(T, equal_to<T>)
#define WARPFOLD_PREDICATES(X, T) WARPFOLD_COMPARISONS(X, T) X(T, is_nan) X(T, is_finite)

// X(element, predicate): count_if, all_of, any_of
#define WARPFOLD_COUNTS_OF_int32(X) WARPFOLD_COMPARISONS(X, std::int32_t)
#define WARPFOLD_COUNTS_OF_uint32(X) WARPFOLD_COMPARISONS(X, std::uint32_t)
#define WARPFOLD_COUNTS_OF_int64(X) WARPFOLD_COMPARISONS(X, std::int64_t)
#define WARPFOLD_COUNTS_OF_uint64(X) WARPFOLD_COMPARISONS(X, std::uint64_t)
#define WARPFOLD_COUNTS_OF_float(X) WARPFOLD_PREDICATES(X, float)
#define WARPFOLD_COUNTS_OF_double(X) WARPFOLD_PREDICATES(X, double)
#define WARPFOLD_COUNTS_OF_half(X) WARPFOLD_PREDICATES(X, __half)
#define WARPFOLD_COUNTS_OF_bfloat16(X) WARPFOLD_PREDICATES(X, __nv_bfloat16)
#define WARPFOLD_FOR_EACH_COUNT(X) WARPFOLD_OF_ELEMENTS(WARPFOLD_COUNTS, X)

// X(element, predicate): compact_if
#define WARPFOLD_SELECTIONS_OF_int32(X) WARPFOLD_COUNTS_OF_int32(X)
#define WARPFOLD_SELECTIONS_OF_int64(X) WARPFOLD_COUNTS_OF_int64(X)
#define WARPFOLD_SELECTIONS_OF_float(X) WARPFOLD_COUNTS_OF_float(X)
#define WARPFOLD_SELECTIONS_OF_double(X) WARPFOLD_COUNTS_OF_double(X)

// X(element): histogram
#define WARPFOLD_HISTOGRAMS_OF_uint8(X) X(std::uint8_t)
#define WARPFOLD_HISTOGRAMS_OF_int32(X) X(std::int32_t)
#define WARPFOLD_HISTOGRAMS_OF_uint32(X) X(std::uint32_t)
#define WARPFOLD_HISTOGRAMS_OF_float(X) X(float)
#define WARPFOLD_HISTOGRAMS_OF_double(X) X(double)
