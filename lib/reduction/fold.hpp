#pragma once
// Reductions on a host.

#include "instances.hpp"

#include <warpfold/detail/reduction/fold_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op, class Transform>
void reduce_to(host const& place, std::span<T const> values, A init, A* result) {
  check_elements("values", values.data(), values.size());
  *result =
      fold_host(place.threads(), values.data(), values.size(), init, Op{}, widened<A, Transform>{});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void reduce_to<T, A, Op, Transform>(host const&, std::span<T const>, A, A*);            \
  }
