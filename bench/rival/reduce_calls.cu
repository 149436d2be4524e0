// Sums and positions of minima.

#include "calls.cuh"

namespace warpfold::bench::rival {

char const* cccl_version() {
  static std::string const text = std::to_string(CCCL_MAJOR_VERSION) + "." +
                                  std::to_string(CCCL_MINOR_VERSION) + "." +
                                  std::to_string(CCCL_PATCH_VERSION);
  return text.c_str();
}

template <class T>
void sum_async(gpu& place, device_span<T const> values, device_span<T> result, determinism how) {
  namespace modes = ::cuda::execution::determinism;
  int const size = int_size(values.size());
  auto const in_environment = [&](auto const& environment) {
    return cub::DeviceReduce::Sum(values.data(), result.data(), size, environment);
  };
  switch (how) {
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
  throw argument_error("how", "no determinism");
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

} // namespace warpfold::bench::rival
