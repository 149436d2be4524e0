// Simulation with reduced variances, and Greeks.

#include "european_evaluations.hpp"
#include "monte_carlo_launch.cuh"

namespace warpfold::inline v0::pricing {
namespace {

template <class T, class Evaluation>
void simulate_evaluation(gpu& place, simulation_call<T> const& call, Evaluation const& evaluation,
                         bool may_allocate, tile_sharing* sharing) {
  auto const shape = simulation_shape_of(static_cast<std::uint32_t>(call.book.size), call.samples,
                                         call.replicates, call.independent, 1);
  auto const simulate_from = [&](auto const& source) {
    gpu_impl::launch_tiles<Evaluation>(
        place, shape, may_allocate, sharing,
        [&](gpu_impl::sums_memory const& sums, gpu_impl::launched_part part) {
          gpu_impl::launch_simulation<T, 1>(place, call, shape, evaluation, source, sums, part);
        });
  };
  if (call.sobol) simulate_from(sobol_source<T>{call.from});
  else simulate_from(philox_source_of<T>(call.from, call.first));
}

} // namespace

template <class T>
void simulate_reduced(gpu& place, simulation_call<T> const& call, bool may_allocate,
                      tile_sharing* sharing) {
  reduced_evaluation<T> const evaluation{{call.antithetic, call.importance}, call.control};
  simulate_evaluation(place, call, evaluation, may_allocate, sharing);
}

template <class T>
void simulate_greeks(gpu& place, simulation_call<T> const& call, bool may_allocate,
                     tile_sharing* sharing) {
  greeks_evaluation<T> const evaluation{{call.antithetic, call.importance}};
  simulate_evaluation(place, call, evaluation, may_allocate, sharing);
}

#define INSTANTIATE(T)                                                                             \
  template void simulate_reduced<T>(gpu&, simulation_call<T> const&, bool, tile_sharing*);         \
  template void simulate_greeks<T>(gpu&, simulation_call<T> const&, bool, tile_sharing*);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
