#pragma once
// Dot products on a GPU.

#include "instances.hpp"
#include "reduction/checks.hpp"

#include <warpfold/detail/reduction/fold.cuh>
#include <warpfold/detail/reduction/pair_reader.hpp>

namespace warpfold::inline v0::detail {

template <class T, class A>
void dot_to(gpu& place, device_span<T const> x, device_span<T const> y, A* result) {
  check_pair(x.data(), x.size(), y.data(), y.size());
  using tuning = pair_tuning<sizeof(T) == 4 && sizeof(A) == 4 ? 4 : 2>;
  fold_shape const shape = fold_shape_of<T>(x.size(), sizeof(A));
  with_pair_reader<identity, widened_product<A>>(x.data(), y.data(), [&](auto reader) {
    launch_fold<tuning>(place, reader, shape, A{}, plus{}, result);
  });
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void dot_to<T, A>(gpu&, device_span<T const>, device_span<T const>, A*);                \
  }
