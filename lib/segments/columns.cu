// Columns of a matrix, on a gpu.

#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/segments.cuh>

namespace warpfold::segments::gpu_impl {

template <class T, class A, class Op>
void fold_columns(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                  bool may_allocate) {
  auto const all = detail::rows_of(shape);
  detail::fold_columns_of(place, values, all.count, all.length, all.pitch, init, Op{},
                          detail::widened<A, identity>{}, results, may_allocate);
}

#define INSTANTIATE(T, A, Op)                                                                      \
  template void fold_columns<T, A, Op>(gpu&, T const*, matrix_shape const&, A, A*, bool);
WARPFOLD_FOR_EACH_SEGMENTS(INSTANTIATE)

} // namespace warpfold::segments::gpu_impl
