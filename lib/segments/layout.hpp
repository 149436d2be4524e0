#pragma once
// Segments in one layout.

#include "instances.hpp"
#include "reduction/door.hpp"

#ifndef __CUDACC__
#include <warpfold/detail/segments/segments_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class A, class Op, class Layout>
void segments_to(door_place& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, bool blocking) {
  fold_segments_of(place, values, size, layout, init, Op{}, widened<A, identity>{}, results,
                   blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE_LAYOUT(T, A, Op, Layout)                                                       \
  namespace warpfold::inline v0::detail {                                                          \
  template void segments_to<T, A, Op>(door_place&, T const*, std::size_t, Layout const&, A, A*,    \
                                      bool);                                                       \
  }
