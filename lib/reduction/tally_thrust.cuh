#pragma once
// Thrust's calls on a place's stream, with its exceptions as warpfold's.

#include "tally_vendor.hpp"

#include <warpfold/error.hpp>

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>

#include <new>
#include <source_location>

namespace warpfold::reduction::gpu_impl {

/// call(policy), which blocks.
template <class Call>
auto by_thrust(gpu& place, Call call,
               std::source_location where = std::source_location::current()) {
  device_guard const current{place.device()};
  try {
    return call(::thrust::cuda::par.on(place.stream()));
  } catch (::thrust::system_error const& failure) {
    cudaGetLastError(); // clears it
    throw cuda_error(static_cast<cudaError_t>(failure.code().value()), failure.what(), where);
  } catch (std::bad_alloc const& failure) {
    cudaGetLastError();
    throw cuda_error(cudaErrorMemoryAllocation, failure.what(), where);
  }
}

/// What stands at an address of the GPU's memory.
template <class T>
T value_at(gpu const& place, T const* address) {
  device_guard const current{place.device()};
  T value;
  check(cudaMemcpyAsync(&value, address, sizeof(T), cudaMemcpyDeviceToHost, place.stream()));
  place.synchronize();
  return value;
}

} // namespace warpfold::reduction::gpu_impl
