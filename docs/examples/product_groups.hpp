#pragma once
// Rows of a book (product_csv.hpp) that are simulated together, as the library's models and
// products.

#include "product_csv.hpp"

#include <warpfold/pricing/baskets.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/early_exercise.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace example {

namespace pricing = warpfold::pricing;

/// How far an asset's spot (a factor), its volatility and its rate are moved.
struct move {
  double spot = 1, volatility = 0, rate = 0;
};

inline pricing::curve curve_of(pieces const& from, double shift) {
  auto [times, values] = from;
  for (double& value : values) value += shift;
  if (times.empty()) return values.front();
  if (times.size() < values.size()) times.push_back(times.back() + 1); // the last value stays
  return {{.times = times, .values = values}};
}

/// Rows of the book that are priced together, and the market of their assets.
struct group {
  std::vector<product const*> rows;
  std::vector<asset const*> assets;
  std::vector<double> correlation;

  [[nodiscard]] product const& first() const { return *rows.front(); }
  [[nodiscard]] std::vector<pricing::black_scholes> moved(std::span<move const> by) const {
    std::vector<pricing::black_scholes> models;
    for (std::size_t k = 0; k < assets.size(); ++k)
      models.push_back({.spot = assets[k]->spot * by[k].spot,
                        .volatility = curve_of(assets[k]->volatility, by[k].volatility),
                        .rate = curve_of(assets[k]->rate, by[k].rate),
                        .dividend_yield = curve_of(assets[k]->dividend_yield, 0)});
    return models;
  }
};

/// What simulates a product.
enum class engine { contracts, exercise, schedules, baskets };
inline engine engine_of(product_kind kind) {
  using enum product_kind;
  switch (kind) {
  case european:
  case asian:
  case geometric: return engine::contracts;
  case bermudan: return engine::exercise;
  case basket:
  case best_of:
  case worst_of:
  case geometric_basket: return engine::baskets;
  default: return engine::schedules;
  }
}

inline std::vector<group> groups_of(std::span<product const> book, market const& market) {
  std::vector<group> all;
  for (product const& row : book) {
    auto const together = std::ranges::find_if(all, [&](group const& one) {
      return engine_of(one.first().kind) == engine_of(row.kind) &&
             one.first().assets == row.assets && one.first().times == row.times;
    });
    if (together != all.end()) {
      together->rows.push_back(&row);
      continue;
    }
    group next{.rows = {&row}, .assets = {}, .correlation = {}};
    for (std::size_t const i : row.assets) {
      next.assets.push_back(&market.assets[i]);
      for (std::size_t const j : row.assets)
        next.correlation.push_back(market.correlation[i * market.assets.size() + j]);
    }
    all.push_back(next);
  }
  return all;
}

// ---- products of the file as the library's ------------------------------------------------------

inline pricing::settlement settlement_of(product const& row) {
  switch (row.side) {
  case product_side::call: return pricing::settlement::call;
  case product_side::put: return pricing::settlement::put;
  case product_side::forward: return pricing::settlement::forward;
  case product_side::digital_call: return pricing::settlement::digital_call;
  default: return pricing::settlement::digital_put;
  }
}
inline pricing::option_kind option_kind_of(product const& row) {
  return row.side == product_side::put ? pricing::option_kind::put : pricing::option_kind::call;
}

inline pricing::contract contract_of(product const& row) {
  using enum pricing::measure;
  return {row.strike, row.times.back(), settlement_of(row),
          row.kind == product_kind::asian       ? arithmetic_average
          : row.kind == product_kind::geometric ? geometric_average
                                                : price};
}

inline pricing::bermudan_option bermudan_of(product const& row) {
  return {row.strike, row.times.back(), option_kind_of(row)};
}

inline pricing::basket_contract basket_contract_of(product const& row) {
  using enum pricing::selection;
  return {.weights = row.weights,
          .strike = row.strike,
          .expiry = row.times.back(),
          .settlement = settlement_of(row),
          .selection = row.kind == product_kind::best_of            ? best_of
                       : row.kind == product_kind::worst_of         ? worst_of
                       : row.kind == product_kind::geometric_basket ? weighted_product
                                                                    : weighted_sum};
}

/// @param reference the price that has level 1, wherever the spot is moved
inline pricing::schedule schedule_of(product const& row, double reference) {
  switch (row.kind) {
  case product_kind::cliquet:
    return pricing::cliquet{.times = row.times,
                            .return_floor = row.floor,
                            .return_cap = row.cap,
                            .notional = row.notional,
                            .reference = reference};
  case product_kind::lookback:
    return pricing::lookback{.times = row.times,
                             .kind = option_kind_of(row),
                             .floating = row.floating,
                             .strike = row.strike,
                             .notional = row.notional,
                             .reference = reference};
  default: // a phoenix note has no payments: it pays its notional if it is called
    return pricing::autocallable{.times = row.times,
                                 .call_levels = row.levels,
                                 .call_payments = row.payments,
                                 .knock_in_level = row.knock_in,
                                 .coupon_level = row.coupon_level,
                                 .coupon = row.coupon,
                                 .memory = row.memory,
                                 .notional = row.notional,
                                 .reference = reference};
  }
}

} // namespace example
