#pragma once
// Segments of one length and rows of a matrix, on a GPU.

#include "instances.hpp"

#include <warpfold/detail/segments/segments.cuh>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op>
void rows_to(gpu& place, T const* values, segment_rows const& rows, A init, A* results,
             bool blocking) {
  fold_rows_of(place, values, rows, init, Op{}, widened<A, identity>{}, results, blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  template void rows_to<T, A, Op>(gpu&, T const*, segment_rows const&, A, A*, bool);               \
  }
