#pragma once
// Contracts with pathwise derivatives, on a GPU.

#include "pathwise_backend.hpp"

#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::pricing {

template <class T, bool averages>
void simulate_pathwise(gpu& place, detail::path_plan const& plan,
                       pathwise_problems<T, averages> const& problems,
                       std::vector<detail::path_finish> const& finish, estimate* results,
                       bool blocking, path_sharing* sharing, std::size_t taken) {
  detail::simulate_gpu(place, plan, problems, finish, results, finish.size(), blocking, 1 << 20,
                       sharing, taken);
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(T, averages)                                                                   \
  template void warpfold::pricing::simulate_pathwise(                                              \
      warpfold::gpu&, warpfold::detail::path_plan const&,                                          \
      warpfold::pricing::pathwise_problems<T, averages> const&,                                    \
      std::vector<warpfold::detail::path_finish> const&, warpfold::pricing::estimate*, bool,       \
      warpfold::pricing::path_sharing*, std::size_t);
