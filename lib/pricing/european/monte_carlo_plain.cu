// Simulation of payoffs alone.

#include "monte_carlo_launch.cuh"

namespace warpfold::inline v0::pricing {

#define INSTANTIATE(T)                                                                             \
  template void simulate_evaluation(gpu&, simulation_call<T> const&,                               \
                                    plain_evaluation<T, kinds::both> const&, bool, tile_sharing*);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
