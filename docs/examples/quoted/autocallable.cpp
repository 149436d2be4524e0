// [example]
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;

int main() {
  double const years[] = {1, 2, 3, 4, 5}, levels[] = {1, 0.95, 0.9, 0.85, 0.8},
               payments[] = {8, 16, 24, 32, 40};
  std::vector<double> quarters;
  for (int q = 1; q <= 20; ++q) quarters.push_back(q / 4.);

  // A note that may be called once a year, a sum of capped returns, a lookback put,
  std::vector<pricing::schedule> book{
      pricing::autocallable{
          .times = years, .call_levels = levels, .call_payments = payments, .knock_in_level = 0.6},
      pricing::cliquet{.times = quarters, .return_floor = -0.02, .return_cap = 0.03},
      pricing::lookback{.times = quarters, .kind = pricing::option_kind::put}};
  // and one that has no name: it pays 1 a quarter above 80 %, ends above 120 %, and at the end
  // takes part in what is above 100 % or below 70 %.
  pricing::schedule note{.at_end = {.amount = 100, .participation = 50, .strike = 1, .floor = 0},
                         .knocked_in = {.participation = 100}};
  for (double const time : quarters)
    note.dates.push_back(
        {.time = time, .call_level = 1.2, .call_payment = 105, .coupon_level = 0.8, .coupon = 1});
  note.dates.back().knock_in_level = 0.7;
  book.push_back(note);

  std::vector<pricing::estimate> prices(book.size());
  warpfold::host const place; // or a gpu: the same bits
  pricing::black_scholes const model{
      .spot = 100, .volatility = 0.25, .rate = 0.03, .dividend_yield = 0.02};
  pricing::simulation_options const options{.paths = 1 << 18, .times = quarters};
  pricing::simulate(place, model, book, prices, options);
  char const* const names[] = {"autocallable", "cliquet", "lookback", "note"};
  for (std::size_t i = 0; i < book.size(); ++i)
    std::printf("%s: %.4f +- %.4f\n", names[i], prices[i].value, prices[i].standard_error);

  // The worst of two assets takes the place of the price.
  std::vector<pricing::black_scholes> const assets{model,
                                                   {.spot = 50, .volatility = 0.3, .rate = 0.03}};
  double const correlation[] = {1, 0.6, 0.6, 1};
  pricing::simulate(place, pricing::basket_index{assets, correlation}, book, prices, options);
  std::printf("autocallable on the worst of two: %.4f +- %.4f\n", prices[0].value,
              prices[0].standard_error);
  return 0;
}
// [example]
