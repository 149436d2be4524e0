// The vendor twin on the GPU: cub::DeviceReduce::TransformReduce.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/output.hpp>

#include <cub/device/device_reduce.cuh>

#include <cstdint>

namespace warpfold::counting::gpu_impl {
template <class T, class Predicate>
void cub(gpu& place, device_span<T const> values, Predicate predicate,
         detail::count_answer const& answer, bool may_allocate) {
  detail::storing<detail::count_answer> const output{answer};
  detail::call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(
        temporary, bytes, values.data(), output, values.size(), plus{},
        detail::one_if<Predicate, std::uint64_t>{predicate}, std::uint64_t{0}, place.stream());
  });
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void cub<T, Predicate>(gpu&, device_span<T const>, Predicate,                           \
                                  detail::count_answer const&, bool);
WARPFOLD_FOR_EACH_COUNT(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
