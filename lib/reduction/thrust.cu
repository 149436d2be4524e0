// The vendor twin on the GPU: thrust::transform_reduce.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <thrust/transform_reduce.h>

namespace warpfold::reduction::gpu_impl {

template <class T, class A, class Op, class Transform>
A thrust(gpu& place, device_span<T const> values, A init) {
  return detail::call_thrust(place, [&](auto const& policy) {
    return ::thrust::transform_reduce(policy, values.data(), values.data() + values.size(),
                                      detail::widened<A, Transform>{}, init, Op{});
  });
}

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  template A thrust<T, A, Op, Transform>(gpu&, device_span<T const>, A);
WARPFOLD_FOR_EACH_REDUCTION(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
