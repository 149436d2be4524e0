// [example]
#include <warpfold/warpfold.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;
using pricing::option_kind;

int main() {
  pricing::black_scholes const model{.spot = 36, .volatility = 0.2, .rate = 0.06};
  // Exercise is possible 50 times a year, or, for the last, in the second half alone.
  std::vector<pricing::bermudan_option> const book{
      {.strike = 40, .expiry = 1},
      {.strike = 36, .expiry = 0.5},
      {.strike = 36, .expiry = 1, .kind = option_kind::call},
      {.strike = 40, .expiry = 1, .first_exercise = 0.5}};
  std::vector<pricing::exercise_estimate> prices(book.size());
  warpfold::host const place; // or a gpu: the same bits
  pricing::simulate(place, model, book, prices, {.paths = 1 << 17, .steps = 50});
  char const* const names[] = {"put", "put of half a year", "call", "put, from half a year on"};
  for (std::size_t i = 0; i < book.size(); ++i)
    std::printf("%s: %.4f +- %.4f, in sample %.4f\n", names[i], prices[i].price.value,
                prices[i].price.standard_error, prices[i].in_sample);
  // The put's exact price with these 50 dates.
  return std::abs(prices[0].price.value - 4.47781) < 4 * prices[0].price.standard_error ? 0 : 1;
}
// [example]
