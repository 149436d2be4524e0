// The vendor twin of compaction on the GPU: cub::DeviceSelect::If.

#include "../core/vendor_call.cuh"
#include "compaction_backend.hpp"
#include "instances.hpp"

#include <cub/device/device_select.cuh>

#include <cstdint>

namespace warpfold::counting::gpu_impl {

template <class T, class Predicate>
void cub_select(gpu& place, device_span<T const> values, Predicate predicate, T* output,
                std::uint64_t* count, bool may_allocate) {
  detail::call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceSelect::If(temporary, bytes, values.data(), output, count,
                                   static_cast<std::int64_t>(values.size()), predicate,
                                   place.stream());
  });
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void cub_select<T, Predicate>(gpu&, device_span<T const>, Predicate, T*,                \
                                         std::uint64_t*, bool);
WARPFOLD_FOR_EACH_SELECTION(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
