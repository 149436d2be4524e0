// [example]
#include <warpfold/warpfold.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace pricing = warpfold::pricing;

int main() {
  pricing::heston const model{.spot = 100,
                              .rate = 0.03,
                              .dividend_yield = 0.01,
                              .variance = 0.05,
                              .reversion = 2,
                              .mean = 0.06,
                              .vol_of_vol = 0.5,
                              .correlation = -0.6};
  std::vector<pricing::contract> const book{
      {.strike = 100, .expiry = 1},
      {.strike = 100, .expiry = 1, .measure = pricing::measure::arithmetic_average}};
  std::vector<pricing::estimate> value(2), delta(2), gamma(2), rho(2), variance(2);
  warpfold::host const place; // or a gpu
  pricing::simulate(
      place, model, book,
      {.value = value, .delta = delta, .gamma = gamma, .rho = rho, .variance = variance},
      {.paths = 1 << 19, .steps = 12, .longest_step = 1. / 24, .antithetic = true});
  char const* const names[] = {"call", "call on the average"};
  for (std::size_t i = 0; i < book.size(); ++i)
    std::printf("%s: %.3f +- %.3f, delta %.4f +- %.4f, gamma %.4f +- %.4f\n"
                "  in the rate %.2f +- %.2f, in the variance %.2f +- %.2f\n",
                names[i], value[i].value, value[i].standard_error, delta[i].value,
                delta[i].standard_error, gamma[i].value, gamma[i].standard_error, rho[i].value,
                rho[i].standard_error, variance[i].value, variance[i].standard_error);
  // The call's, by quadrature.
  double const exact = 0.63989;
  return std::abs(delta[0].value - exact) < 4 * delta[0].standard_error + 0.0005 ? 0 : 1;
}
// [example]
