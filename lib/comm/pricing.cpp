// Books in host memory, of which each rank prices a part.

#include "pricing/book_calls.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <cstdint>

namespace warpfold::inline v0::pricing {

namespace {

using detail::collective;

/// The rank's part; returns when all ranks have done theirs.
template <class Place, class Call>
void run_part(communicator<Place>& comm, Call const& call, std::uint64_t element,
              std::uint64_t outputs) {
  auto const own = rank_part(call.size(), comm.rank(), comm.size());
  run(comm.place(), call.part(own.first, own.count));
  collective(comm).agree({element, own.count, {call.size(), outputs}});
}

} // namespace

template <class T, class Place>
void price(communicator<Place>& comm, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options) {
  detail::verb const scope("pricing::price");
  collective(comm).guarded([&] {
    auto const call = checked_call<T>(book, outputs, options);
    auto wanted = static_cast<std::uint64_t>(call.how);
    for (T const* const array : call.outputs.of) wanted = 2 * wanted + (array ? 1 : 0);
    run_part(comm, call, sizeof(T), wanted);
  });
}

template <class T, class Place>
void implied_volatility(communicator<Place>& comm, host_quotes<T> const& quotes,
                        std::type_identity_t<host_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility");
  collective(comm).guarded([&] {
    auto const call = checked_call<T>(quotes, outputs);
    run_part(comm, call, sizeof(T), call.to.status ? 2 : 1);
  });
}

#define INSTANTIATE_ON(Place, T)                                                                   \
  template void price<T>(communicator<Place>&, host_book<T> const&, host_outputs<T> const&,        \
                         price_options const&);                                                    \
  template void implied_volatility<T>(communicator<Place>&, host_quotes<T> const&,                 \
                                      host_implied_outputs<T> const&);
#define INSTANTIATE(T)                                                                             \
  INSTANTIATE_ON(gpu, T)                                                                           \
  INSTANTIATE_ON(host, T)
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
