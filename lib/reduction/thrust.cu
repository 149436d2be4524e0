// The vendor twin on the GPU: thrust::transform_reduce.

#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/error.hpp>

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>

#include <new>
#include <source_location>

namespace warpfold::reduction::gpu_impl {

template <class T, class A, class Op, class Transform>
A thrust(gpu& place, device_span<T const> values, A init) {
  device_guard const current{place.device()};
  auto const where = std::source_location::current();
  try {
    return ::thrust::transform_reduce(::thrust::cuda::par.on(place.stream()), values.data(),
                                      values.data() + values.size(),
                                      detail::widened<A, Transform>{}, init, Op{});
  } catch (::thrust::system_error const& failure) {
    cudaGetLastError(); // clears it
    throw cuda_error(static_cast<cudaError_t>(failure.code().value()), failure.what(), where);
  } catch (std::bad_alloc const& failure) {
    cudaGetLastError();
    throw cuda_error(cudaErrorMemoryAllocation, failure.what(), where);
  }
}

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  template A thrust<T, A, Op, Transform>(gpu&, device_span<T const>, A);
WARPFOLD_FOR_EACH_REDUCTION(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
