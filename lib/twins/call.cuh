#pragma once
// Calls of CUB and Thrust on a place.

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/reduction.hpp>

#include <cuda/std/functional>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>

#include <new>
#include <source_location>

namespace warpfold::inline v0::detail {

/// An operator as CUB knows it: for its own plus it scans in larger tiles than for one of ours.
template <class Op>
struct known_operator {
  using type = Op;
};
template <>
struct known_operator<plus> {
  using type = ::cuda::std::plus<>;
};

/// Calls call(temporary, bytes), which goes to CUB, for the size of its scratch memory and then to
/// do it. Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class Call>
void call_cub(gpu& place, bool may_allocate, Call call,
              std::source_location where = std::source_location::current()) {
  device_guard const current{place.device()};
  std::size_t bytes = 0;
  check(call(nullptr, bytes), where);
  if (may_allocate) place.reserve(bytes);
  check(call(detail::gpu_scratch(place).workspace(bytes), bytes), where);
}

/// Returns call(), with Thrust's errors as ours.
template <class Call>
auto with_thrust_errors(Call call, std::source_location where) {
  try {
    return call();
  } catch (::thrust::system_error const& failure) {
    cudaGetLastError(); // clears it
    throw cuda_error(static_cast<cudaError_t>(failure.code().value()), failure.what(), where);
  } catch (std::bad_alloc const& failure) {
    cudaGetLastError();
    throw cuda_error(cudaErrorMemoryAllocation, failure.what(), where);
  }
}

/// Lets call(policy) enqueue on a stream of the current device what needs no scratch memory.
template <class Call>
void enqueue_thrust(cudaStream_t stream, Call call,
                    std::source_location where = std::source_location::current()) {
  with_thrust_errors([&] { call(::thrust::cuda::par_nosync.on(stream)); }, where);
}

/// Returns call(policy). Blocks.
template <class Call>
auto call_thrust(gpu& place, Call call,
                 std::source_location where = std::source_location::current()) {
  device_guard const current{place.device()};
  return with_thrust_errors([&] { return call(::thrust::cuda::par.on(place.stream())); }, where);
}

} // namespace warpfold::inline v0::detail
