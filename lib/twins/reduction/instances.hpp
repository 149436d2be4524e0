#pragma once
// The reductions that are compared with the vendors' code, by element type; see
// detail::compared_reduction.

#include "reduction/instances.hpp"

#include <warpfold/twins/reductions.hpp>

namespace warpfold::inline v0::detail {
/// What the classics sum.
template <class T, class A, class Op, class Transform>
inline constexpr bool is_plain_sum = std::same_as<Op, plus>&& std::same_as<Transform, identity>&&
    std::same_as<A, typename default_accumulator<T>::type>;
} // namespace warpfold::inline v0::detail

// X(element, accumulator, operator, transform): sums
#define WARPFOLD_COMPARED_SUMS(X, T, A, Wide)                                                      \
  X(T, A, plus, identity)                                                                          \
  X(T, Wide, plus, identity)
#define WARPFOLD_COMPARED_SUMS_OF_int32(X)                                                         \
  WARPFOLD_COMPARED_SUMS(X, std::int32_t, std::int32_t, std::int64_t)
#define WARPFOLD_COMPARED_SUMS_OF_uint32(X)                                                        \
  WARPFOLD_COMPARED_SUMS(X, std::uint32_t, std::uint32_t, std::uint64_t)
#define WARPFOLD_COMPARED_SUMS_OF_int64(X)                                                         \
  WARPFOLD_COMPARED_SUMS(X, std::int64_t, std::int64_t, double)
#define WARPFOLD_COMPARED_SUMS_OF_uint64(X)                                                        \
  WARPFOLD_COMPARED_SUMS(X, std::uint64_t, std::uint64_t, double)
#define WARPFOLD_COMPARED_SUMS_OF_float(X) WARPFOLD_COMPARED_SUMS(X, float, float, double)
#define WARPFOLD_COMPARED_SUMS_OF_double(X) X(double, double, plus, identity)
#define WARPFOLD_COMPARED_SUMS_OF_half(X) WARPFOLD_COMPARED_SUMS(X, __half, float, double)
#define WARPFOLD_COMPARED_SUMS_OF_bfloat16(X)                                                      \
  WARPFOLD_COMPARED_SUMS(X, __nv_bfloat16, float, double)

// X(element, accumulator, operator, transform): what else
#define WARPFOLD_COMPARED_ARITHMETIC(X, T)                                                         \
  X(T, T, plus, square)                                                                            \
  X(T, T, multiplies, identity)                                                                    \
  WARPFOLD_EXTREMA(X, T, T, propagate)
#define WARPFOLD_COMPARED_OTHERS_OF_int32(X) WARPFOLD_COMPARED_ARITHMETIC(X, std::int32_t)
#define WARPFOLD_COMPARED_OTHERS_OF_float(X)                                                       \
  WARPFOLD_COMPARED_ARITHMETIC(X, float)                                                           \
  WARPFOLD_EXTREMA(X, float, float, ignore)
#define WARPFOLD_COMPARED_OTHERS_OF_double(X)                                                      \
  WARPFOLD_COMPARED_ARITHMETIC(X, double)                                                          \
  WARPFOLD_EXTREMA(X, double, double, ignore)

// Several types in one source, where CUB's headers take longer than what is instantiated.
#define WARPFOLD_COMPARED_SUMS_OF_the_rest(X)                                                      \
  WARPFOLD_COMPARED_SUMS_OF_uint32(X) WARPFOLD_COMPARED_SUMS_OF_int64(X)                           \
      WARPFOLD_COMPARED_SUMS_OF_uint64(X) WARPFOLD_COMPARED_SUMS_OF_double(X)                      \
          WARPFOLD_COMPARED_SUMS_OF_half(X) WARPFOLD_COMPARED_SUMS_OF_bfloat16(X)
#define WARPFOLD_COMPARED_OTHERS_OF_all(X)                                                         \
  WARPFOLD_COMPARED_OTHERS_OF_int32(X) WARPFOLD_COMPARED_OTHERS_OF_float(X)                        \
      WARPFOLD_COMPARED_OTHERS_OF_double(X)
#define WARPFOLD_COMPARED_POLICIES_OF_all(X)                                                       \
  WARPFOLD_POLICIES_OF_int32(X) WARPFOLD_POLICIES_OF_float(X) WARPFOLD_POLICIES_OF_double(X)
#define WARPFOLD_COMPARED_ELEMENTS_OF_all(X)                                                       \
  WARPFOLD_ELEMENT_OF_int32(X) WARPFOLD_ELEMENT_OF_float(X) WARPFOLD_ELEMENT_OF_double(X)
