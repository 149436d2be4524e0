// Segments, prefixes, runs of equal keys.

#include "calls.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>

namespace warpfold::bench::rival {

void segmented_sum_async(gpu& place, device_span<float const> values, int length,
                         device_span<float> sums) {
  auto const segments = static_cast<std::int64_t>(sums.size());
  call_in_two_phases(place, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(scratch, bytes, values.data(), sums.data(), segments,
                                           length, place.stream());
  });
}

void inclusive_sum_async(gpu& place, device_span<float const> values, device_span<float> sums,
                         determinism how) {
  int const size = int_size(values.size());
  switch (how) {
  case determinism::not_guaranteed:
    return call_in_two_phases(place, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(scratch, bytes, values.data(), sums.data(), size,
                                           place.stream());
    });
  case determinism::run_to_run:
    return call_with_environment(
        place, ::cuda::execution::determinism::run_to_run, [&](auto const& environment) {
          return cub::DeviceScan::InclusiveSum(values.data(), sums.data(), size, environment);
        });
  case determinism::gpu_to_gpu: break;
  }
  throw argument_error("how", "CUB has no such scan of floats");
}

void reduce_by_key_async(gpu& place, device_span<std::uint32_t const> keys,
                         device_span<float const> values, runs const& results) {
  int const size = int_size(values.size());
  call_in_two_phases(place, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(scratch, bytes, keys.data(), results.keys.data(),
                                          values.data(), results.sums.data(), results.count.data(),
                                          ::cuda::std::plus<>{}, size, place.stream());
  });
}

} // namespace warpfold::bench::rival
