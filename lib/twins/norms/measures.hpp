#pragma once
// Norms and compensated sums on a host by thrust::transform_reduce.

#include "counted_sum.hpp"
#include "instances.hpp"
#include "twins/checks.hpp"
#include "twins/omp_threads.hpp"

#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::inline v0::detail {

template <class T, class Measure>
void measure_by(twins::vendor twin, host const& place, std::span<T const> values,
                typename Measure::result* result, bool) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, false, true);
  if (twin == twins::fold) return measure_to<T, Measure>(place, values, result);
  using M = typename vendor_measure<Measure>::type;
  using A = typename M::accumulator;
  omp_threads const scope{place.threads()};
  *result = M::finish()(::thrust::transform_reduce(
      ::thrust::omp::par, values.data(), values.data() + values.size(),
      as_accumulator<A, typename M::transform>{}, A{}, typename M::op{}));
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Measure)                                                                    \
  namespace warpfold::inline v0::detail {                                                          \
  template void measure_by<T, Measure>(twins::vendor, host const&, std::span<T const>,             \
                                       Measure::result*, bool);                                    \
  }
