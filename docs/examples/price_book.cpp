// Prices a book of European options from a CSV file, with all Greeks, and finds the implied
// volatilities of those that have a market price. option_csv.hpp says what the file looks like.

#include "files.hpp"
#include "option_csv.hpp"

#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace {

namespace pricing = warpfold::pricing;

struct results {
  using column = std::vector<double>;
  column call, put, call_delta, put_delta, gamma, vega, call_theta, put_theta, call_rho, put_rho,
      vanna, volga, call_charm, put_charm, implied;
  std::vector<pricing::implied_status> status;
};

// [example]
/// Prices the book on a GPU or on the host. Options without a volatility of their own are priced at
/// the implied one; where there is none, their results are NaN.
template <class Place>
results price_on(Place& place, example::option_columns& book) {
  results all;
  std::size_t const size = book.size();
  if (book.has_market_prices) {
    all.implied.resize(size);
    all.status.resize(size);
    pricing::host_quotes<double> const quotes{.kind = book.kind,
                                              .price = book.market_price,
                                              .spot = book.spot,
                                              .strike = book.strike,
                                              .expiry = book.expiry,
                                              .rate = book.rate,
                                              .dividend_yield = book.dividend_yield};
    pricing::implied_volatility(place, quotes, {.volatility = all.implied, .status = all.status});
    for (std::size_t i = 0; i < size; ++i)
      if (std::isnan(book.volatility[i])) book.volatility[i] = all.implied[i];
  }
  for (auto* const one : {&all.call, &all.put, &all.call_delta, &all.put_delta, &all.gamma,
                          &all.vega, &all.call_theta, &all.put_theta, &all.call_rho, &all.put_rho,
                          &all.vanna, &all.volga, &all.call_charm, &all.put_charm})
    one->resize(size);
  pricing::host_book<double> const options{.spot = book.spot,
                                           .strike = book.strike,
                                           .expiry = book.expiry,
                                           .volatility = book.volatility,
                                           .rate = book.rate,
                                           .dividend_yield = book.dividend_yield};
  pricing::price(place, options,
                 {.call = all.call,
                  .put = all.put,
                  .call_delta = all.call_delta,
                  .put_delta = all.put_delta,
                  .gamma = all.gamma,
                  .vega = all.vega,
                  .call_theta = all.call_theta,
                  .put_theta = all.put_theta,
                  .call_rho = all.call_rho,
                  .put_rho = all.put_rho,
                  .vanna = all.vanna,
                  .volga = all.volga,
                  .call_charm = all.call_charm,
                  .put_charm = all.put_charm});
  return all;
}
// [example]

/// A number in as few digits as bring it back; nothing for NaN.
std::string text_of(double number) {
  if (std::isnan(number)) return "";
  std::array<char, 32> text;
  char const* const end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), static_cast<std::size_t>(end - text.data())};
}

char const* name_of(pricing::implied_status status) {
  switch (status) {
  case pricing::implied_status::converged: return "converged";
  case pricing::implied_status::below_intrinsic: return "below_intrinsic";
  case pricing::implied_status::above_bound: return "above_bound";
  case pricing::implied_status::bad_input: return "bad_input";
  }
  return "";
}

std::string csv_of(example::option_columns const& book, results const& all) {
  std::string text =
      "kind,spot,strike,expiry,rate,dividend_yield,volatility,price,delta,gamma,vega,"
      "theta,rho,vanna,volga,charm";
  text += book.has_market_prices ? ",market_price,implied_volatility,implied_status\n" : "\n";
  for (std::size_t i = 0; i < book.size(); ++i) {
    bool const is_put = book.kind[i] == pricing::option_kind::put;
    text += is_put ? "put" : "call";
    for (double const number :
         {book.spot[i], book.strike[i], book.expiry[i], book.rate[i], book.dividend_yield[i],
          book.volatility[i], is_put ? all.put[i] : all.call[i],
          is_put ? all.put_delta[i] : all.call_delta[i], all.gamma[i], all.vega[i],
          is_put ? all.put_theta[i] : all.call_theta[i], is_put ? all.put_rho[i] : all.call_rho[i],
          all.vanna[i], all.volga[i], is_put ? all.put_charm[i] : all.call_charm[i]})
      text += ',' + text_of(number);
    if (book.has_market_prices) {
      bool const has_price = !std::isnan(book.market_price[i]);
      text += ',' + text_of(book.market_price[i]) + ',' + text_of(all.implied[i]) + ',' +
              (has_price ? name_of(all.status[i]) : "");
    }
    text += '\n';
  }
  return text;
}

} // namespace

int main(int argc, char** argv) try {
  constexpr char usage[] =
      "usage: price_book [--host] INPUT.csv [OUTPUT.csv]\n"
      "Prices and Greeks of European options, and implied volatilities where the input has market\n"
      "prices. --host: not on a GPU.\n";
  std::vector<char const*> files(argv + 1, argv + argc);
  if (std::ranges::find(files, std::string_view("--help")) != files.end())
    return example::write(stdout, usage) ? 0 : 1;
  bool const on_host = std::erase(files, std::string_view("--host")) > 0;
  auto const is_option = [](char const* file) { return file[0] == '-'; };
  if (files.empty() || files.size() > 2 || std::ranges::any_of(files, is_option)) {
    std::fputs(usage, stderr);
    return 2;
  }
  auto book = example::read_options(example::contents_of(files[0]), files[0]);
  warpfold::any_place place = on_host ? warpfold::host() : warpfold::default_place();
  results const all = std::visit([&](auto& one) { return price_on(one, book); }, place);
  std::string const text = csv_of(book, all);
  if (files.size() == 2) example::write_file(files[1], text);
  else if (!example::write(stdout, text)) example::fail("standard output");
  return 0;
} catch (std::exception const& failure) {
  std::fprintf(stderr, "price_book: %s\n", failure.what());
  return 1;
}
