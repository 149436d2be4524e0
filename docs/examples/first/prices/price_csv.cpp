// Prices the options of a CSV file, on a GPU where there is one. A project outside warpfold: it
// knows the installed package alone.

#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/pricing/implied_volatility.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace {

namespace pricing = warpfold::pricing;

std::string const header = "kind,spot,strike,expiry,rate,volatility,dividend_yield,market_price";

/// The columns of a file. An empty cell is NaN, but for the dividend yield: there it is 0.
struct table {
  std::vector<pricing::option_kind> kind;
  std::vector<double> spot, strike, expiry, rate, volatility, dividend_yield, market_price;
};

/// Takes the first cell off a line, without quotation marks.
std::string take_cell(std::string& line) {
  std::size_t const end = line.find(',');
  std::string cell = line.substr(0, end);
  line.erase(0, end == line.npos ? end : end + 1);
  std::erase(cell, '"');
  return cell;
}

table read_table(std::string const& path) {
  table read;
  std::array const columns{&read.spot,       &read.strike,         &read.expiry,      &read.rate,
                           &read.volatility, &read.dividend_yield, &read.market_price};
  std::ifstream file(path);
  std::string line;
  int number = 0;
  auto const refuse = [&](std::string const& why) {
    throw std::runtime_error(path + ":" + std::to_string(number) + ": " + why);
  };
  if (!file) throw std::runtime_error(path + ": cannot be read");
  while (std::getline(file, line)) {
    std::erase(line, '\r');
    if (++number == 1 && line != header) refuse("the header is not " + header);
    if (number == 1) continue;
    auto const commas = std::ranges::count(line, ',');
    if (commas != std::ssize(columns))
      refuse("the row has " + std::to_string(commas + 1) + " cells, not " +
             std::to_string(columns.size() + 1));
    std::string const kind = take_cell(line);
    if (kind != "call" && kind != "put") refuse("'" + kind + "' is neither call nor put");
    read.kind.push_back(kind == "put" ? pricing::option_kind::put : pricing::option_kind::call);
    for (auto* const column : columns) {
      std::string const cell = take_cell(line);
      double value = column == &read.dividend_yield ? 0 : std::numeric_limits<double>::quiet_NaN();
      char const* const end = cell.data() + cell.size();
      if (!cell.empty() && std::from_chars(cell.data(), end, value).ptr != end)
        refuse("'" + cell + "' is not a number");
      column->push_back(value);
    }
  }
  if (number == 0) throw std::runtime_error(path + ": there is no header");
  return read;
}

// [example]
/// Fills in volatilities that the market's prices imply, and returns prices of calls and puts.
template <class Place>
std::array<std::vector<double>, 2> prices_on(Place& place, table& book) {
  std::size_t const size = book.spot.size();
  std::vector<double> implied(size), call(size), put(size);
  pricing::host_quotes<double> const quotes{.kind = book.kind,
                                            .price = book.market_price,
                                            .spot = book.spot,
                                            .strike = book.strike,
                                            .expiry = book.expiry,
                                            .rate = book.rate,
                                            .dividend_yield = book.dividend_yield};
  pricing::implied_volatility(place, quotes, {.volatility = implied});
  for (std::size_t i = 0; i < size; ++i)
    if (std::isnan(book.volatility[i])) book.volatility[i] = implied[i];
  pricing::host_book<double> const options{.spot = book.spot,
                                           .strike = book.strike,
                                           .expiry = book.expiry,
                                           .volatility = book.volatility,
                                           .rate = book.rate,
                                           .dividend_yield = book.dividend_yield};
  pricing::price(place, options, {.call = call, .put = put});
  return {call, put};
}

void print_prices(std::string const& path) {
  table book = read_table(path);
  warpfold::any_place place = warpfold::default_place(); // a GPU, or the host
  auto const [call, put] = std::visit([&](auto& one) { return prices_on(one, book); }, place);
  std::printf("kind    spot  strike  volatility      price\n");
  for (std::size_t i = 0; i < call.size(); ++i) {
    bool const is_put = book.kind[i] == pricing::option_kind::put;
    std::printf("%-4s %7g %7g %11.6f %10.6f\n", is_put ? "put" : "call", book.spot[i],
                book.strike[i], book.volatility[i], is_put ? put[i] : call[i]);
  }
}
// [example]

} // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("usage: price_csv OPTIONS.csv");
  print_prices(argv[1]);
  return 0;
} catch (std::exception const& failure) {
  std::fprintf(stderr, "price_csv: %s\n", failure.what());
  return 1;
}
