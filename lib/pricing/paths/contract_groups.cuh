#pragma once
// Contracts on paths, on a GPU.

#include "contract_backend.hpp"

#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::pricing {

template <class Model>
void simulate_contracts(gpu& place, detail::path_plan const& plan,
                        contract_problems<Model> const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results,
                        bool blocking, path_sharing* sharing) {
  detail::simulate_gpu(place, plan, problems, finish, results, finish.size(), blocking, 1 << 20,
                       sharing);
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(Model)                                                                         \
  template void warpfold::pricing::simulate_contracts(                                             \
      warpfold::gpu&, warpfold::detail::path_plan const&,                                          \
      warpfold::pricing::contract_problems<warpfold::pricing::Model> const&,                       \
      std::vector<warpfold::detail::path_finish> const&, warpfold::pricing::estimate*, bool,       \
      warpfold::pricing::path_sharing*);
