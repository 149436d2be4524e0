#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/count.cuh>

namespace warpfold::counting::gpu_impl {

template <class T, class Predicate>
void fold(gpu& place, device_span<T const> values, Predicate predicate,
          detail::count_answer const& answer) {
  using tuning = std::conditional_t<sizeof(T) == 4, detail::count_tuning, detail::fold_tuning>;
  detail::launch_count<tuning>(place, values.data(), values.size(), predicate, answer);
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void fold<T, Predicate>(gpu&, device_span<T const>, Predicate,                          \
                                   detail::count_answer const&);
WARPFOLD_FOR_EACH_COUNT(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
