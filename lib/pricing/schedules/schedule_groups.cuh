#pragma once
// Products with a schedule, on a GPU.

#include "schedule_backend.hpp"

#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::pricing {

template <class Problems>
void simulate_schedules(gpu& place, detail::path_plan const& plan, Problems const& problems,
                        std::vector<detail::path_finish> const& finish, estimate* results,
                        bool blocking, path_sharing* sharing) {
  detail::simulate_gpu(place, plan, problems, finish, results, finish.size(), blocking, 1 << 20,
                       sharing);
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(...)                                                                           \
  template void warpfold::pricing::simulate_schedules(                                             \
      warpfold::gpu&, warpfold::detail::path_plan const&, warpfold::pricing::__VA_ARGS__ const&,   \
      std::vector<warpfold::detail::path_finish> const&, warpfold::pricing::estimate*, bool,       \
      warpfold::pricing::path_sharing*);
