#pragma once
// Reductions.

#include "door.hpp"
#include "instances.hpp"

#ifndef __CUDACC__
#include <warpfold/detail/reduction/fold_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class A, class Op, class Transform>
void reduce_to(door_place& place, door_span<T const> values, A init, A* result,
               std::uint64_t const* count) {
  check_elements("values", values.data(), values.size());
  check_count_apart(count, result, sizeof(A), "result");
  fold_array(place, values.data(), counted_size(values.size(), count), init, Op{},
             widened<A, Transform>{}, result);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void reduce_to<T, A, Op, Transform>(door_place&, door_span<T const>, A, A*,             \
                                               std::uint64_t const*);                              \
  }
