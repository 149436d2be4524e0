// The newer CUB: called with the place's stream and workspace.

#include "rival.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/error.hpp>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/__cccl_config>
#include <cuda/execution>
#include <cuda/memory_resource>
#include <cuda/stream>

#include <cstddef>
#include <limits>
#include <source_location>
#include <string>

// An include path that puts the toolkit's headers first would time another CUB than it says.
static_assert(CCCL_VERSION == WARPFOLD_RIVAL_CCCL, "not the CCCL of WARPFOLD_CCCL");

namespace warpfold::bench::rival {
namespace {

/// A number of elements as CUB gets it.
int int_size(std::size_t elements) {
  if (elements > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    warpfold::detail::refuse("values", warpfold::detail::text(elements, " elements"),
                             "as many as an int holds");
  return static_cast<int>(elements);
}

/// Calls call(scratch, bytes) twice: for the size of the scratch memory, then to do the work.
template <class Call>
void call_in_two_phases(gpu& place, Call call,
                        std::source_location where = std::source_location::current()) {
  device_guard const current{place.device()};
  std::size_t bytes = 0;
  check(call(nullptr, bytes), where);
  check(call(warpfold::detail::gpu_scratch(place).workspace(bytes), bytes), where);
}

} // namespace

/// A memory resource of libcu++ that returns the place's workspace, to one borrower at a time.
/// Named outside: nvcc warns of its parts that CUB does not call.
class borrowed_workspace {
public:
  explicit borrowed_workspace(gpu& place) : place_{&place} {}

  void* allocate(::cuda::stream_ref, std::size_t bytes, std::size_t) {
    return warpfold::detail::gpu_scratch(*place_).workspace(bytes);
  }
  void deallocate(::cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}
  void* allocate_sync(std::size_t bytes, std::size_t) {
    return warpfold::detail::gpu_scratch(*place_).workspace(bytes);
  }
  void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}

  friend bool operator==(borrowed_workspace const&, borrowed_workspace const&) = default;
  friend void get_property(borrowed_workspace const&, ::cuda::mr::device_accessible) noexcept {}

private:
  gpu* place_;
};

namespace {

/// Calls call(environment) with the place's stream and workspace, and a determinism of
/// cuda::execution::determinism.
template <class Determinism, class Call>
void call_with_environment(gpu& place, Determinism level, Call call,
                           std::source_location where = std::source_location::current()) {
  device_guard const current{place.device()};
  namespace execution = ::cuda::std::execution;
  check(call(execution::env{
            ::cuda::execution::require(level), ::cuda::stream_ref{place.stream()},
            execution::prop{::cuda::mr::get_memory_resource, borrowed_workspace(place)}}),
        where);
}

} // namespace

char const* cccl_version() {
  static std::string const text = std::to_string(CCCL_MAJOR_VERSION) + "." +
                                  std::to_string(CCCL_MINOR_VERSION) + "." +
                                  std::to_string(CCCL_PATCH_VERSION);
  return text.c_str();
}

template <class T>
void sum_async(gpu& place, device_span<T const> values, device_span<T> result, determinism level) {
  namespace modes = ::cuda::execution::determinism;
  int const size = int_size(values.size());
  auto const in_environment = [&](auto const& environment) {
    return cub::DeviceReduce::Sum(values.data(), result.data(), size, environment);
  };
  switch (level) {
  case determinism::gpu_to_gpu:
    return call_with_environment(place, modes::gpu_to_gpu, in_environment);
  case determinism::not_guaranteed:
    return call_with_environment(place, modes::not_guaranteed, in_environment);
  case determinism::run_to_run:
    return call_in_two_phases(place, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(scratch, bytes, values.data(), result.data(), size,
                                    place.stream());
    });
  }
  warpfold::detail::refuse("level", static_cast<int>(level), "a determinism");
}

template <class T>
void argmin_async(gpu& place, device_span<T const> values, device_span<extremum<T>> result) {
  extremum<T>* const found = result.data();
  call_in_two_phases(place, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ArgMin(scratch, bytes, values.data(), &found->value, &found->index,
                                     static_cast<std::int64_t>(values.size()), place.stream());
  });
}

#define INSTANTIATE(T)                                                                             \
  template void sum_async(gpu&, device_span<T const>, device_span<T>, determinism);                \
  template void argmin_async(gpu&, device_span<T const>, device_span<extremum<T>>);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(std::int32_t)

void segmented_sum_async(gpu& place, device_span<float const> values, int length,
                         device_span<float> sums) {
  auto const segments = static_cast<std::int64_t>(sums.size());
  call_in_two_phases(place, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(scratch, bytes, values.data(), sums.data(), segments,
                                           length, place.stream());
  });
}

void inclusive_sum_async(gpu& place, device_span<float const> values, device_span<float> sums,
                         determinism level) {
  int const size = int_size(values.size());
  switch (level) {
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
  warpfold::detail::refuse("level", "gpu_to_gpu",
                           "run_to_run or not_guaranteed: CUB has no such scan of floats");
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
