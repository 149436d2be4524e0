#pragma once
// Segments on a GPU.

#include "instances.hpp"

#include <warpfold/detail/segments/segments.cuh>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op, class Layout>
void segments_to(gpu& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, bool blocking) {
  fold_segments_of(place, values, size, layout, init, Op{}, widened<A, identity>{}, results,
                   blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE_LAYOUT(T, A, Op, Layout)                                                       \
  namespace warpfold::inline v0::detail {                                                          \
  template void segments_to<T, A, Op>(gpu&, T const*, std::size_t, Layout const&, A, A*, bool);    \
  }
