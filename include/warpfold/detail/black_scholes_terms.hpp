#pragma once
// One European option: prices and Greeks by both methods, on the host and on a GPU.

#include <warpfold/detail/black_scholes_limits.hpp>
#include <warpfold/detail/black_scholes_polynomial.hpp>

namespace warpfold::detail {

template <yields Yields = yields::any, class T>
WARPFOLD_HOST_DEVICE pricing::prices<T> mills_prices(pricing::option<T> const& o) {
  return is_regular(o) ? regular_prices<Yields>(o) : limit_prices(o);
}
template <yields Yields = yields::any, class T>
WARPFOLD_HOST_DEVICE pricing::valuation<T> mills_valuation(pricing::option<T> const& o) {
  return is_regular(o) ? regular_valuation<Yields>(o) : limit_valuation(o);
}

} // namespace warpfold::detail
