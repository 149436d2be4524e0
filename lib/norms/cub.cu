// The vendor twin on the GPU: cub::DeviceReduce::TransformReduce.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/output.hpp>
#include <warpfold/detail/pair_reader.hpp>

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>

namespace warpfold::norms::gpu_impl {

using namespace detail;

template <class T, class Measure>
void cub(gpu& place, device_span<T const> values, typename Measure::result* result,
         bool may_allocate) {
  using M = typename Measure::vendor;
  using A = typename M::accumulator;
  using finish = decltype(M::finish());
  storing<store_finished<finish, typename M::result>> const output{{M::finish(), result}};
  call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(
        temporary, bytes, values.data(), output, values.size(), typename M::op{},
        as_accumulator<A, typename M::transform>{}, A{}, place.stream());
  });
}

template <class T, class A>
void cub_dot(gpu& place, device_span<T const> x, device_span<T const> y, A* result,
             bool may_allocate) {
  auto const both = ::thrust::make_zip_iterator(x.data(), y.data());
  auto const product = ::thrust::make_zip_function(widened_product<A>{});
  call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(temporary, bytes, both, result, x.size(), plus{},
                                                product, A{}, place.stream());
  });
}

#define INSTANTIATE(T, Measure)                                                                    \
  template void cub<T, Measure>(gpu&, device_span<T const>, Measure::result*, bool);
WARPFOLD_FOR_EACH_MEASURE(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, A)                                                                          \
  template void cub_dot<T, A>(gpu&, device_span<T const>, device_span<T const>, A*, bool);
WARPFOLD_FOR_EACH_DOT(INSTANTIATE)

} // namespace warpfold::norms::gpu_impl
