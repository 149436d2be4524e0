#include "compaction_backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/compaction.cuh>

namespace warpfold::counting::gpu_impl {

template <class T, class Predicate>
void compact(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
             std::uint64_t* count, bool may_allocate) {
  detail::compact_on(place, values.data(), values.size(), predicate, output.data(), output.size(),
                     count, may_allocate);
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void compact<T, Predicate>(gpu&, device_span<T const>, Predicate, device_span<T>,       \
                                      std::uint64_t*, bool);
WARPFOLD_FOR_EACH_SELECTION(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
