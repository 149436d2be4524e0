// docs/examples/first/prices/price_table.hpp: a table, the same however it is written, or a
// refusal's line.

#include "fuzz.hpp"

#include <first/prices/price_table.hpp>

#include <cmath>
#include <sstream>

namespace {

table read(std::string const& text) {
  std::istringstream file(text);
  return read_table(file, "f");
}

void check_same(table const& a, table const& b) {
  check(a.kind == b.kind && same(a.spot, b.spot) && same(a.strike, b.strike) &&
            same(a.expiry, b.expiry) && same(a.rate, b.rate) && same(a.volatility, b.volatility) &&
            same(a.dividend_yield, b.dividend_yield) && same(a.market_price, b.market_price),
        "the table is the same, written in another way");
}

std::string written(table const& book, std::string const& quote, char const* line_end) {
  std::string text = header + line_end;
  for (std::size_t i = 0; i < book.kind.size(); ++i) {
    text += quote;
    text += book.kind[i] == warpfold::pricing::option_kind::put ? "put" : "call";
    text += quote;
    for (auto const* const column : {&book.spot, &book.strike, &book.expiry, &book.rate,
                                     &book.volatility, &book.dividend_yield, &book.market_price}) {
      char digits[32];
      double const number = (*column)[i];
      char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
      text += "," + quote;
      // An empty dividend yield would be 0.
      if (!std::isnan(number) || column == &book.dividend_yield) text.append(digits, end);
      text += quote;
    }
    text += line_end;
  }
  return text;
}

} // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(text_of(data, size));
  auto const lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  table book;
  try {
    book = read(text);
  } catch (std::runtime_error const& error) {
    std::string const message = error.what();
    std::size_t line = 0;
    if (text.empty()) check(message == "f: there is no header", "an empty file has no header");
    else check(std::sscanf(message.c_str(), "f:%zu: ", &line) == 1, "a refusal names a line");
    check(line <= lines, "the line is in the file");
    return 0;
  }
  std::size_t const rows = book.kind.size();
  check(rows < lines, "an option takes a line, the header another one");
  for (auto const* const column : {&book.spot, &book.strike, &book.expiry, &book.rate,
                                   &book.volatility, &book.dividend_yield, &book.market_price})
    check(column->size() == rows, "all columns have one length");
  check_same(book, read(written(book, "", "\n")));
  check_same(book, read(written(book, "\"", "\r\n")));
  return 0;
}
