#pragma once
// One European option: prices and Greeks as the library computes them in books.

#include <warpfold/detail/pricing/black_scholes_limits.hpp>

namespace test {

template <class T>
WARPFOLD_HOST_DEVICE warpfold::pricing::prices<T>
mills_prices(warpfold::pricing::option<T> const& o) {
  using namespace warpfold::detail;
  return is_regular(o) ? regular_prices(o) : limit_prices(o);
}
template <class T>
WARPFOLD_HOST_DEVICE warpfold::pricing::valuation<T>
mills_valuation(warpfold::pricing::option<T> const& o) {
  using namespace warpfold::detail;
  return is_regular(o) ? regular_valuation(o) : limit_valuation(o);
}

} // namespace test
