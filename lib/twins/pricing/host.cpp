// Prices by other formulas on the host's threads, one option after the other.

#include "backend.hpp"
#include "core/host_loops.hpp"
#include "polynomial.hpp"

namespace warpfold::inline v0::pricing::host_impl {
namespace {

/// Options that a thread takes at a time.
constexpr std::size_t turn_options = std::size_t{1} << 14;

template <class T, class Formula>
void price_one_by_one(host const& place, price_call<T> const& call, Formula formula) {
  auto* const* const to = call.outputs.of;
  detail::for_each_turn(place, call.size(), turn_options,
                        [&](std::size_t first, std::size_t count) {
                          for (std::size_t i = first; i < first + count; ++i) {
                            prices<T> const both = formula(call.book[i]);
                            if (to[0]) to[0][i] = both.call;
                            if (to[1]) to[1][i] = both.put;
                          }
                        });
}

} // namespace

template <class T>
void polynomial(host const& place, price_call<T> const& call) {
  price_one_by_one(place, call,
                   [](option<T> const& one) { return detail::polynomial_prices(one); });
}

template <class T>
void vendor(host const& place, price_call<T> const& call) {
  price_one_by_one(place, call, [](option<T> const& one) { return vendor_prices(one); });
}

#define INSTANTIATE(T)                                                                             \
  template void polynomial(host const&, price_call<T> const&);                                     \
  template void vendor(host const&, price_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::host_impl
