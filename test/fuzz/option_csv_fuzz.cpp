// docs/examples/option_csv.hpp: a book, the same however it is written, or a complaint's place.

#include "fuzz.hpp"

#include <option_csv.hpp>

#include <charconv>
#include <cmath>
#include <string>

namespace {

using example::option_columns;

option_columns read(std::string_view text) { return example::read_options(text, "f"); }

void check_same(option_columns const& a, option_columns const& b) {
  check(a.kind == b.kind && same(a.spot, b.spot) && same(a.strike, b.strike) &&
            same(a.expiry, b.expiry) && same(a.rate, b.rate) &&
            same(a.dividend_yield, b.dividend_yield) && same(a.volatility, b.volatility) &&
            same(a.market_price, b.market_price) && a.has_market_prices == b.has_market_prices,
        "the book is the same, written in another way");
}

std::string written(option_columns const& book, std::string const& quote, char const* line_end) {
  std::string text;
  auto const add = [&](std::string const& cell) { text += quote + cell + quote + ","; };
  auto const end_line = [&] {
    text.pop_back();
    text += line_end;
  };
  if (book.has_market_prices) add("market_price");
  for (char const* const name :
       {"volatility", "dividend_yield", "rate", "expiry", "strike", "spot", "kind"})
    add(name);
  end_line();
  auto const add_number = [&](double number) {
    char digits[32];
    char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    add(std::isnan(number) ? std::string() : std::string(digits, end));
  };
  for (std::size_t i = 0; i < book.size(); ++i) {
    if (book.has_market_prices) add_number(book.market_price[i]);
    for (auto const* const column : {&book.volatility, &book.dividend_yield, &book.rate,
                                     &book.expiry, &book.strike, &book.spot})
      add_number((*column)[i]);
    add(book.kind[i] == warpfold::pricing::option_kind::put ? "put" : "call");
    end_line();
  }
  return text;
}

} // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text = text_of(data, size);
  std::size_t lines = 1, commas = 0;
  for (std::size_t i = 0; i < size; ++i) {
    lines += text[i] == '\n' || (text[i] == '\r' && text.substr(i, 2) != "\r\n");
    commas += text[i] == ',';
  }
  option_columns book;
  try {
    book = read(text);
  } catch (example::book_error const& error) {
    check_place(error.what(), lines, commas + 1);
    return 0;
  }
  check(book.size() < lines, "an option takes a line, the header another one");
  for (std::size_t i = 0; i < book.size(); ++i) {
    for (double const number : {book.spot[i], book.strike[i], book.expiry[i]})
      check(number >= 0 && std::isfinite(number), "these are finite and not negative");
    check(std::isfinite(book.rate[i]) && std::isfinite(book.dividend_yield[i]), "finite");
    check(!(book.volatility[i] < 0), "a volatility is not negative");
    check(std::isfinite(book.volatility[i]) || std::isfinite(book.market_price[i]),
          "there is a volatility or a price");
  }
  check_same(book, read(written(book, "", "\n")));
  check_same(book, read(written(book, "\"", "\r")));
  std::string with_crlf;
  for (char const c : text) (with_crlf += c == '\n' ? "\r" : "") += c;
  check_same(book, read(with_crlf + "\r\n \r\n"));
  if (!text.starts_with("\xEF")) check_same(book, read(std::string("\xEF\xBB\xBF").append(text)));
  return 0;
}
