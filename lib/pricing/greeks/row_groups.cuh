#pragma once
// Contracts that pay several results each, on a GPU.

#include "row_backend.hpp"

#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::pricing {

template <class Model, class Group>
void simulate_rows(gpu& place, detail::path_plan const& plan,
                   row_problems<Model, Group> const& problems,
                   std::vector<detail::path_finish> const& finish, estimate* results, bool blocking,
                   path_sharing* sharing, std::size_t taken) {
  detail::simulate_gpu(place, plan, problems, finish, results, finish.size(), blocking, 1 << 20,
                       sharing, taken);
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(Model, ...)                                                                    \
  template void warpfold::pricing::simulate_rows(                                                  \
      warpfold::gpu&, warpfold::detail::path_plan const&,                                          \
      warpfold::pricing::row_problems<warpfold::pricing::Model,                                    \
                                      warpfold::pricing::__VA_ARGS__> const&,                      \
      std::vector<warpfold::detail::path_finish> const&, warpfold::pricing::estimate*, bool,       \
      warpfold::pricing::path_sharing*, std::size_t);
