#pragma once
// Digests of books and their models.

#include <warpfold/detail/comm/digest.hpp>
#include <warpfold/pricing/basket_exercise.hpp>
#include <warpfold/pricing/baskets.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/early_exercise.hpp>
#include <warpfold/pricing/greeks.hpp>
#include <warpfold/pricing/local_volatility.hpp>
#include <warpfold/pricing/path_options.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <ranges>
#include <type_traits>

namespace warpfold::inline v0::comm {

/// Adds numbers, and all that things consist of. Members are bound, so that a new one does not
/// compile until it is here.
template <class... Parts>
void add_all(digest& to, Parts const&... parts) {
  (add(to, parts), ...);
}

template <class Number>
requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
void add(digest& to, Number number) { to.add(number); }
template <std::ranges::sized_range Range>
void add(digest& to, Range const& range) {
  to.add(range.size());
  for (auto const& one : range) add_all(to, one);
}

// ---- models -------------------------------------------------------------------------------------

inline void add(digest& to, pricing::curve const& of) { add_all(to, of.times(), of.values()); }
inline void add(digest& to, pricing::volatility_grid const& of) {
  add_all(to, of.times(), of.log_moneyness(), of.values());
}
inline void add(digest& to, pricing::jumps const& of) {
  auto const& [intensity, mean, deviation] = of;
  add_all(to, intensity, mean, deviation);
}
inline void add(digest& to, pricing::black_scholes const& of) {
  auto const& [spot, volatility, rate, dividend_yield, jumps] = of;
  add_all(to, spot, volatility, rate, dividend_yield, jumps);
}
inline void add(digest& to, pricing::heston const& of) {
  auto const& [spot, rate, dividend_yield, variance, reversion, mean, vol_of_vol, correlation,
               jumps] = of;
  add_all(to, spot, rate, dividend_yield, variance, reversion, mean, vol_of_vol, correlation,
          jumps);
}
inline void add(digest& to, pricing::local_volatility const& of) {
  auto const& [spot, rate, dividend_yield, grid] = of;
  add_all(to, spot, rate, dividend_yield, grid);
}
inline void add(digest& to, pricing::basket const& of) {
  auto const& [assets, correlation] = of;
  add_all(to, assets, correlation);
}
inline void add(digest& to, pricing::basket_index const& of) {
  auto const& [assets, correlation, selection, weights] = of;
  add_all(to, assets, correlation, selection, weights);
}

// ---- products -----------------------------------------------------------------------------------

inline void add(digest& to, pricing::option<double> const& of) {
  auto const& [spot, strike, expiry, volatility, rate, dividend_yield] = of;
  add_all(to, spot, strike, expiry, volatility, rate, dividend_yield);
}
inline void add(digest& to, pricing::asian_option const& of) {
  auto const& [terms, kind, average] = of;
  add_all(to, terms, kind, average);
}
inline void add(digest& to, pricing::barrier_option const& of) {
  auto const& [terms, barrier, type, kind, rebate, monitoring] = of;
  add_all(to, terms, barrier, type, kind, rebate, monitoring);
}
inline void add(digest& to, pricing::contract const& of) {
  auto const& [strike, expiry, settlement, measure] = of;
  add_all(to, strike, expiry, settlement, measure);
}
inline void add(digest& to, pricing::basket_contract const& of) {
  auto const& [weights, strike, expiry, settlement, selection, measure] = of;
  add_all(to, weights, strike, expiry, settlement, selection, measure);
}
inline void add(digest& to, pricing::bermudan_option const& of) {
  auto const& [strike, expiry, kind, first_exercise] = of;
  add_all(to, strike, expiry, kind, first_exercise);
}
inline void add(digest& to, pricing::bermudan_basket_option const& of) {
  auto const& [weights, strike, expiry, kind, first_exercise, selection] = of;
  add_all(to, weights, strike, expiry, kind, first_exercise, selection);
}
inline void add(digest& to, pricing::schedule_date const& of) {
  auto const& [time, call_level, call_payment, coupon_level, coupon, knock_in_level, weight,
               return_floor, return_cap] = of;
  add_all(to, time, call_level, call_payment, coupon_level, coupon, knock_in_level, weight,
          return_floor, return_cap);
}
inline void add(digest& to, pricing::redemption const& of) {
  auto const& [amount, participation, quantity, strike, less, floor, cap] = of;
  add_all(to, amount, participation, quantity, strike, less, floor, cap);
}
inline void add(digest& to, pricing::schedule const& of) {
  auto const& [dates, at_end, knocked_in, reference, memory] = of;
  add_all(to, dates, at_end, knocked_in, reference, memory);
}

// ---- Greeks -------------------------------------------------------------------------------------

/// Those that are wanted.
inline void add(digest& to, pricing::greeks const& of) {
  auto const& [value, delta, gamma, vega, rho, dividend_rho, variance, reversion, mean, vol_of_vol,
               correlation] = of;
  for (auto const& results : {value, delta, gamma, vega, rho, dividend_rho, variance, reversion,
                              mean, vol_of_vol, correlation})
    add_all(to, results.empty());
}
inline void add(digest& to, pricing::bumps const& of) {
  auto const& [method, spot, volatility, rate, dividend_yield, variance, reversion, mean,
               vol_of_vol, correlation, sticky] = of;
  add_all(to, method, spot, volatility, rate, dividend_yield, variance, reversion, mean, vol_of_vol,
          correlation, sticky);
}

} // namespace warpfold::inline v0::comm
