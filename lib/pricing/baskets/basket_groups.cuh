#pragma once
// Contracts on correlated assets, on a GPU.

#include "basket_backend.hpp"

#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::pricing {

template <class T, int capacity>
void simulate_baskets(gpu& place, detail::path_plan const& plan,
                      basket_problems<T, capacity> const& problems,
                      std::vector<detail::path_finish> const& finish, estimate* results,
                      bool blocking, path_sharing* sharing) {
  detail::simulate_gpu(place, plan, problems, finish, results, finish.size(), blocking, 1 << 20,
                       sharing);
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(T, capacity)                                                                   \
  template void warpfold::pricing::simulate_baskets(                                               \
      warpfold::gpu&, warpfold::detail::path_plan const&,                                          \
      warpfold::pricing::basket_problems<T, capacity> const&,                                      \
      std::vector<warpfold::detail::path_finish> const&, warpfold::pricing::estimate*, bool,       \
      warpfold::pricing::path_sharing*);
