// Simulation with normals made where they are used.

#include "monte_carlo_launch.cuh"

namespace warpfold::pricing::gpu_impl {

template <class T>
void simulate_fused(gpu& place, simulation_call<T> const& call, bool may_allocate) {
  if (!call.is_plain()) return simulate_reduced(place, call, may_allocate);
  auto const shape = plain_shape(call);
  auto* const scratch = simulation_scratch(
      place, partials_size<plain_evaluation<T, kinds::both>>(shape), may_allocate);
  launch_plain(place, call, shape, philox_source_of<T>(call.from, call.first), scratch,
               all_of(shape));
}

template <class T>
simulation_tiles tiles_of(simulation_call<T> const& call) {
  auto const shape = plain_shape(call);
  return {shape.tiles, partials_size<plain_evaluation<T, kinds::both>>(shape, true)};
}

template <class T>
void simulate_tiles(gpu& place, simulation_call<T> const& call, std::uint32_t first,
                    std::uint32_t count, void* sums) {
  if (count == 0) return;
  launch_plain(place, call, plain_shape(call), philox_source_of<T>(call.from, call.first), sums,
               launched_part{first, count, true, false});
}

template <class T>
void finish_tiles(gpu& place, simulation_call<T> const& call, void* sums) {
  launch_plain(place, call, plain_shape(call), philox_source_of<T>(call.from, call.first), sums,
               launched_part{0, 0, false, true});
}

#define INSTANTIATE(T)                                                                             \
  template void simulate_fused<T>(gpu&, simulation_call<T> const&, bool);                          \
  template simulation_tiles tiles_of<T>(simulation_call<T> const&);                                \
  template void simulate_tiles<T>(gpu&, simulation_call<T> const&, std::uint32_t, std::uint32_t,   \
                                  void*);                                                          \
  template void finish_tiles<T>(gpu&, simulation_call<T> const&, void*);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing::gpu_impl
