// Pricing by simulation on all ranks.

#include "pricing/european/monte_carlo_backend.hpp"
#include "pricing/european/monte_carlo_door.hpp"
#include "shared_tiles.hpp"

#include <warpfold/comm/pricing.hpp>

namespace warpfold::inline v0::pricing {
namespace {

/// What all ranks have to agree on.
struct agreement {
  std::uint64_t options, samples, seed, stream;
  double quantile;
  std::uint32_t replicates, flags; ///< no padding: compared as bytes
};

template <class T>
agreement agreement_of(simulation_call<T> const& call) {
  std::uint32_t flags = sizeof(T);
  for (bool const flag : {call.independent, call.antithetic, call.control, call.importance,
                          call.sobol, call.greeks()})
    flags = 2 * flags + flag;
  return {call.book.size, call.samples,    call.from.seed, call.from.stream,
          call.quantile,  call.replicates, flags};
}

template <class T, class Place, class Book, class Outputs, class Simulate>
void simulate_over(communicator<Place>& over, Book const& book, Outputs const& outputs,
                   monte_carlo_options const& options, Simulate simulate) {
  over.guarded([&] {
    auto const call = checked_call<T>(book, outputs, options);
    if (is_batched(options))
      throw argument_error("options.standard_error", "ranks do not simulate in batches");
    comm::shared_tiles<Place, agreement> sharing(over, agreement_of(call));
    if (call.book.size > 0) simulate(call, sharing);
    else sharing.share_nothing();
    over.wait();
    sharing.check_agreement();
  });
}

} // namespace

template <class T>
void monte_carlo(communicator<gpu>& over, device_europeans<T> const& book,
                 device_estimates const& outputs, monte_carlo_options const& options) {
  simulate_over<T>(over, book, outputs, options, [&](auto const& call, auto& sharing) {
    device_guard const current{over.place().device()};
    gpu_impl::simulate_shared(over.place(), call, sharing);
  });
}

template <class T>
void monte_carlo(communicator<host>& over, host_europeans<T> const& book,
                 host_estimates const& outputs, monte_carlo_options const& options) {
  simulate_over<T>(over, book, outputs, options, [&](auto const& call, auto& sharing) {
    host_impl::simulate_fused(over.place(), call, &sharing);
  });
}

#define INSTANTIATE(T)                                                                             \
  template void monte_carlo<T>(communicator<gpu>&, device_europeans<T> const&,                     \
                               device_estimates const&, monte_carlo_options const&);               \
  template void monte_carlo<T>(communicator<host>&, host_europeans<T> const&,                      \
                               host_estimates const&, monte_carlo_options const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
