#pragma once
// Thrust on the stream of a pipeline or a place.

#include <warpfold/error.hpp>

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>

#include <new>
#include <source_location>

namespace warpfold::pricing::gpu_impl {

/// Lets call(policy) enqueue on a stream of the current device what needs no scratch memory.
/// Thrust's errors become ours.
template <class Call>
void enqueue_thrust(cudaStream_t stream, Call call,
                    std::source_location where = std::source_location::current()) {
  try {
    call(::thrust::cuda::par_nosync.on(stream));
  } catch (::thrust::system_error const& failure) {
    cudaGetLastError(); // clears it
    throw cuda_error(static_cast<cudaError_t>(failure.code().value()), failure.what(), where);
  } catch (std::bad_alloc const& failure) {
    cudaGetLastError();
    throw cuda_error(cudaErrorMemoryAllocation, failure.what(), where);
  }
}

} // namespace warpfold::pricing::gpu_impl
