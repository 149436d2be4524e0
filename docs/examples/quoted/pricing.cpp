// [example]
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;

int main() {
  std::vector<double> const strikes{80, 100, 120, 200};
  std::vector<double> call(4), put(4), vega(4), implied(4);
  std::vector<pricing::implied_status> status(4);
  pricing::host_book<double> const book{
      .spot = 100, .strike = strikes, .expiry = 0.25, .volatility = 0.2, .rate = 0.05};
  warpfold::host const place; // or a gpu: the same bits
  pricing::price(place, book, {.call = call, .put = put, .vega = vega});

  pricing::host_quotes<double> const quotes{.kind = pricing::option_kind::call,
                                            .price = call,
                                            .spot = 100,
                                            .strike = strikes,
                                            .expiry = 0.25,
                                            .rate = 0.05};
  pricing::implied_volatility(place, quotes, {.volatility = implied, .status = status});
  for (int i = 0; i < 4; ++i)
    std::printf("%3g: call %.16g, put %.16g, vega %.6g, implied volatility %.15g\n", strikes[i],
                call[i], put[i], vega[i], implied[i]);
  return status[3] == pricing::implied_status::converged ? 0 : 1;
}
// [example]
