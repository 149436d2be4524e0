#include "compaction_backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/compaction.cuh>

namespace warpfold::counting::gpu_impl {

template <class T, class Predicate>
void compact(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
             std::uint64_t* count, bool may_allocate) {
  if (may_allocate) place.reserve(detail::compaction_workspace<T>(values.size()));
  detail::launch_compact(place, values.data(), values.size(), predicate, output.data(),
                         output.size(), count);
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void compact<T, Predicate>(gpu&, device_span<T const>, Predicate, device_span<T>,       \
                                      std::uint64_t*, bool);
WARPFOLD_FOR_EACH_SELECTION(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
