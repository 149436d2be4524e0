#pragma once
// One thread an index.

#include <warpfold/detail/core/launch.cuh>

#include <cstdint>

namespace warpfold::inline v0::pricing::gpu_impl {

/// Calls each(i) for `turns` indices a thread. `Each::registers`: the most that a thread may use,
/// so that enough warps run at once. `Each::turns`: the most turns; one takes the fewest registers.
template <class Each>
__global__ void __maxnreg__(Each::registers)
    each_index_kernel(Each each, std::int64_t count, int turns) {
  if constexpr (Each::turns == 1) turns = 1;
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x * turns + threadIdx.x;
#pragma unroll 1
  for (int turn = 0; turn < turns && i < count; ++turn, i += blockDim.x) each(i);
}

/// Enqueues each(i) for all i below `count`, which is positive, on a stream of the current device.
template <class Each>
void for_each_index(cudaStream_t stream, std::int64_t count, Each const& each) {
  constexpr int threads = 128;
  constexpr std::int64_t enough = 1 << 20; // indices for one turn of all threads
  auto const turns =
      static_cast<int>(detail::clamped<std::int64_t>(count / enough, 1, Each::turns));
  std::int64_t const tile = threads * turns;
  detail::launch(stream, {static_cast<int>((count + tile - 1) / tile), threads},
                 each_index_kernel<Each>, each, count, turns);
}

} // namespace warpfold::inline v0::pricing::gpu_impl
