// The vendor twin of measures on the GPU: thrust::transform_reduce.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <thrust/transform_reduce.h>

namespace warpfold::norms::gpu_impl {

using namespace detail;

template <class T, class Measure>
typename Measure::result thrust(gpu& place, device_span<T const> values) {
  using M = typename Measure::vendor;
  using A = typename M::accumulator;
  return M::finish()(call_thrust(place, [&](auto const& policy) {
    return ::thrust::transform_reduce(policy, values.data(), values.data() + values.size(),
                                      as_accumulator<A, typename M::transform>{}, A{},
                                      typename M::op{});
  }));
}

#define INSTANTIATE(T, Measure)                                                                    \
  template Measure::result thrust<T, Measure>(gpu&, device_span<T const>);
WARPFOLD_FOR_EACH_MEASURE(INSTANTIATE)

} // namespace warpfold::norms::gpu_impl
