// Segments between offsets, on a gpu.

#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/segments.cuh>

namespace warpfold::segments::gpu_impl {

template <class T, class A, class Op>
void fold(gpu& place, T const* values, std::size_t size, detail::segment_offsets const& offsets,
          A init, A* results, bool may_allocate) {
  detail::fold_segments_of(place, values, size, offsets, init, Op{}, detail::widened<A, identity>{},
                           results, may_allocate);
}

#define INSTANTIATE(T, A, Op)                                                                      \
  template void fold<T, A, Op>(gpu&, T const*, std::size_t, detail::segment_offsets const&, A, A*, \
                               bool);
WARPFOLD_FOR_EACH_SEGMENTS(INSTANTIATE)

} // namespace warpfold::segments::gpu_impl
