#pragma once
// A book of European options in CSV, for price_book.

#include "book_error.hpp"

#include <warpfold/pricing/option.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace example {

/// The columns of a book, all of one length.
struct option_columns {
  std::vector<warpfold::pricing::option_kind> kind;
  std::vector<double> spot, strike, expiry, rate, dividend_yield;
  std::vector<double> volatility;   ///< NaN where the cell is empty; the option then has a price
  std::vector<double> market_price; ///< NaN where the cell is empty
  bool has_market_prices = false;   ///< whether there is such a column

  [[nodiscard]] std::size_t size() const noexcept { return spot.size(); }
};

/// Reads a whole book or none of it.
///
/// The first record names the columns, in any order: spot, strike, expiry (years), rate,
/// volatility; and if wanted dividend_yield (0 where it is empty), kind (call or put; call where it
/// is empty) and market_price (no price where it is empty). An option with a price needs no
/// volatility. Cells are as in RFC 4180; spaces around one that has no quotation marks do not
/// count, nor do empty lines. Numbers are decimal and finite, with a point; spot, strike, expiry
/// and volatility are not negative. A byte order mark of UTF-8 is skipped, lines end with LF, CR LF
/// or CR.
/// @param file what messages call the text
/// @throws book_error about the first thing that is wrong
option_columns read_options(std::string_view text, std::string_view file);

} // namespace example
