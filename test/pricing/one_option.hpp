#pragma once
// One option: prices and Greeks as the library computes them in books, and estimates of
// simulations, compared with each other and with prices.

#include "support.hpp"

#include <warpfold/detail/pricing/black_scholes_limits.hpp>
#include <warpfold/detail/random/normals.hpp>
#include <warpfold/pricing/simulation.hpp>

#include <algorithm>
#include <array>
#include <vector>

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

/// An option of T with the quantities of another.
template <class T, class U>
warpfold::pricing::option<T> converted(warpfold::pricing::option<U> const& o) {
  return {static_cast<T>(o.spot),       static_cast<T>(o.strike), static_cast<T>(o.expiry),
          static_cast<T>(o.volatility), static_cast<T>(o.rate),   static_cast<T>(o.dividend_yield)};
}

/// The members of options, quotes, books of them, valuations and outputs, in order; without kinds.
template <class Of>
auto members(Of& of) {
  if constexpr (requires { of.put_charm; })
    return std::array{&of.call,  &of.put,        &of.call_delta, &of.put_delta, &of.gamma,
                      &of.vega,  &of.call_theta, &of.put_theta,  &of.call_rho,  &of.put_rho,
                      &of.vanna, &of.volga,      &of.call_charm, &of.put_charm};
  else if constexpr (requires { of.ratio_gamma; })
    return std::array{&of.value,       &of.delta,      &of.vega,      &of.rho,        &of.gamma,
                      &of.ratio_delta, &of.ratio_vega, &of.ratio_rho, &of.ratio_gamma};
  else if constexpr (requires { of.price; })
    return std::array{&of.price, &of.spot, &of.strike, &of.expiry, &of.rate, &of.dividend_yield};
  else
    return std::array{&of.spot,       &of.strike, &of.expiry,
                      &of.volatility, &of.rate,   &of.dividend_yield};
}

/// The names of an option's.
inline constexpr char const* term_names[] = {"spot",       "strike", "expiry",
                                             "volatility", "rate",   "dividend_yield"};

/// All values of a valuation, in the order of price_outputs.
template <class T>
std::array<T, 14> values_of(warpfold::pricing::valuation<T> const& v) {
  std::array<T, 14> values;
  for (std::size_t k = 0; k < 14; ++k) values[k] = *members(v)[k];
  return values;
}

// ---- estimates ----------------------------------------------------------------------------------

using warpfold::pricing::estimate;

/// Normal number i of a stream.
template <class T>
double normal_of(warpfold::detail::address from, std::uint64_t i) {
  using namespace warpfold::detail;
  if constexpr (sizeof(T) == 4) return normals_of(random_words(from, i / 4)).of[i % 4];
  else return double_normals_of(random_words(from, i / 2)).of[i % 2];
}

inline bool same_estimate(estimate const& a, estimate const& b) {
  return same_bits(a.value, b.value) && same_bits(a.standard_error, b.standard_error) &&
         same_bits(a.lower, b.lower) && same_bits(a.upper, b.upper) && a.paths == b.paths &&
         a.paying == b.paying && a.too_few_paid == b.too_few_paid;
}
inline bool same_estimates(std::vector<estimate> const& a, std::vector<estimate> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_estimate);
}

/// How many more paths pay for one: the last bit may decide about a path that ends at the strike.
inline std::int64_t paying_apart(estimate const& a, estimate const& b) {
  return std::abs(static_cast<std::int64_t>(a.paying - b.paying));
}

/// Standard errors from the price to the estimate.
inline double z_score(estimate const& of, double price) {
  return (of.value - price) / of.standard_error;
}

/// Returns true if the confidence interval holds the price.
inline bool holds(estimate const& of, double price) {
  return of.lower <= price && price <= of.upper;
}

/// So many out of a thousand intervals of 95 % hold the price.
inline void check_coverage_of_95(int inside) {
  CHECK(inside >= 930);
  CHECK(inside <= 970);
}

} // namespace test
