// [example]
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;
using pricing::selection;

int main() {
  double const ends[] = {0.5, 1}, volatilities[] = {0.2, 0.3}; // from half a year on 30 %
  pricing::curve const rate = 0.03;                            // of all assets
  std::vector<pricing::black_scholes> const assets{
      {.spot = 100, .volatility = {{.times = ends, .values = volatilities}}, .rate = rate},
      {.spot = 50, .volatility = 0.35, .rate = rate, .dividend_yield = 0.02},
      {.spot = 80, .volatility = 0.2, .rate = rate, .dividend_yield = 0.01}};
  std::vector<double> const correlation{1,   0.6, 0.3, //
                                        0.6, 1,   0.5, //
                                        0.3, 0.5, 1};
  // Sums of prices, and prices as per cent of the spots.
  std::vector<double> const sum{1, 1, 1}, spread{1, -2, 0},
      per_cent{100 / 100., 100 / 50., 100 / 80.};
  std::vector<pricing::basket_contract> const book{
      {.weights = sum, .strike = 230, .expiry = 1},
      {.weights = spread, .strike = 5, .expiry = 1},
      {.weights = per_cent, .strike = 100, .expiry = 1, .selection = selection::best_of},
      {.weights = per_cent,
       .strike = 90,
       .expiry = 1,
       .settlement = pricing::settlement::put,
       .selection = selection::worst_of},
      {.weights = per_cent,
       .strike = 90,
       .expiry = 1,
       .settlement = pricing::settlement::put,
       .selection = selection::worst_of,
       .measure = pricing::measure::arithmetic_average}};
  std::vector<pricing::estimate> prices(book.size());
  warpfold::host const place; // or a gpu: the same paths
  pricing::simulate(place, pricing::basket{assets, correlation}, book, prices,
                    {.paths = 1 << 18, .steps = 4, .antithetic = true});
  char const* const names[] = {"call on the sum", "spread", "call on the best", "put on the worst",
                               "put on the worst average"};
  for (std::size_t i = 0; i < book.size(); ++i)
    std::printf("%s: %.4f +- %.4f\n", names[i], prices[i].value, prices[i].standard_error);
  // An average varies less, so that a put on it is worth less.
  return prices[4].value < prices[3].value ? 0 : 1;
}
// [example]
