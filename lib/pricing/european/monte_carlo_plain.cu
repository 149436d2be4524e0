// Simulation of payoffs alone, with normals made where they are used.

#include "monte_carlo_launch.cuh"

namespace warpfold::inline v0::pricing {

template <class T>
void simulate_plain(gpu& place, simulation_call<T> const& call, bool may_allocate,
                    tile_sharing* sharing) {
  auto const shape = gpu_impl::plain_shape(call);
  auto const source = philox_source_of<T>(call.from, call.first);
  gpu_impl::launch_tiles<plain_evaluation<T, kinds::both>>(
      place, shape, may_allocate, sharing,
      [&](gpu_impl::sums_memory const& sums, gpu_impl::launched_part part) {
        gpu_impl::launch_plain(place, call, shape, source, sums, part);
      });
}

#define INSTANTIATE(T)                                                                             \
  template void simulate_plain<T>(gpu&, simulation_call<T> const&, bool, tile_sharing*);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
