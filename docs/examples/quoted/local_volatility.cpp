// [example]
#include <warpfold/warpfold.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;

int main() {
  // A surface as it is fitted to quotes: volatility^2 time, of time and ln(strike / forward).
  auto const total_variance = [](double t, double k) {
    return 0.04 * t + 0.01 * t * t + t * (0.05 * k * k - 0.04 * k) / std::sqrt(1 + t);
  };
  std::vector<double> times, log_moneyness;
  for (int i = 1; i <= 24; ++i) times.push_back(i * i / 288.); // closer near 0, until 2 years
  for (int i = -20; i <= 20; ++i) log_moneyness.push_back(i / 25.);
  auto const surface = pricing::dupire(total_variance, times, log_moneyness);
  std::printf("violations: %zu calendar, %zu butterfly\n", surface.calendar, surface.butterfly);
  for (double const k : {-0.2, 0., 0.2})
    std::printf("local volatility in a year at %+.1f: %.4f\n", k, surface.grid.at(1, k));

  pricing::local_volatility const model{
      .spot = 100, .rate = 0.03, .dividend_yield = 0.01, .grid = surface.grid};
  double const forward = 100 * std::exp(0.02); // in a year
  std::vector<pricing::contract> const book{
      {.strike = forward, .expiry = 1},
      {.strike = 80, .expiry = 1, .settlement = pricing::settlement::put},
      {.strike = 100, .expiry = 1, .measure = pricing::measure::arithmetic_average}};
  std::vector<pricing::estimate> prices(book.size());
  warpfold::host const place; // or a gpu: the same paths
  pricing::simulate(place, model, book, prices,
                    {.paths = 1 << 20, .steps = 12, .longest_step = 1. / 24, .antithetic = true});
  char const* const names[] = {"call", "put", "call on the average"};
  for (std::size_t i = 0; i < book.size(); ++i)
    std::printf("%s: %.3f +- %.3f\n", names[i], prices[i].value, prices[i].standard_error);
  // The call again, by Black and Scholes's formula with its implied volatility.
  double const deviation = std::sqrt(0.05);
  double const price = std::exp(-0.03) * forward * std::erf(deviation / std::sqrt(8.));
  std::printf("by its implied volatility: %.3f\n", price);
  return std::abs(prices[0].value - price) < 0.03 ? 0 : 1;
}
// [example]
