#pragma once
// The built-in extrema and statistics, once: every backend instantiates what these lists name.

#include "instances.hpp"

#include <warpfold/detail/description_tally.hpp>
#include <warpfold/detail/extremum_tally.hpp>

// X(element, operator, accumulator): what is looked for
#define WARPFOLD_FOR_EACH_SOUGHT_INTEGER(X, T)                                                     \
  X(T, minimum<nan_policy::propagate>, T)                                                          \
  X(T, maximum<nan_policy::propagate>, T)
#define WARPFOLD_FOR_EACH_SOUGHT_FLOATING(X, T, A)                                                 \
  X(T, minimum<nan_policy::propagate>, A)                                                          \
  X(T, maximum<nan_policy::propagate>, A)                                                          \
  X(T, minimum<nan_policy::ignore>, A)                                                             \
  X(T, maximum<nan_policy::ignore>, A)
#define WARPFOLD_FOR_EACH_SOUGHT(X)                                                                \
  WARPFOLD_FOR_EACH_SOUGHT_INTEGER(X, std::int32_t)                                                \
  WARPFOLD_FOR_EACH_SOUGHT_INTEGER(X, std::uint32_t)                                               \
  WARPFOLD_FOR_EACH_SOUGHT_INTEGER(X, std::int64_t)                                                \
  WARPFOLD_FOR_EACH_SOUGHT_INTEGER(X, std::uint64_t)                                               \
  WARPFOLD_FOR_EACH_SOUGHT_FLOATING(X, float, float)                                               \
  WARPFOLD_FOR_EACH_SOUGHT_FLOATING(X, double, double)                                             \
  WARPFOLD_FOR_EACH_SOUGHT_FLOATING(X, __half, float)                                              \
  WARPFOLD_FOR_EACH_SOUGHT_FLOATING(X, __nv_bfloat16, float)

// X(element, policy, accumulator): both extrema
#define WARPFOLD_FOR_EACH_MIN_MAX(X)                                                               \
  X(std::int32_t, nan_policy::propagate, std::int32_t)                                             \
  X(std::uint32_t, nan_policy::propagate, std::uint32_t)                                           \
  X(std::int64_t, nan_policy::propagate, std::int64_t)                                             \
  X(std::uint64_t, nan_policy::propagate, std::uint64_t)                                           \
  X(float, nan_policy::propagate, float)                                                           \
  X(float, nan_policy::ignore, float)                                                              \
  X(double, nan_policy::propagate, double)                                                         \
  X(double, nan_policy::ignore, double)                                                            \
  X(__half, nan_policy::propagate, float)                                                          \
  X(__half, nan_policy::ignore, float)                                                             \
  X(__nv_bfloat16, nan_policy::propagate, float)                                                   \
  X(__nv_bfloat16, nan_policy::ignore, float)

namespace warpfold::reduction {

template <class A>
using full_description = detail::description_tally<A, statistic::all>;

} // namespace warpfold::reduction
