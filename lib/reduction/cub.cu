// The vendor twin on the GPU: cub::DeviceReduce.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <cub/device/device_reduce.cuh>

#include <concepts>
#include <limits>

namespace warpfold::reduction::gpu_impl {
namespace {

/// cub::DeviceReduce as its users call it: Sum where there is one. CUB indexes with the type of
/// `size`, so that 32 bits are worth a kernel of their own where speed is compared.
template <class Op, class Transform, class T, class A, class Size>
cudaError_t device_reduce(void* temporary, std::size_t& bytes, T const* values, A* result,
                          Size size, A init, cudaStream_t stream) {
  if constexpr (std::same_as<T, A> && std::same_as<Transform, identity> && std::same_as<Op, plus>)
    if (init == A{0})
      return ::cub::DeviceReduce::Sum(temporary, bytes, values, result, size, stream);
  return ::cub::DeviceReduce::TransformReduce(temporary, bytes, values, result, size, Op{},
                                              detail::widened<A, Transform>{}, init, stream);
}

} // namespace

template <class T, class A, class Op, class Transform>
void cub(gpu& place, device_span<T const> values, A init, A* result, bool may_allocate) {
  auto const run = [&](auto size) {
    detail::call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
      return device_reduce<Op, Transform>(temporary, bytes, values.data(), result, size, init,
                                          place.stream());
    });
  };
  if constexpr (std::same_as<Transform, identity> && std::same_as<Op, plus>)
    if (values.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return run(static_cast<int>(values.size()));
  run(values.size());
}

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  template void cub<T, A, Op, Transform>(gpu&, device_span<T const>, A, A*, bool);
WARPFOLD_FOR_EACH_REDUCTION(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
