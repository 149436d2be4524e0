// Prices the options of a CSV file, on a GPU where there is one. A project outside warpfold: it
// knows the installed package alone.

#include "price_table.hpp"

#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/pricing/implied_volatility.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace {

namespace pricing = warpfold::pricing;

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
