// The vendor twin on the GPU: thrust::count_if.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <thrust/count.h>

#include <cstdint>

namespace warpfold::counting::gpu_impl {

template <class T, class Predicate>
void thrust(gpu& place, device_span<T const> values, Predicate predicate,
            detail::count_answer const& answer) {
  answer(static_cast<std::uint64_t>(detail::call_thrust(place, [&](auto const& policy) {
    return ::thrust::count_if(policy, values.data(), values.data() + values.size(), predicate);
  })));
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void thrust<T, Predicate>(gpu&, device_span<T const>, Predicate,                        \
                                     detail::count_answer const&);
WARPFOLD_FOR_EACH_COUNT(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
