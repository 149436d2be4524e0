// Segments of one length and rows of a matrix, on a gpu.

#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/segments.cuh>

namespace warpfold::segments::gpu_impl {

template <class T, class A, class Op>
void fold_rows(gpu& place, T const* values, detail::segment_rows const& rows, A init, A* results,
               bool may_allocate) {
  detail::fold_rows_of(place, values, rows, init, Op{}, detail::widened<A, identity>{}, results,
                       may_allocate);
}

#define INSTANTIATE(T, A, Op)                                                                      \
  template void fold_rows<T, A, Op>(gpu&, T const*, detail::segment_rows const&, A, A*, bool);
WARPFOLD_FOR_EACH_SEGMENTS(INSTANTIATE)

} // namespace warpfold::segments::gpu_impl
