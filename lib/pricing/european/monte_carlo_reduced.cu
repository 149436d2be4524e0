// Simulation with reduced variances, and Greeks.

#include "monte_carlo_launch.cuh"

namespace warpfold::inline v0::pricing {

#define INSTANTIATE(T)                                                                             \
  template void simulate_evaluation(gpu&, simulation_call<T> const&, reduced_evaluation<T> const&, \
                                    bool, tile_sharing*);                                          \
  template void simulate_evaluation(gpu&, simulation_call<T> const&, greeks_evaluation<T> const&,  \
                                    bool, tile_sharing*);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
