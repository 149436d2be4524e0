#pragma once
// Dot products on a GPU.

#include "instances.hpp"
#include "reduction/checks.hpp"

#include <warpfold/detail/reduction/fold.cuh>
#include <warpfold/detail/reduction/pair_reader.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

template <class T, class A>
void dot_to(gpu& place, device_span<T const> x, device_span<T const> y, A* result) {
  check_pair(x.data(), x.size(), y.data(), y.size());
  using tuning = pair_tuning<sizeof(T) == 4 && sizeof(A) == 4 ? 4 : 2>;
  fold_shape const shape = fold_shape_of<T>(x.size(), sizeof(A));
  auto const run = [&]<class Reader>(Reader from_x, Reader from_y) {
    launch_fold<tuning>(place, pair_reader<Reader, widened_product<A>>{from_x, from_y, {}}, shape,
                        A{}, plus{}, result);
  };
  auto const is_aligned = [](T const* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  if (is_aligned(x.data()) && is_aligned(y.data()))
    run(packed_reader<T, identity>{x.data(), {}}, packed_reader<T, identity>{y.data(), {}});
  else
    run(element_reader<T const*, identity>{x.data(), {}},
        element_reader<T const*, identity>{y.data(), {}});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void dot_to<T, A>(gpu&, device_span<T const>, device_span<T const>, A*);                \
  }
