#pragma once
// Segments between offsets, on a GPU.

#include "instances.hpp"

#include <warpfold/detail/segments/segments.cuh>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op>
void segments_to(gpu& place, T const* values, std::size_t size, segment_offsets const& offsets,
                 A init, A* results, bool blocking) {
  fold_segments_of(place, values, size, offsets, init, Op{}, widened<A, identity>{}, results,
                   blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  template void segments_to<T, A, Op>(gpu&, T const*, std::size_t, segment_offsets const&, A, A*,  \
                                      bool);                                                       \
  }
