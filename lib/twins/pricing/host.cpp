// Prices by other formulas on the host's threads, one option after the other.

#include "backend.hpp"
#include "core/host_loops.hpp"
#include "polynomial.hpp"
#include "vendor_formula.hpp"

namespace warpfold::inline v0::pricing::host_impl {
namespace {

/// Options that a thread takes at a time.
constexpr std::size_t turn_options = std::size_t{1} << 14;

template <class T, class Formula>
void price_one_by_one(host const& place, book_view<T> const& book, outputs_view<T> const& outputs,
                      Formula formula) {
  detail::for_each_turn(place, book.size, turn_options, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
      prices<T> const both = formula(book[i]);
      if (outputs.of[0]) outputs.of[0][i] = both.call;
      if (outputs.of[1]) outputs.of[1][i] = both.put;
    }
  });
}

} // namespace

template <class T>
void polynomial(host const& place, book_view<T> const& book, outputs_view<T> const& outputs) {
  price_one_by_one(place, book, outputs,
                   [](option<T> const& one) { return detail::polynomial_prices(one); });
}

template <class T>
void vendor(host const& place, book_view<T> const& book, outputs_view<T> const& outputs) {
  price_one_by_one(place, book, outputs, [](option<T> const& one) { return vendor_prices(one); });
}

#define INSTANTIATE(T)                                                                             \
  template void polynomial<T>(host const&, book_view<T> const&, outputs_view<T> const&);           \
  template void vendor<T>(host const&, book_view<T> const&, outputs_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::host_impl
