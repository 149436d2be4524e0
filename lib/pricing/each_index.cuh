#pragma once
// One thread an index.

#include <warpfold/detail/launch.cuh>

#include <algorithm>
#include <cstdint>

namespace warpfold::pricing::gpu_impl {

/// `Each::registers`: the most that a thread may use, so that enough warps run at once.
template <class Each>
__global__ void __maxnreg__(Each::registers)
    each_index_kernel(Each each, std::int64_t first, std::int64_t end) {
  std::int64_t const i = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < end) each(i);
}

/// Enqueues each(i) for all i below `count`, on a stream of the current device.
template <class Each>
void for_each_index(cudaStream_t stream, std::int64_t count, Each const& each) {
  constexpr int threads = 256;
  constexpr std::int64_t most = std::int64_t{threads} << 30; // indices of one grid
  for (std::int64_t first = 0; first < count; first += most) {
    std::int64_t const end = std::min(count, first + most);
    detail::launch(stream, {static_cast<int>((end - first + threads - 1) / threads), threads},
                   each_index_kernel<Each>, each, first, end);
  }
}

} // namespace warpfold::pricing::gpu_impl
