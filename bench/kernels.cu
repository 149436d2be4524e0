#include "kernels.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/reduction.cuh>

#include <cub/device/device_reduce.cuh>

namespace warpfold::bench {
namespace {

constexpr int read_threads = 512, loads_in_flight = 4;
constexpr int loads_of_thread = static_cast<int>(read_block_bytes / sizeof(uint4)) / read_threads;
static_assert(loads_of_thread % loads_in_flight == 0);

__global__ __launch_bounds__(read_threads) void read_kernel(uint4 const* packs, unsigned* sink) {
  packs += std::size_t{blockIdx.x} * (read_threads * loads_of_thread) + threadIdx.x;
  unsigned seen = 0;
#pragma unroll 1
  for (int i = 0; i < loads_of_thread; i += loads_in_flight) {
    uint4 batch[loads_in_flight];
#pragma unroll
    for (int j = 0; j < loads_in_flight; ++j) batch[j] = __ldcs(packs + (i + j) * read_threads);
#pragma unroll
    for (uint4 const& pack : batch) seen |= pack.x | pack.y | pack.z | pack.w;
  }
  // Small integers as floats have zeros in their last places.
  if (seen == 0xffffffffu) *sink = seen;
}

} // namespace

void lambda_fold_async(gpu& place, device_span<float const> values, device_span<float> result) {
  transform_reduce_async(
      place, values, 0.0f, plus{}, [] __host__ __device__(float x) { return x * x; }, result);
}

void read_async(gpu& place, device_span<float const> values, device_span<unsigned> sink) {
  device_guard const current{place.device()};
  auto const blocks = static_cast<int>(values.size_bytes() / read_block_bytes);
  detail::launch(place.stream(), {blocks, read_threads}, read_kernel,
                 reinterpret_cast<uint4 const*>(values.data()), sink.data());
}

template <class T>
void cub_argmin_async(gpu& place, device_span<T const> values, device_span<extremum<T>> result) {
  extremum<T>* const found = result.data();
  auto const run = [&](void* scratch, std::size_t& bytes) {
    check(cub::DeviceReduce::ArgMin(scratch, bytes, values.data(), &found->value, &found->index,
                                    static_cast<std::int64_t>(values.size()), place.stream()));
  };
  std::size_t bytes = 0;
  run(nullptr, bytes);
  run(warpfold::detail::gpu_scratch(place).workspace(bytes), bytes);
}
template void cub_argmin_async(gpu&, device_span<float const>, device_span<extremum<float>>);
template void cub_argmin_async(gpu&, device_span<double const>, device_span<extremum<double>>);

} // namespace warpfold::bench
