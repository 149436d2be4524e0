// The segmented reductions on the host.

#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/segments_host.hpp>

namespace warpfold::segments::host_impl {

template <class T, class A, class Op>
void fold(host const& place, T const* values, detail::segment_offsets const& offsets, A init,
          A* results) {
  detail::fold_segments_of(place, values, offsets, init, Op{}, detail::widened<A, identity>{},
                           results);
}

template <class T, class A, class Op>
void fold_rows(host const& place, T const* values, detail::segment_rows const& rows, A init,
               A* results) {
  detail::fold_rows_of(place, values, rows, init, Op{}, detail::widened<A, identity>{}, results);
}

template <class T, class A, class Op>
void fold_columns(host const& place, T const* values, matrix_shape const& shape, A init,
                  A* results) {
  auto const all = detail::rows_of(shape);
  detail::fold_columns_of(place, values, all.count, all.length, all.pitch, init, Op{},
                          detail::widened<A, identity>{}, results);
}

#define INSTANTIATE(T, A, Op)                                                                      \
  template void fold<T, A, Op>(host const&, T const*, detail::segment_offsets const&, A, A*);      \
  template void fold_rows<T, A, Op>(host const&, T const*, detail::segment_rows const&, A, A*);    \
  template void fold_columns<T, A, Op>(host const&, T const*, matrix_shape const&, A, A*);
WARPFOLD_FOR_EACH_SEGMENTS(INSTANTIATE)

} // namespace warpfold::segments::host_impl
