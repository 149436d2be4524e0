// [example]
#include <warpfold/warpfold.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;

int main() {
  double const ends[] = {0.5, 1}, rates[] = {0.02, 0.04}; // from half a year on 4 %
  pricing::heston const model{.spot = 100,
                              .rate = {{.times = ends, .values = rates}},
                              .variance = 0.04,
                              .reversion = 2,
                              .mean = 0.06,
                              .vol_of_vol = 0.7,
                              .correlation = -0.6};
  std::vector<pricing::contract> const book{
      {.strike = 90, .expiry = 1},
      {.strike = 100, .expiry = 0.5, .settlement = pricing::settlement::put},
      {.strike = 100, .expiry = 1, .measure = pricing::measure::arithmetic_average},
      {.strike = 0,
       .expiry = 1,
       .settlement = pricing::settlement::forward,
       .measure = pricing::measure::realized_variance}};
  std::vector<pricing::estimate> prices(book.size());
  warpfold::host const place; // or a gpu: the same paths
  // Twelve months are what contracts see; each is simulated in two steps.
  pricing::simulate(place, model, book, prices,
                    {.paths = 1 << 18, .steps = 12, .longest_step = 1. / 24, .antithetic = true});
  char const* const names[] = {"call", "put", "call on the average", "variance swap"};
  for (std::size_t i = 0; i < book.size(); ++i)
    std::printf("%s: %.4f +- %.4f\n", names[i], prices[i].value, prices[i].standard_error);
  // The expected variance, in closed form, but for what twelve months add.
  double const variance = 0.06 + (0.04 - 0.06) * (1 - std::exp(-2.)) / 2;
  return std::abs(prices[3].value - std::exp(-0.03) * variance) < 0.002 ? 0 : 1;
}
// [example]
