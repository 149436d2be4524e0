#include "option_csv.hpp"
#include "csv_records.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace example {
namespace {

using warpfold::pricing::option_kind;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

enum column { spot, strike, expiry, rate, volatility, dividend_yield, kind, market_price, columns };
constexpr std::array<std::string_view, columns> names = {
    "spot", "strike", "expiry", "rate", "volatility", "dividend_yield", "kind", "market_price"};

/// The numbers and the kind of one option.
struct row {
  std::array<double, columns> number;
  option_kind what = option_kind::call;

  row() {
    number.fill(none);
    number[dividend_yield] = 0;
  }

  /// Takes a cell in; "", or what is wrong with it.
  std::string take(column c, std::string const& text) {
    if (text.empty()) return c <= rate ? "the cell is empty" : "";
    if (c == kind) {
      if (text != "call" && text != "put") return shown(text) + " is neither call nor put";
      what = text == "put" ? option_kind::put : option_kind::call;
      return "";
    }
    if (std::string wrong = read_number(text, number[c]); !wrong.empty()) return wrong;
    bool const may_be_negative = c == rate || c == dividend_yield || c == market_price;
    if (!may_be_negative && number[c] < 0) return shown(text) + " is negative";
    return "";
  }
};

} // namespace

option_columns read_options(std::string_view text, std::string_view file) {
  record_reader reader(text, file);
  csv_header<columns> const head(reader, names, file);
  for (int c = spot; c <= volatility; ++c)
    if (c != volatility || !head.cell_of[market_price]) head.require(c, names[c], file);

  option_columns book;
  book.has_market_prices = head.cell_of[market_price].has_value();
  while (auto const cells = head.next(reader, file)) {
    row one;
    for (std::size_t i = 0; i < cells->size(); ++i) {
      auto const c = static_cast<column>(head.of_cell[i]);
      std::string const wrong = one.take(c, (*cells)[i].text);
      if (!wrong.empty())
        throw book_error(file, (*cells)[i].line, i + 1, std::string(names[c]) + ": " + wrong);
    }
    if (std::isnan(one.number[volatility]) && std::isnan(one.number[market_price])) {
      column const c = head.cell_of[volatility] ? volatility : market_price;
      std::size_t const at = *head.cell_of[c];
      throw book_error(file, (*cells)[at].line, at + 1,
                       "the option has neither a volatility nor a market price");
    }
    book.spot.push_back(one.number[spot]);
    book.strike.push_back(one.number[strike]);
    book.expiry.push_back(one.number[expiry]);
    book.rate.push_back(one.number[rate]);
    book.volatility.push_back(one.number[volatility]);
    book.dividend_yield.push_back(one.number[dividend_yield]);
    book.market_price.push_back(one.number[market_price]);
    book.kind.push_back(one.what);
  }
  return book;
}

} // namespace example
