// The door of other simulations: production's checks, and what the tags refuse.

#include "backend.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/twins/pricing.hpp>

namespace warpfold::inline v0 {

char const* twins::to_string(simulation tag) noexcept {
  switch (tag) {
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
                           european_simulation_options const& options) {
  if (twin != simulation::stored && twin != simulation::vendor && !is_in_blocks(twin))
    detail::refuse("twin", detail::text("simulation number ", static_cast<int>(twin)),
                   "a twins::simulation");
  auto const call = checked_call<T>(book, outputs, options);
  bool const is_varied = options.independent || options.antithetic || options.control_variate ||
                         options.importance || options.sampling != sampling::philox;
  auto const refuse_if = [&](bool wrong, char const* work) {
    if (wrong) detail::refuse("twin", to_string(twin), detail::text("fused, which alone ", work));
  };
  refuse_if(is_varied, "has independent paths and reduces variances");
  refuse_if(options.bits != bits::native, "has portable bits");
  refuse_if(is_batched(options), "works in batches");
  refuse_if(call.greeks(), "computes Greeks");
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
void simulate_async(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                    simulation twin, european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  if (twin == simulation::fused) return simulate_async<T>(place, book, outputs, options);
  auto const call = checked<T>(book, outputs, twin, options);
  if (twin == simulation::vendor)
    detail::refuse("twin", "vendor, which allocates, in an _async form", "other simulations");
  simulate(place, call, twin, false);
}

template <class T>
void simulate(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
              simulation twin, european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  if (twin == simulation::fused) return simulate<T>(place, book, outputs, options);
  simulate(place, checked<T>(book, outputs, twin, options), twin, true);
  place.synchronize();
}

template <class T>
void simulate(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
              simulation twin, european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  if (twin == simulation::fused) return simulate<T>(place, book, outputs, options);
  auto const call = checked<T>(book, outputs, twin, options);
  if (is_in_blocks(twin))
    detail::refuse("twin", detail::text(to_string(twin), " on a host"), "fused, stored or vendor");
  if (call.book.size == 0) return;
  // A core's cache is where the normals are stored in any case.
  if (twin == simulation::stored) dispatch(place, call, true);
  else host_impl::simulate_vendor(place, call);
}

#define INSTANTIATE(T)                                                                             \
  template void simulate_async<T>(gpu&, device_europeans<T> const&, device_estimates const&,       \
                                  simulation, european_simulation_options const&);                 \
  template void simulate<T>(gpu&, device_europeans<T> const&, device_estimates const&, simulation, \
                            european_simulation_options const&);                                   \
  template void simulate<T>(host const&, host_europeans<T> const&, host_estimates const&,          \
                            simulation, european_simulation_options const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace pricing
} // namespace warpfold::inline v0
