// Simulation with normals made where they are used.

#include "monte_carlo_launch.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {

template <class T>
void simulate_fused(gpu& place, simulation_call<T> const& call, bool may_allocate) {
  if (!call.is_plain()) return simulate_reduced(place, call, may_allocate);
  auto const shape = plain_shape(call);
  auto const partials =
      scratch_for_sums<plain_evaluation<T, kinds::both>>(place, shape, may_allocate);
  launch_plain(place, call, shape, philox_source_of<T>(call.from, call.first), partials,
               all_of(shape));
}

template <class T>
void simulate_shared(gpu& place, simulation_call<T> const& call, tile_sharing& sharing) {
  if (!call.is_plain()) return simulate_reduced_shared(place, call, sharing);
  auto const shape = plain_shape(call);
  launch_shared<plain_evaluation<T, kinds::both>>(
      place, shape, sharing, [&](sums_memory const& sums, launched_part part) {
        launch_plain(place, call, shape, philox_source_of<T>(call.from, call.first), sums, part);
      });
}

#define INSTANTIATE(T)                                                                             \
  template void simulate_fused<T>(gpu&, simulation_call<T> const&, bool);                          \
  template void simulate_shared<T>(gpu&, simulation_call<T> const&, tile_sharing&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
