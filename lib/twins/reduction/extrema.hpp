#pragma once
// Searches for extrema on a host by thrust::min_element and minmax_element.

#include "instances.hpp"
#include "tallies.hpp"
#include "twins/checks.hpp"
#include "twins/omp_threads.hpp"

#include <thrust/extrema.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::inline v0::detail {

template <class T, class Op, class A>
void find_by(twins::vendor twin, host const& place, std::span<T const> values, extremum<A>* result,
             bool) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, false, true);
  if (twin == twins::fold || values.empty()) return find_to<T, Op>(place, values, result);
  omp_threads const scope{place.threads()};
  T const* const first = values.data();
  T const* const found =
      ::thrust::min_element(::thrust::omp::par, first, first + values.size(), order_for<A>(Op{}));
  *result = found_at<A, Op>(*found, static_cast<std::uint64_t>(found - first), values.size());
}

template <class T, nan_policy Nan, class A>
void min_max_by(twins::vendor twin, host const& place, std::span<T const> values,
                min_max<A>* result, bool) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, false, true);
  if (twin == twins::fold || values.empty()) return min_max_to<T, Nan>(place, values, result);
  omp_threads const scope{place.threads()};
  T const* const first = values.data();
  T const* const end = first + values.size();
  if constexpr (std::integral<T>) {
    auto const found = ::thrust::minmax_element(::thrust::omp::par, first, end);
    *result = {*found.first, *found.second};
  } else {
    // No order puts NaN first for both, or nowhere.
    *result = ::thrust::transform_reduce(::thrust::omp::par, first, end, both_extrema<A>{},
                                         min_max_of_nothing<A>, min_max_op<Nan>{});
  }
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Nan)                                                                     \
  namespace warpfold::inline v0::detail {                                                          \
  template void find_by<T, minimum<Nan>, A>(twins::vendor, host const&, std::span<T const>,        \
                                            extremum<A>*, bool);                                   \
  template void find_by<T, maximum<Nan>, A>(twins::vendor, host const&, std::span<T const>,        \
                                            extremum<A>*, bool);                                   \
  template void min_max_by<T, Nan, A>(twins::vendor, host const&, std::span<T const>, min_max<A>*, \
                                      bool);                                                       \
  }
