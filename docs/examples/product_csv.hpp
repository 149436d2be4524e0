#pragma once
// A book of products and the curves that price it, both in CSV, for price_products.

#include "book_error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace example {

/// A piecewise constant curve, as warpfold::pricing::curve_pieces has it; one value without times.
struct pieces {
  std::vector<double> times, values;
};

struct asset {
  std::string name;
  double spot;
  pieces rate, dividend_yield, volatility;
};

struct market {
  std::vector<asset> assets;
  std::vector<double> correlation; ///< row-major, of all assets; 0 where the file has none
};

enum class product_kind {
  european,
  asian,
  geometric,
  bermudan,
  autocallable,
  phoenix,
  cliquet,
  lookback,
  basket,
  best_of,
  worst_of,
  geometric_basket
};
enum class product_side { call, put, forward, digital_call, digital_put };

/// A row of a book. Numbers that its kind does not read have the values below.
struct product {
  std::size_t line = 0; ///< where it begins
  std::string name;
  product_kind kind = product_kind::european;
  double quantity = 0;
  std::vector<std::size_t> assets; ///< indices into the market's
  product_side side = product_side::call;
  double strike = 0;
  bool floating = true; ///< a lookback without a strike
  std::vector<double> times, weights, levels, payments;
  double knock_in = 0, coupon_level = 0, coupon = 0;
  bool memory = false;
  double floor = 0, cap = 0, notional = 100;
  double published = 0; ///< a price to compare with; NaN if there is none
};

/// Reads a whole market or nothing.
///
/// The first record names the columns, in any order: quantity, asset, value; and if wanted other
/// and time. A record is one number:
///   spot            of the asset, above 0: one record
///   rate            until `time` (years), or from the last time on if that is empty; records
///                   are in the order of their times
///   dividend_yield  the same; 0 if there is none
///   volatility      the same, above 0 and at most 2.5
///   correlation     of the asset and an `other` one, both named above; 0 if there is none
/// Cells and numbers are as read_options has them. There are at most 64 assets.
/// @param file what messages call the text
/// @throws book_error about the first thing that is wrong
market read_market(std::string_view text, std::string_view file);

/// Reads a whole book or none of it.
///
/// The first record names the columns, in any order: name, kind, assets, quantity, times, and those
/// that the kinds of the book need. A record is a product:
///   european, asian, geometric   side, strike; on the price at the last time, or its average
///   bermudan                     side, strike; may be exercised at each of its times
///   autocallable                 levels, payments, and if wanted knock_in, notional
///   phoenix                      levels, coupon_level, coupon; knock_in, memory, notional
///   cliquet                      floor, cap (of returns); notional
///   lookback                     side; strike (a level; floating without one), notional
///   basket, best_of, worst_of, geometric_basket
///                                side, strike, weights (one an asset: of a geometric basket its
///                                prices' exponents); on two or more assets
/// Levels are prices over today's spot: there are no past fixings. A call pays the notional and the
/// payment. The knock-in level counts at the last time. Floor and cap bound each return; a cliquet
/// pays at least 0. An autocallable, a phoenix, a cliquet or a lookback with several assets is on
/// the worst of them, as one price.
/// Any product may have a `published` price. A cell that a kind does not read must be empty.
///
/// Assets, times, weights, levels and payments are lists: values between spaces or semicolons, at
/// most 4096. N*X stands for N times X, EXPIRY:N for N equally spaced times that end with EXPIRY,
/// `never` for a level that is not reached. Levels and payments are one a time. Side is call, put
/// or, for european to geometric and of several assets, forward, digital_call or digital_put, which
/// pay 1. Memory is yes or no.
/// @param file what messages call the text
/// @throws book_error about the first thing that is wrong
std::vector<product> read_products(std::string_view text, std::string_view file,
                                   market const& curves);

} // namespace example
