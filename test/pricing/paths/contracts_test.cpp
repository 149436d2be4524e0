// Contracts on the paths of Heston's model, and of Black and Scholes's with curves, on either
// place, against published and independent prices.

#include "pricing/paths/contracts.hpp"

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
     0.02},
    {"Andersen II",
     heston_of(0.04, 0.3, 0.04, 0.9, -0.5),
     15,
     0.125,
     {60, 100, 140},
     {45.286863970, 16.649222920, 5.138190494},
     0.02},
    {"Andersen III",
     heston_of(0.09, 1, 0.09, 1, -0.3, 0.05),
     5,
     0.125,
     {60, 100, 140},
     {56.575024670, 33.596818065, 18.156956893},
     0.02},
    {"Fang and Oosterlee, a year",
     heston_of(0.0175, 1.5768, 0.0398, 0.5751, -0.5711),
     1,
     0.0625,
     {100},
     {5.785155434},
     0.005},
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
     0.005},
};

EVERY_PLACE_OF("options in Heston's model have the published prices", T, float, double) {
  for (auto const& one : all_published) {
    CAPTURE(one.name);
    std::vector<contract> book;
    for (double const strike : one.strikes) book.push_back({strike, one.expiry});
    for (double const strike : one.strikes) book.push_back({strike, one.expiry, settlement::put});
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
        CHECK(got[i].standard_error < 300 / std::sqrt(many<Place>)); // far tails
        // Call and put differ by the forward, on every path.
        double const parity = got[2 * n].value - one.strikes[i] * discount;
        CHECK(got[i].value - got[n + i].value == doctest::Approx(parity).epsilon(1e-5));
      }
      CHECK(std::abs(z_score(got[2 * n], forward)) < 4.5); // a martingale, without any bias
    }
  }
}

EVERY_PLACE_OF("other contracts in Heston's model", T, float, double) {
  // By recursion over the characteristic function, with 12 fixings.
  std::vector<double> fixings;
  for (int i = 1; i <= 12; ++i) fixings.push_back(i / 12.);
  contract const geometric{100, 1, settlement::call, measure::geometric_average};
  contract const arithmetic{100, 1, settlement::call, measure::arithmetic_average};
  auto const averages =
      simulated<T>(place, heston_of(0.09, 1.15, 0.0348, 0.39, -0.64, 0.05), {geometric, arithmetic},
                   {.paths = many<Place>, .times = fixings, .longest_step = 1. / 24, .seed = 5});
  CHECK(std::abs(averages[0].value - 7.591436) < 4 * averages[0].standard_error + 0.005);
  CHECK(averages[1].value > averages[0].value); // on every path
  CHECK(averages[1].value < 1.05 * averages[0].value);

  contract const variance{0, 1, settlement::forward, measure::realized_variance};
  contract const of_half_a_year{0, 0.5, settlement::forward, measure::realized_variance};
  double const discount = std::exp(-0.01);
  auto const swaps =
      simulated<T>(place, lewis, {variance, of_half_a_year},
                   {.paths = many<Place>, .times = fixings, .longest_step = 1. / 48, .seed = 5});
  CHECK(std::abs(swaps[0].value - discount * 0.203560522) < 4 * swaps[0].standard_error + 0.0005);
  // With an expected integral of (v0 - mean) (1 - e^-kT) / k + mean T.
  double const half = 0.25 + (0.04 - 0.25) * (1 - std::exp(-2.)) / 2;
  CHECK(std::abs(swaps[1].value - std::exp(-0.005) * half) < 4 * swaps[1].standard_error + 0.005);
  CHECK(swaps[1].paying == many<Place>);
}

// Prices of a variance that is certain are Black and Scholes's, with the root mean square of the
// volatility.
double certain_price(heston const& model, double strike, double expiry, double integral) {
  double const forward =
      100 * std::exp(model.rate.integral(expiry) - model.dividend_yield.integral(expiry));
  double const discount = std::exp(-model.rate.integral(expiry));
  double const deviation = std::sqrt(integral);
  auto const normal = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  if (deviation == 0) return discount * std::max(forward - strike, 0.);
  double const d = std::log(forward / strike) / deviation + deviation / 2;
  return discount * (forward * normal(d) - strike * normal(d - deviation));
}

EVERY_PLACE_OF("models at their limits", T, float, double) {
  double const unit = std::numeric_limits<T>::epsilon();
  double const times[] = {0.7};
  simulation_options const options{.paths = many<Place>, .times = times, .longest_step = 0.1};
  contract const call{95, 0.7};
  auto const check_certain = [&](heston const& model, double integral) {
    auto const got = simulated<T>(place, model, call, options);
    CAPTURE(got.value);
    double const price = certain_price(model, 95, 0.7, integral);
    CHECK(std::abs(got.value - price) < 4 * got.standard_error + 1000 * unit);
    CHECK(got.standard_error < 30 / std::sqrt(many<Place>));
  };
  auto const integral = [](double variance, double speed, double mean) {
    double const span = speed > 0 ? (1 - std::exp(-speed * 0.7)) / speed : 0.7;
    return mean * 0.7 + (variance - mean) * span;
  };
  for (double const rho : {-1., 0., 0.5, 1.}) {
    CAPTURE(rho);
    // Without volatility of the variance, or next to none.
    for (double const vol_of_vol : {0., 1e-6, 2e-5}) {
      CAPTURE(vol_of_vol);
      check_certain(heston_of(0.04, 2, 0.09, vol_of_vol, rho, 0.03, 0.01), integral(0.04, 2, 0.09));
      check_certain(heston_of(0.04, 0, 0.09, vol_of_vol, rho), 0.04 * 0.7);
      check_certain(heston_of(0.04, 1e-9, 0.09, vol_of_vol, rho), 0.04 * 0.7);
    }
    // Without a variance.
    check_certain(heston_of(0, 0, 0.09, 0.5, rho, 0.03), 0);
    check_certain(heston_of(0, 3, 0, 0.5, rho, 0.03), 0);
  }
  // From no variance, to none, and without reversion: still a martingale.
  for (auto const& model :
       {heston_of(0, 2, 0.05, 0.4, -0.5), heston_of(0.05, 2, 0, 0.4, -0.5),
        heston_of(0.05, 0, 0.04, 0.4, 0.3), heston_of(0.05, 1, 0.04, 0.4, 1),
        heston_of(0.05, 1, 0.04, 0.4, -1), heston_of(0.04, 0.5, 0.04, 3, -0.9)}) {
    auto const got = simulated<T>(
        place, model, {{0, 0.7, settlement::forward}, {100, 0.7}, {100, 0.7, settlement::put}},
        options);
    CHECK(std::abs(z_score(got[0], 100)) < 4.5);
    CHECK(got[0].standard_error < 50 / std::sqrt(many<Place>));
    CHECK(got[1].value > 1);
    CHECK(got[2].value > 1);
  }
}

EVERY_PLACE_OF("curves", T, float, double) {
  double const ends[] = {0.25, 0.75, 1.5}, volatilities[] = {0.3, 0.1, 0.25},
               rates[] = {0.02, 0.06, -0.01}, yields[] = {0.01, 0, 0.03};
  pricing::black_scholes const model{.spot = 100,
                                     .volatility = {{.times = ends, .values = volatilities}},
                                     .rate = {{.times = ends, .values = rates}},
                                     .dividend_yield = {{.times = ends, .values = yields}}};
  std::vector<double> const times{0.1, 0.5, 1, 2};
  std::vector<contract> book;
  for (double const t : times) book.push_back({98, t});
  heston const same{100, model.rate, model.dividend_yield, 0, 0, 0, 0, 0};
  for (double const step : {0., 0.2}) {
    auto const got = simulated<T>(place, model, book,
                                  {.paths = many<Place> * 2, .times = times, .longest_step = step});
    for (std::size_t i = 0; i < times.size(); ++i) {
      CAPTURE(i);
      double const t = times[i];
      // The integrals, by hand.
      auto const within = [&](double from, double to) {
        return std::max(0., std::min(t, to) - from);
      };
      double const variance =
          0.09 * within(0, 0.25) + 0.01 * within(0.25, 0.75) + 0.0625 * within(0.75, 100);
      double const price = certain_price(same, 98, t, variance);
      CHECK(std::abs(z_score(got[i], price)) < 4);
      CHECK(model.rate.integral(t) ==
            doctest::Approx(0.02 * within(0, 0.25) + 0.06 * within(0.25, 0.75) -
                            0.01 * within(0.75, 100)));
    }
  }
  // Constant ones are Black and Scholes's formula.
  auto const flat =
      simulated<T>(place, pricing::black_scholes{100, 0.2, 0.05, 0.01},
                   contract{110, 1, settlement::put}, {.paths = many<Place>, .steps = 1});
  double const reference = certain_price(heston_of(0.04, 0, 0, 0, 0, 0.05, 0.01), 110, 1, 0.04) -
                           100 * std::exp(-0.01) + 110 * std::exp(-0.05);
  CHECK(std::abs(z_score(flat, reference)) < 4);
  // And geometric averages, exactly as lognormal ones: Kemna and Vorst 1990.
  std::vector<double> const fixings{0.25, 0.5, 0.75, 1};
  auto const average = simulated<T>(place, pricing::black_scholes{100, 0.2, 0.05, 0.01},
                                    contract{100, 1, settlement::call, measure::geometric_average},
                                    {.paths = many<Place>, .times = fixings});
  double const mean = (0.04 - 0.02) * 0.625, square = 0.04 * 30. / 64; // sum of min(i, j) / 64
  double const asian = std::exp(-0.05) *
                       certain_price(heston_of(0, 0, 0, 0, 0, mean + square / 2), 100, 1, square) *
                       std::exp(mean + square / 2);
  CHECK(std::abs(z_score(average, asian)) < 4);
}

EVERY_PLACE_OF("expiries at any time that is seen", T, float, double) {
  // At 0, at the first of the times, and at the last; with an observation of the start.
  std::vector<double> const times{0, 0.2, 0.9};
  auto const got = simulated<T>(place, ordinary,
                                {{90, 0},
                                 {100, 0.2, settlement::forward},
                                 {90, 0.9},
                                 {0, 0.2, settlement::forward, measure::arithmetic_average},
                                 {0, 0, settlement::forward, measure::geometric_average}},
                                {.paths = many<Place>, .times = times, .longest_step = 0.1});
  double const unit = std::numeric_limits<T>::epsilon();
  CHECK(got[0].value == doctest::Approx(10).epsilon(50 * unit));
  CHECK(got[0].standard_error <= 1e-6);
  auto const forward = [](double t) { return 100 * std::exp(0.02 * t); };
  CHECK(std::abs(z_score(got[1], std::exp(-0.03 * 0.2) * (forward(0.2) - 100))) < 4);
  CHECK(got[2].value > got[0].value);
  CHECK(std::abs(z_score(got[3], std::exp(-0.03 * 0.2) * (100 + forward(0.2)) / 2)) < 4);
  CHECK(got[4].value == doctest::Approx(100).epsilon(50 * unit));
  // The nearest of two times is taken.
  double const close[] = {1, 1 + 8e-10};
  auto const of_close = simulated<T>(place, ordinary, {{100, 1 + 6e-10}, {100, close[1]}, {100, 1}},
                                     {.paths = 1000, .times = close});
  CHECK(same_estimate(of_close[0], of_close[1]));
  CHECK(of_close[0].value != of_close[2].value);
  // To 1e-9 of it, on either side.
  auto const half = simulated<T>(place, ordinary, contract{100, 0.5}, {.paths = 64, .steps = 2});
  for (double const t : {0.5 * (1 + 5e-10), 0.5 * (1 - 5e-10)})
    CHECK(same_estimate(simulated<T>(place, ordinary, contract{100, t}, {.paths = 64, .steps = 2}),
                        half));
  // One step, and one path.
  auto const one = simulated<T>(place, ordinary, contract{0, 1, settlement::forward},
                                {.paths = many<Place>, .steps = 1});
  CHECK(std::abs(z_score(one, 100 * std::exp(-0.01))) < 4);
  auto const single = simulated<T>(place, ordinary, contract{50, 1}, {.paths = 1, .steps = 1});
  CHECK(single.paths == 1);
  CHECK(std::isinf(single.standard_error));
  CHECK(simulated<T>(place, ordinary, std::vector<contract>{}, {.paths = 10, .steps = 1}).empty());
}

} // namespace contracts_test
