#pragma once
// Segments, rows and columns on a host.

#include "instances.hpp"

#include <warpfold/detail/segments/segments_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op>
void segments_to(host const& place, T const* values, std::size_t, segment_offsets const& offsets,
                 A init, A* results, bool) {
  fold_segments_of(place, values, offsets, init, Op{}, widened<A, identity>{}, results);
}

template <class T, class A, class Op>
void rows_to(host const& place, T const* values, segment_rows const& rows, A init, A* results,
             bool) {
  fold_rows_of(place, values, rows, init, Op{}, widened<A, identity>{}, results);
}

template <class T, class A, class Op>
void columns_to(host const& place, T const* values, matrix_shape const& shape, A init, A* results,
                bool) {
  auto const all = rows_of(shape);
  fold_columns_of(place, values, all.count, all.length, all.pitch, init, Op{},
                  widened<A, identity>{}, results);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  template void segments_to<T, A, Op>(host const&, T const*, std::size_t, segment_offsets const&,  \
                                      A, A*, bool);                                                \
  template void rows_to<T, A, Op>(host const&, T const*, segment_rows const&, A, A*, bool);        \
  template void columns_to<T, A, Op>(host const&, T const*, matrix_shape const&, A, A*, bool);     \
  }
