#pragma once
// Early exercise on a GPU.

#include "basket_rights.hpp"

#include <warpfold/detail/pricing/exercise/exercise.cuh>

namespace warpfold::inline v0::pricing {

template <class Exercise>
void simulate_exercise(gpu& place, detail::path_plan const& plan, Exercise const& all,
                       exercise_estimate* results, bool blocking, path_sharing* sharing) {
  detail::exercise_gpu(place, plan, all, results, blocking, 1 << 20, sharing);
}

} // namespace warpfold::inline v0::pricing

#define INSTANTIATE(Exercise)                                                                      \
  template void warpfold::pricing::simulate_exercise(                                              \
      warpfold::gpu&, warpfold::detail::path_plan const&, warpfold::pricing::Exercise const&,      \
      warpfold::pricing::exercise_estimate*, bool, warpfold::pricing::path_sharing*);
