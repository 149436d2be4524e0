#pragma once
// One European option: prices and Greeks as the library computes them in books.

#include <warpfold/detail/pricing/black_scholes_limits.hpp>

#include <array>

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

/// All values of a valuation, in the order of price_outputs.
template <class T>
std::array<T, 14> values_of(warpfold::pricing::valuation<T> const& v) {
  return {v.call,      v.put,      v.call_delta, v.put_delta, v.gamma, v.vega,       v.call_theta,
          v.put_theta, v.call_rho, v.put_rho,    v.vanna,     v.volga, v.call_charm, v.put_charm};
}

} // namespace test
