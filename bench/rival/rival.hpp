#pragma once
// The newer CUB's calls that warpfold-rival times. calls.cu defines them: it includes the newer
// CCCL and nothing of the toolkit's. All other files know these declarations alone.

#include <warpfold/execution.hpp>
#include <warpfold/reduction/extrema.hpp>
#include <warpfold/span.hpp>

#include <cstdint>

namespace warpfold::bench::rival {

/// Version of the newer CCCL, "3.6.0".
[[nodiscard]] char const* cccl_version();

/// Where a sum of floating-point numbers has the same bits, in CUB's words.
enum class determinism { not_guaranteed, run_to_run, gpu_to_gpu };

// Each call enqueues on the place's stream. It neither allocates nor waits, and can be captured in
// a CUDA graph: CUB's scratch memory is the place's workspace, which gpu::reserve must have made
// large enough. CUB takes it in two ways, which are the same kernels when a graph replays them:
//   two phases   asked for the size, then called with the memory and a stream;
//   environment  called with a stream, the determinism wanted, and a memory resource. The default
//                resource would allocate by cudaMallocAsync; this one returns the workspace.
// Numbers of elements are passed as int, for which CUB computes offsets in 32 bits: its fastest.

/// cub::DeviceReduce::Sum of float, double or std::int32_t. run_to_run, its default, in two phases,
/// the others with an environment.
template <class T>
void sum_async(gpu& place, device_span<T const> values, device_span<T> result,
               determinism level = determinism::run_to_run);

/// cub::DeviceReduce::ArgMin of float, double or std::int32_t, in two phases. It has no policy for
/// NaN, and its offsets have 64 bits.
template <class T>
void argmin_async(gpu& place, device_span<T const> values, device_span<extremum<T>> result);

/// cub::DeviceSegmentedReduce::Sum of segments of `length` elements, in two phases: the form with a
/// fixed segment size, which CUB 3.0 does not have.
void segmented_sum_async(gpu& place, device_span<float const> values, int length,
                         device_span<float> sums);

/// cub::DeviceScan::InclusiveSum. not_guaranteed, its default, in two phases, run_to_run with an
/// environment; there is no other.
void inclusive_sum_async(gpu& place, device_span<float const> values, device_span<float> sums,
                         determinism level = determinism::not_guaranteed);

/// Output of cub::DeviceReduce::ReduceByKey for each run of equal keys, with room for all runs.
struct runs {
  device_span<std::uint32_t> keys;
  device_span<float> sums;
  device_span<std::int32_t> count; ///< one number: how many there are
};

/// cub::DeviceReduce::ReduceByKey with cuda::std::plus, in two phases.
void reduce_by_key_async(gpu& place, device_span<std::uint32_t const> keys,
                         device_span<float const> values, runs const& results);

} // namespace warpfold::bench::rival
