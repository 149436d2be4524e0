// Implied volatilities on the host's threads.

#include "core/host_loops.hpp"
#include "implied_backend.hpp"

namespace warpfold::inline v0::pricing::host_impl {
namespace {

/// Quotes that a thread takes at a time.
constexpr std::size_t turn_quotes = std::size_t{1} << 12;

WARPFOLD_CLONES void imply_some(quotes_view<float> const& quotes, implied_view<float> const& to,
                                std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) to.put(i, detail::implied_volatility_of(quotes[i]));
}
WARPFOLD_CLONES void imply_some(quotes_view<double> const& quotes, implied_view<double> const& to,
                                std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) to.put(i, detail::implied_volatility_of(quotes[i]));
}

} // namespace

template <class T>
void imply(host const& place, quotes_view<T> const& quotes, implied_view<T> const& to) {
  detail::for_each_turn(place, quotes.size, turn_quotes, [&](std::size_t first, std::size_t count) {
    imply_some(quotes, to, first, first + count);
  });
}

#define INSTANTIATE(T)                                                                             \
  template void imply<T>(host const&, quotes_view<T> const&, implied_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::host_impl
