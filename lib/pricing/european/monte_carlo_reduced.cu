// Simulation with reduced variances, and Greeks.

#include "european_evaluations.hpp"
#include "monte_carlo_launch.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

/// Calls use(evaluation, source) of a call.
template <class T, class Use>
void with_kind_of(simulation_call<T> const& call, Use use) {
  path_variation const how{call.antithetic, call.importance};
  auto const with_source = [&](auto evaluation) {
    if (call.sobol) use(evaluation, sobol_source<T>{call.from});
    else use(evaluation, philox_source_of<T>(call.from, call.first));
  };
  if (call.greeks()) with_source(greeks_evaluation<T>{how});
  else with_source(reduced_evaluation<T>{how, call.control});
}

template <class T>
simulation_shape reduced_shape(simulation_call<T> const& call) {
  return simulation_shape_of(static_cast<std::uint32_t>(call.book.size), call.samples,
                             call.replicates, call.independent, 1);
}

} // namespace

template <class T>
void simulate_reduced(gpu& place, simulation_call<T> const& call, bool may_allocate) {
  auto const shape = reduced_shape(call);
  with_kind_of(call, [&]<class Evaluation>(Evaluation const& evaluation, auto const& source) {
    auto const scratch = scratch_for_sums<Evaluation>(place, shape, may_allocate);
    launch_simulation<T, 1>(place, call, shape, evaluation, source, scratch, all_of(shape));
  });
}

template <class T>
void simulate_reduced_shared(gpu& place, simulation_call<T> const& call, tile_sharing& sharing) {
  auto const shape = reduced_shape(call);
  with_kind_of(call, [&]<class Evaluation>(Evaluation const& evaluation, auto const& source) {
    launch_shared<Evaluation>(
        place, shape, sharing, [&](sums_memory const& sums, launched_part part) {
          launch_simulation<T, 1>(place, call, shape, evaluation, source, sums, part);
        });
  });
}

#define INSTANTIATE(T)                                                                             \
  template void simulate_reduced<T>(gpu&, simulation_call<T> const&, bool);                        \
  template void simulate_reduced_shared<T>(gpu&, simulation_call<T> const&, tile_sharing&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
