// [example]
#include <warpfold/warpfold.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;

int main() {
  // What the seller of a call may lose in ten days of trading: 2^20 spots, drawn exactly.
  double const days = 10. / 252, expiry = 0.25, volatility = 0.3, drift = 0.02;
  warpfold::host const place; // a GPU has the same bits, for losses in its memory
  std::vector<double> spots(1 << 20), losses(spots.size());
  warpfold::random::normal(place, spots, {.seed = 1});
  for (double& z : spots)
    z = 100 *
        std::exp((drift - volatility * volatility / 2) * days + volatility * std::sqrt(days) * z);

  pricing::host_book<double> book{.spot = spots,
                                  .strike = 100,
                                  .expiry = expiry - days,
                                  .volatility = volatility,
                                  .rate = 0.02};
  pricing::price(place, book, {.call = losses});
  std::vector<double> premium(1);
  book.spot = 100;
  book.expiry = expiry;
  pricing::price(place, book, {.call = premium});
  for (double& loss : losses) loss -= premium[0];

  auto const found = pricing::risk(place, losses, {.level = 0.99});
  std::printf("value at risk      %.3f in [%.3f, %.3f]\n", found.value_at_risk, found.lower,
              found.upper);
  std::printf("expected shortfall %.3f +- %.3f\n", found.expected_shortfall, found.standard_error);
}
// [example]
