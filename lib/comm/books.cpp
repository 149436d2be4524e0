// Books in host memory, of which every rank prices a part.

#include "pricing/book_calls.hpp"

#include <warpfold/comm/pricing.hpp>

namespace warpfold::inline v0::pricing {
namespace {

using detail::collective_verb;

/// The rank's part; returns when all ranks have done theirs.
template <class Place, class Call>
void run_part(communicator<Place>& over, Call const& call, collective_verb verb,
              std::uint32_t element, std::uint64_t outputs) {
  auto const own = part_of(call.size(), over.rank(), over.size());
  run(over.place(), call.part(own.first, own.count));
  over.agree({verb, element, own.count, {call.size(), outputs}});
}

template <class T, class Place>
void price_parts(communicator<Place>& over, host_book<T> const& book,
                 host_outputs<T> const& outputs) {
  over.guarded([&] {
    auto const call = checked_call<T>(book, outputs);
    std::uint64_t wanted = 0;
    for (T const* const array : call.outputs.of) wanted = 2 * wanted + (array ? 1 : 0);
    run_part(over, call, collective_verb::price, sizeof(T), wanted);
  });
}

template <class T, class Place>
void imply_parts(communicator<Place>& over, host_quotes<T> const& book, std::span<T> volatility,
                 std::span<implied_status> status) {
  over.guarded([&] {
    auto const call = checked_call<T>(book, volatility, status);
    run_part(over, call, collective_verb::implied_volatility, sizeof(T), call.to.status ? 2 : 1);
  });
}

} // namespace

#define DEFINE_ON(Place)                                                                           \
  template <class T>                                                                               \
  void price(communicator<Place>& over, host_book<T> const& book,                                  \
             std::type_identity_t<host_outputs<T>> const& outputs) {                               \
    price_parts<T>(over, book, outputs);                                                           \
  }                                                                                                \
  template <class T>                                                                               \
  void implied_volatility(communicator<Place>& over, host_quotes<T> const& book,                   \
                          std::type_identity_t<std::span<T>> volatility,                           \
                          std::span<implied_status> status) {                                      \
    imply_parts<T>(over, book, volatility, status);                                                \
  }
DEFINE_ON(gpu)
DEFINE_ON(host)

#define INSTANTIATE_ON(Place, T)                                                                   \
  template void price<T>(communicator<Place>&, host_book<T> const&, host_outputs<T> const&);       \
  template void implied_volatility<T>(communicator<Place>&, host_quotes<T> const&, std::span<T>,   \
                                      std::span<implied_status>);
#define INSTANTIATE(T)                                                                             \
  INSTANTIATE_ON(gpu, T)                                                                           \
  INSTANTIATE_ON(host, T)
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
