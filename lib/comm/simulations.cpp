// European options simulated by all ranks: tiles of their paths.

#include "pricing/european/monte_carlo_backend.hpp"
#include "shared_tiles.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <optional>
#include <type_traits>

namespace warpfold::inline v0::pricing {
namespace {

using comm::digest, detail::collective;

template <class T>
digest agreement_of(simulation_call<T> const& call) {
  return digest(sizeof(T), call.book.size, call.samples, call.from.seed, call.from.stream,
                call.quantile, call.replicates, call.independent, call.antithetic, call.control,
                call.importance, call.sobol, call.greeks(), call.how);
}

template <class T, class Place, class Book, class Outputs>
void simulate_shared(communicator<Place>& comm, Book const& book, Outputs const& outputs,
                     european_simulation_options const& options) {
  detail::verb const scope("pricing::simulate");
  collective(comm).guarded([&] {
    auto const call = checked_call<T>(book, outputs, options);
    refuse_batches(options, "on communicators");
    shared_tiles<Place> sharing(comm, agreement_of(call));
    std::optional<device_guard> current;
    if constexpr (std::is_same_v<Place, gpu>) current.emplace(comm.place().device());
    if (call.book.size > 0) dispatch(comm.place(), call, true, &sharing);
    else sharing.share_nothing();
    sharing.settle();
  });
}

} // namespace

template <class T>
void simulate(communicator<gpu>& comm, device_europeans<T> const& book,
              device_estimates const& outputs, european_simulation_options const& options) {
  simulate_shared<T>(comm, book, outputs, options);
}
template <class T>
void simulate(communicator<host>& comm, host_europeans<T> const& book,
              host_estimates const& outputs, european_simulation_options const& options) {
  simulate_shared<T>(comm, book, outputs, options);
}

#define INSTANTIATE_ON(Place, T, device_or_host)                                                   \
  template void simulate<T>(communicator<Place>&, device_or_host##_europeans<T> const&,            \
                            device_or_host##_estimates const&,                                     \
                            european_simulation_options const&);
#define INSTANTIATE(T)                                                                             \
  INSTANTIATE_ON(gpu, T, device)                                                                   \
  INSTANTIATE_ON(host, T, host)
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
