// The vendor twin of dot products on the GPU: thrust::inner_product.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/pair_reader.hpp>

#include <thrust/inner_product.h>

namespace warpfold::norms::gpu_impl {

using namespace detail;

template <class T, class A>
A thrust_dot(gpu& place, device_span<T const> x, device_span<T const> y) {
  return call_thrust(place, [&](auto const& policy) {
    return ::thrust::inner_product(policy, x.data(), x.data() + x.size(), y.data(), A{}, plus{},
                                   widened_product<A>{});
  });
}

#define INSTANTIATE(T, A)                                                                          \
  template A thrust_dot<T, A>(gpu&, device_span<T const>, device_span<T const>);
WARPFOLD_FOR_EACH_DOT(INSTANTIATE)

} // namespace warpfold::norms::gpu_impl
