#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/fold.cuh>

namespace warpfold::reduction::gpu_impl {

template <class T, class A, class Op, class Transform>
void fold(gpu& place, device_span<T const> values, A init, A* result) {
  detail::fold_array(place, values.data(), values.size(), init, Op{},
                     detail::widened<A, Transform>{}, result);
}

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  template void fold<T, A, Op, Transform>(gpu&, device_span<T const>, A, A*);
WARPFOLD_FOR_EACH_REDUCTION(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
