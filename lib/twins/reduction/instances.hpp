#pragma once
// The tasks that are compared with the vendors' code; see the tasks' is_compared. "timed" are those
// that benchmarks time; "tested" those that tests alone call, which are compiled fast. Many share a
// source, since CUB's headers take longer than what is instantiated.

#include <warpfold/detail/twins/tasks.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// X(element, task): sums
#define WARPFOLD_COMPARED_SUMS_OF_shown(X)                                                         \
  X(std::int32_t, reduce_task<std::int32_t, plus>)                                                 \
  X(std::int32_t, reduce_task<std::int64_t, plus>)                                                 \
  X(float, reduce_task<float, plus>)                                                               \
  X(float, reduce_task<double, plus>)

// X(element, task): the other sums, other folds, dot products, norms, counts
#define WARPFOLD_COMPARED_PRODUCTS(X, T)                                                           \
  X(T, reduce_task<T, multiplies>)                                                                 \
  X(T, reduce_task<T, minimum<>>)
#define WARPFOLD_COMPARED_FOLDS_OF_timed(X)                                                        \
  X(std::uint32_t, reduce_task<std::uint32_t, plus>)                                               \
  X(std::uint32_t, reduce_task<std::uint64_t, plus>)                                               \
  X(std::int64_t, reduce_task<std::int64_t, plus>)                                                 \
  X(std::int64_t, reduce_task<double, plus>)                                                       \
  X(std::uint64_t, reduce_task<std::uint64_t, plus>)                                               \
  X(std::uint64_t, reduce_task<double, plus>)                                                      \
  X(double, reduce_task<double, plus>)                                                             \
  X(__half, reduce_task<float, plus>)                                                              \
  X(__half, reduce_task<double, plus>)                                                             \
  X(__nv_bfloat16, reduce_task<float, plus>)                                                       \
  X(__nv_bfloat16, reduce_task<double, plus>)                                                      \
  WARPFOLD_COMPARED_PRODUCTS(X, std::int32_t)                                                      \
  WARPFOLD_COMPARED_PRODUCTS(X, float)                                                             \
  WARPFOLD_COMPARED_PRODUCTS(X, double)                                                            \
  X(float, reduce_task<float, plus, square>)                                                       \
  X(double, reduce_task<double, plus, square>)                                                     \
  X(float, dot_task<float, float>)                                                                 \
  X(double, dot_task<double, double>)                                                              \
  X(__half, dot_task<__half, float>)                                                               \
  X(float, measure_task<root_of_squares<float>>)                                                   \
  X(double, measure_task<root_of_squares<double>>)                                                 \
  X(float, measure_task<sum_and_bound<float>>)                                                     \
  X(double, measure_task<sum_and_bound<double>>)                                                   \
  X(__half, measure_task<sum_and_bound<__half>>)                                                   \
  X(float, count_task<greater_than<float>>)                                                        \
  X(double, count_task<greater_than<double>>)                                                      \
  X(__half, count_task<greater_than<__half>>)
#define WARPFOLD_COMPARED_EXTREMA(X, T)                                                            \
  X(T, reduce_task<T, maximum<>>)                                                                  \
  X(T, reduce_task<T, minimum<nan_policy::ignore>>)                                                \
  X(T, reduce_task<T, maximum<nan_policy::ignore>>)                                                \
  X(T, measure_task<sum_of_magnitudes<T>>)                                                         \
  X(T, measure_task<largest_magnitude<T>>)
#define WARPFOLD_COMPARED_FOLDS_OF_tested(X)                                                       \
  WARPFOLD_COMPARED_EXTREMA(X, float)                                                              \
  WARPFOLD_COMPARED_EXTREMA(X, double)                                                             \
  X(std::int32_t, reduce_task<std::int32_t, maximum<>>)                                            \
  X(std::int32_t, reduce_task<std::int32_t, plus, square>)                                         \
  X(std::int32_t, dot_task<std::int32_t, std::int32_t>)                                            \
  X(std::int32_t, count_task<less_than<std::int32_t>>)                                             \
  X(std::int32_t, count_task<equal_to<std::int32_t>>)                                              \
  X(float, count_task<less_than<float>>)                                                           \
  X(float, count_task<equal_to<float>>)                                                            \
  X(float, count_task<is_nan>)                                                                     \
  X(float, count_task<is_finite>)                                                                  \
  X(double, count_task<less_than<double>>)                                                         \
  X(double, count_task<is_nan>)

// X(element, task): searches for extrema, and statistics
#define WARPFOLD_COMPARED_SEARCHES(X, T, Policy)                                                   \
  X(T, find_task<T, minimum<nan_policy::Policy>>)                                                  \
  X(T, find_task<T, maximum<nan_policy::Policy>>)                                                  \
  X(T, min_max_task<T, nan_policy::Policy>)
#define WARPFOLD_COMPARED_STATISTICS(X, T)                                                         \
  WARPFOLD_COMPARED_SEARCHES(X, T, propagate)                                                      \
  X(T, describe_task<T>)                                                                           \
  X(T, moment_task)
#define WARPFOLD_COMPARED_SEARCHES_OF_timed(X)                                                     \
  WARPFOLD_COMPARED_STATISTICS(X, std::int32_t)                                                    \
  WARPFOLD_COMPARED_STATISTICS(X, float)                                                           \
  WARPFOLD_COMPARED_STATISTICS(X, double)
#define WARPFOLD_COMPARED_SEARCHES_OF_tested(X)                                                    \
  WARPFOLD_COMPARED_SEARCHES(X, float, ignore)                                                     \
  WARPFOLD_COMPARED_SEARCHES(X, double, ignore)

// What tests alone call. Benchmarks time searches by CUB: Thrust's are for tests.
#define WARPFOLD_COMPARED_OF_tested(X)                                                             \
  WARPFOLD_COMPARED_FOLDS_OF_tested(X) WARPFOLD_COMPARED_SEARCHES_OF_tested(X)                     \
      WARPFOLD_COMPARED_SEARCHES_OF_timed(INSTANTIATE_THRUST)

#define WARPFOLD_COMPARED_FOLDS_OF_all(X)                                                          \
  WARPFOLD_COMPARED_FOLDS_OF_timed(X) WARPFOLD_COMPARED_FOLDS_OF_tested(X)
#define WARPFOLD_COMPARED_SEARCHES_OF_all(X)                                                       \
  WARPFOLD_COMPARED_SEARCHES_OF_timed(X) WARPFOLD_COMPARED_SEARCHES_OF_tested(X)

// X(element, accumulator): the classics
#define WARPFOLD_CLASSICS_OF_shown(X)                                                              \
  X(std::int32_t, std::int32_t)                                                                    \
  X(float, float)
#define WARPFOLD_CLASSICS_OF_others(X)                                                             \
  X(std::uint32_t, std::uint32_t)                                                                  \
  X(std::int64_t, std::int64_t)                                                                    \
  X(std::uint64_t, std::uint64_t)                                                                  \
  X(double, double)                                                                                \
  X(__half, float)                                                                                 \
  X(__nv_bfloat16, float)
