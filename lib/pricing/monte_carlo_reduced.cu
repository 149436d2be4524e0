// Simulation with reduced variances, and Greeks.

#include "european_evaluations.hpp"
#include "monte_carlo_launch.cuh"

namespace warpfold::pricing::gpu_impl {
namespace {

template <class T, class Evaluation, class Source>
void simulate_with(gpu& place, simulation_call<T> const& call, Evaluation evaluation, Source source,
                   bool may_allocate) {
  auto const shape = simulation_shape_of(static_cast<std::uint32_t>(call.book.size), call.samples,
                                         call.replicates, call.independent, 1);
  auto* const scratch = simulation_scratch(place, partials_size<Evaluation>(shape), may_allocate);
  launch_simulation<T, 1>(place, call, shape, evaluation, source, scratch, all_of(shape));
}

template <class T, class Evaluation>
void simulate_with(gpu& place, simulation_call<T> const& call, Evaluation evaluation,
                   bool may_allocate) {
  if (call.sobol) simulate_with(place, call, evaluation, sobol_source<T>{call.from}, may_allocate);
  else
    simulate_with(place, call, evaluation, philox_source_of<T>(call.from, call.first),
                  may_allocate);
}

} // namespace

template <class T>
void simulate_reduced(gpu& place, simulation_call<T> const& call, bool may_allocate) {
  path_variation const how{call.antithetic, call.importance};
  if (call.greeks()) simulate_with(place, call, greeks_evaluation<T>{how}, may_allocate);
  else simulate_with(place, call, reduced_evaluation<T>{how, call.control}, may_allocate);
}

#define INSTANTIATE(T) template void simulate_reduced<T>(gpu&, simulation_call<T> const&, bool);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing::gpu_impl
