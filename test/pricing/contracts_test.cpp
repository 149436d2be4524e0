// Contracts on the paths of Heston's model, and of Black and Scholes's with curves, on either place,
// against published and independent prices.

#include "contracts.hpp"

#include <warpfold/pricing/black_scholes.hpp>

#include <array>
#include <numbers>

namespace contracts_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;

struct published {
  char const* name;
  heston model;
  double expiry, longest_step;
  std::vector<double> strikes, prices;
  double bias; ///< of the scheme with these steps: measured, docs/monte-carlo.md
};

/// L. Andersen, Efficient simulation of the Heston stochastic volatility model (2008), cases I, II
/// and III; F. Fang, C. W. Oosterlee, A novel pricing method for European options based on
/// Fourier-cosine series expansions (2008); M. Broadie, O. Kaya, Exact simulation of stochastic
/// volatility and other affine jump diffusion processes (2006). Prices by quadrature, to 9 digits.
std::vector<published> const all_published{
    {"Andersen I",
     heston_of(0.04, 0.5, 0.04, 1, -0.9),
     10,
     0.125,
     {60, 100, 140},
     {44.329975070, 13.084670137, 0.295774436},
     0.06},
    {"Andersen II",
     heston_of(0.04, 0.3, 0.04, 0.9, -0.5),
     15,
     0.125,
     {60, 100, 140},
     {45.286863970, 16.649222920, 5.138190494},
     0.06},
    {"Andersen III",
     heston_of(0.09, 1, 0.09, 1, -0.3, 0.05),
     5,
     0.125,
     {60, 100, 140},
     {56.575024670, 33.596818065, 18.156956893},
     0.06},
    {"Fang and Oosterlee, a year",
     heston_of(0.0175, 1.5768, 0.0398, 0.5751, -0.5711),
     1,
     0.0625,
     {100},
     {5.785155434},
     0.02},
    {"Fang and Oosterlee, ten years",
     heston_of(0.0175, 1.5768, 0.0398, 0.5751, -0.5711),
     10,
     0.125,
     {100},
     {22.318945791},
     0.02},
    {"Broadie and Kaya",
     heston_of(0.010201, 6.21, 0.019, 0.61, -0.7, 0.0319),
     1,
     0.03125,
     {100},
     {6.806113313},
     0.02},
};

EVERY_PLACE_OF("options in Heston's model have the published prices", T, float, double) {
  for (auto const& one : all_published) {
    CAPTURE(one.name);
    std::vector<contract> book;
    for (double const strike : one.strikes) book.push_back({strike, one.expiry});
    for (double const strike : one.strikes)
      book.push_back({strike, one.expiry, settlement::put});
    book.push_back({0, one.expiry, settlement::forward});
    double const forward = 100;
    double const discount = std::exp(-one.model.rate.integral(one.expiry));
    double const times[] = {one.expiry};
    for (bool const antithetic : {false, true}) {
      CAPTURE(antithetic);
      auto const got = simulated<T>(place, one.model, book,
                                    {.paths = many<Place>,
                                     .times = times,
                                     .longest_step = one.longest_step,
                                     .seed = 3,
                                     .antithetic = antithetic});
      std::size_t const n = one.strikes.size();
      for (std::size_t i = 0; i < n; ++i) {
        CAPTURE(i);
        double const call = one.prices[i], put = call - forward + one.strikes[i] * discount;
        CHECK(std::abs(got[i].value - call) < 4 * got[i].standard_error + one.bias);
        CHECK(std::abs(got[n + i].value - put) < 4 * got[n + i].standard_error + one.bias);
        CHECK(got[i].standard_error < 100 / std::sqrt(many<Place>));
        // Call and put differ by the forward, on every path.
        double const parity = got[2 * n].value - one.strikes[i] * discount;
        CHECK(got[i].value - got[n + i].value == doctest::Approx(parity).epsilon(1e-5));
      }
      CHECK(std::abs(z_score(got[2 * n], forward)) < 4.5); // a martingale, without any bias
    }
  }
}

/// The variance's mean and variance after a time: J. C. Cox, J. E. Ingersoll, S. A. Ross, A theory
/// of the term structure of interest rates, Econometrica 53, 1985.
std::array<double, 2> variance_moments(heston const& of, double time) {
  double const decay = std::exp(-of.reversion * time);
  double const span = of.reversion > 0 ? (1 - decay) / of.reversion : time;
  double const noise = of.vol_of_vol * of.vol_of_vol;
  return {of.mean + (of.variance - of.mean) * decay,
          of.variance * noise * decay * span + of.mean * of.reversion * noise * span * span / 2};
}

EVERY_PLACE_OF("other contracts in Heston's model", T, float, double) {
  // By recursion over the characteristic function, with 12 fixings.
  std::vector<double> fixings;
  for (int i = 1; i <= 12; ++i) fixings.push_back(i / 12.);
  contract const geometric{100, 1, settlement::call, measure::geometric_average};
  contract const arithmetic{100, 1, settlement::call, measure::arithmetic_average};
  auto const averages = simulated<T>(
      place, heston_of(0.09, 1.15, 0.0348, 0.39, -0.64, 0.05), {geometric, arithmetic},
      {.paths = many<Place>, .times = fixings, .longest_step = 1. / 24, .seed = 5});
  CHECK(std::abs(averages[0].value - 7.591436) < 4 * averages[0].standard_error + 0.005);
  CHECK(averages[1].value > averages[0].value); // on every path
  CHECK(averages[1].value < 1.05 * averages[0].value);

  contract const variance{0, 1, settlement::forward, measure::realized_variance};
  contract const of_half_a_year{0, 0.5, settlement::forward, measure::realized_variance};
  double const discount = std::exp(-0.01);
  auto const swaps = simulated<T>(
      place, lewis, {variance, of_half_a_year},
      {.paths = many<Place>, .times = fixings, .longest_step = 1. / 48, .seed = 5});
  CHECK(std::abs(swaps[0].value - discount * 0.203560522) <
        4 * swaps[0].standard_error + 0.0005);
  // With an expected integral of (v0 - mean) (1 - e^-kT) / k + mean T.
  double const half = 0.25 + (0.04 - 0.25) * (1 - std::exp(-2.)) / 2;
  CHECK(std::abs(swaps[1].value - std::exp(-0.005) * half) < 4 * swaps[1].standard_error + 0.005);
  CHECK(swaps[1].paying == many<Place>);
}
