#pragma once
// Norms and compensated sums on a GPU by cub::DeviceReduce and thrust::transform_reduce.

#include "counted_sum.hpp"
#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/detail/core/output.hpp>

#include <cub/device/device_reduce.cuh>
#include <thrust/transform_reduce.h>

namespace warpfold::inline v0::detail {

template <class T, class Measure>
void measure_by(twins::vendor twin, gpu& place, device_span<T const> values,
                typename Measure::result* result, bool blocking) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, true, blocking);
  using M = typename vendor_measure<Measure>::type;
  using A = typename M::accumulator;
  using transform = as_accumulator<A, typename M::transform>;
  switch (twin) {
  case twins::fold: return measure_to<T, Measure>(place, values, result);
  case twins::cub: {
    using finish = decltype(M::finish());
    storing<store_finished<finish, typename M::result>> const output{{M::finish(), result}};
    return call_cub(place, blocking, [&](void* temporary, std::size_t& bytes) {
      return ::cub::DeviceReduce::TransformReduce(temporary, bytes, values.data(), output,
                                                  values.size(), typename M::op{}, transform{}, A{},
                                                  place.stream());
    });
  }
  case twins::thrust:
    *result = M::finish()(call_thrust(place, [&](auto const& policy) {
      return ::thrust::transform_reduce(policy, values.data(), values.data() + values.size(),
                                        transform{}, A{}, typename M::op{});
    }));
  }
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Measure)                                                                    \
  namespace warpfold::inline v0::detail {                                                          \
  template void measure_by<T, Measure>(twins::vendor, gpu&, device_span<T const>,                  \
                                       Measure::result*, bool);                                    \
  }
