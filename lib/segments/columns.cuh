#pragma once
// Columns of a matrix, on a GPU.

#include "instances.hpp"

#include <warpfold/detail/segments/segments.cuh>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op>
void columns_to(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                bool blocking) {
  auto const all = rows_of(shape);
  fold_columns_of(place, values, all.count, all.length, all.pitch, init, Op{},
                  widened<A, identity>{}, results, blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  template void columns_to<T, A, Op>(gpu&, T const*, matrix_shape const&, A, A*, bool);            \
  }
