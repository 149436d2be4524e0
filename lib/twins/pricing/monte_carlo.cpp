// The door of other simulations: production's checks, and what the tags refuse.

#include "backend.hpp"
#include "pricing/european/monte_carlo_door.hpp"

#include <warpfold/error.hpp>
#include <warpfold/twins/pricing.hpp>

#include <string>

namespace warpfold::inline v0 {

char const* twins::to_string(simulation of) noexcept {
  switch (of) {
  case simulation::fused: return "fused";
  case simulation::stored: return "stored";
  case simulation::vendor: return "vendor";
  case simulation::block_reduce: return "block_reduce";
  case simulation::blocks_reduce: return "blocks_reduce";
  }
  return "unknown";
}

namespace pricing {
namespace {

using twins::simulation;

bool is_in_blocks(simulation twin) {
  return twin == simulation::block_reduce || twin == simulation::blocks_reduce;
}

template <class T, class Book, class Outputs>
simulation_call<T> checked(Book const& book, Outputs const& outputs, simulation twin,
                           monte_carlo_options const& options) {
  if (twin != simulation::stored && twin != simulation::vendor && !is_in_blocks(twin))
    throw argument_error("twin", "not a simulation");
  auto const call = checked_call<T>(book, outputs, options);
  bool const is_varied = options.independent || options.antithetic || options.control_variate ||
                         options.importance || options.from != sampling::philox;
  auto const refuse_if = [&](bool wrong, char const* reason) {
    if (wrong) throw argument_error("twin", std::string("simulation::") + to_string(twin) + reason);
  };
  refuse_if(is_varied, " neither has independent paths nor reduces variances");
  refuse_if(is_batched(options), " does not work in batches");
  refuse_if(call.greeks(), " computes no Greeks");
  return call;
}

template <class T>
void simulate(gpu& place, simulation_call<T> const& call, simulation twin, bool may_allocate) {
  if (call.book.size == 0) return;
  device_guard const current{place.device()};
  if (twin == simulation::stored) gpu_impl::simulate_stored(place, call, may_allocate);
  else if (twin == simulation::vendor) gpu_impl::simulate_vendor(place, call);
  else gpu_impl::simulate_in_blocks(place, call, twin == simulation::blocks_reduce);
}

} // namespace

template <class T>
void monte_carlo_async(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                       simulation twin, monte_carlo_options const& options) {
  if (twin == simulation::fused) return monte_carlo_async<T>(place, book, outputs, options);
  auto const call = checked<T>(book, outputs, twin, options);
  if (twin == simulation::vendor)
    throw argument_error("twin", "simulation::vendor allocates: not asynchronous");
  simulate(place, call, twin, false);
}

template <class T>
void monte_carlo(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                 simulation twin, monte_carlo_options const& options) {
  if (twin == simulation::fused) return monte_carlo<T>(place, book, outputs, options);
  simulate(place, checked<T>(book, outputs, twin, options), twin, true);
  place.synchronize();
}

template <class T>
void monte_carlo(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
                 simulation twin, monte_carlo_options const& options) {
  if (twin == simulation::fused) return monte_carlo<T>(place, book, outputs, options);
  auto const call = checked<T>(book, outputs, twin, options);
  if (is_in_blocks(twin))
    throw argument_error("twin", std::string("simulation::") + to_string(twin) + " needs a gpu");
  if (call.book.size == 0) return;
  // A core's cache is where the normals are stored in any case.
  if (twin == simulation::stored) host_impl::simulate_fused(place, call);
  else host_impl::simulate_vendor(place, call);
}

#define INSTANTIATE(T)                                                                             \
  template void monte_carlo_async<T>(gpu&, device_europeans<T> const&, device_estimates const&,    \
                                     simulation, monte_carlo_options const&);                      \
  template void monte_carlo<T>(gpu&, device_europeans<T> const&, device_estimates const&,          \
                               simulation, monte_carlo_options const&);                            \
  template void monte_carlo<T>(host const&, host_europeans<T> const&, host_estimates const&,       \
                               simulation, monte_carlo_options const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace pricing
} // namespace warpfold::inline v0
