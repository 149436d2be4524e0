#pragma once
// Segments on a host.

#include "instances.hpp"

#include <warpfold/detail/segments/segments_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op, class Layout>
void segments_to(host const& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, bool blocking) {
  fold_segments_of(place, values, size, layout, init, Op{}, widened<A, identity>{}, results,
                   blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE_LAYOUT(T, A, Op, Layout)                                                       \
  template void segments_to<T, A, Op>(host const&, T const*, std::size_t, Layout const&, A, A*,    \
                                      bool);
#define INSTANTIATE(T, A, Op)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  INSTANTIATE_LAYOUT(T, A, Op, segment_offsets)                                                    \
  INSTANTIATE_LAYOUT(T, A, Op, segment_rows)                                                       \
  INSTANTIATE_LAYOUT(T, A, Op, segment_columns)                                                    \
  }
