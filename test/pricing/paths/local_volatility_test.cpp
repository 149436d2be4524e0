// Contracts on paths with a local volatility, on either place, against known prices.

#include "pricing/paths/local_volatility.hpp"

#include <numbers>

namespace local_volatility_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;

/// A call by Black and Scholes's formula, of a forward and a standard deviation of its logarithm.
double call_price(double forward, double strike, double deviation, double discount) {
  auto const normal = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  double const d = std::log(forward / strike) / deviation + deviation / 2;
  return discount * (forward * normal(d) - strike * normal(d - deviation));
}

EVERY_PLACE_OF("a volatility without a smile is Black and Scholes's", T, float, double) {
  double const ends[] = {0.5, 1}, rates[] = {0.02, 0.06};
  pricing::curve const rate({.times = ends, .values = rates});
  // A function of time: 0.1 until 0.5, and linear until 1 and 0.3.
  auto const of_time = grid_of({0.5, 1}, {-1, 1}, [](double t, double) { return 0.4 * t - 0.1; });
  double const integral = 0.01 * 0.5 + (0.01 + 0.03 + 0.09) / 3 * 0.5;
  std::vector<contract> const book{{95, 1}, {110, 1}, {0, 1, settlement::forward}};
  double const times[] = {1};
  for (double const step : {0., 0.3}) {
    simulation_options const options{
        .paths = many<Place>, .times = times, .longest_step = step, .seed = 2};
    for (auto const& [grid, deviation] :
         {std::pair(constant(0.25), 0.25), std::pair(of_time, std::sqrt(integral))}) {
      auto const got = simulated<T>(place, local_volatility{100, rate, 0.01, grid}, book, options);
      double const forward = 100 * std::exp(0.03), discount = std::exp(-0.04);
      for (std::size_t i = 0; i < 2; ++i)
        CHECK(std::abs(z_score(got[i], call_price(forward, book[i].strike, deviation, discount))) <
              4);
      CHECK(std::abs(z_score(got[2], 100 * std::exp(-0.01))) < 4);
      CHECK(got[0].standard_error < 60 / std::sqrt(many<Place>));
    }
    // Equal normals make equal prices, to rounding.
    auto const mine =
        simulated<T>(place, local_volatility{100, rate, 0.01, constant(0.25)}, book, options);
    auto const theirs =
        simulated<T>(place, pricing::black_scholes{100, 0.25, rate, 0.01}, book, options);
    for (std::size_t i = 0; i < book.size(); ++i)
      CHECK(mine[i].value ==
            doctest::Approx(theirs[i].value).epsilon(50 * std::numeric_limits<T>::epsilon()));
  }
}

// By the noncentral chi-squared distribution. The bias of steps of a month and of a year was
// computed: docs/monte-carlo.md. With steps of a year a plain scheme would be 0.2 off.
EVERY_PLACE_OF("Cox's model has its known prices", T, float, double) {
  double const strikes[] = {80, 100, 120}, prices[] = {21.411791689, 7.968853232, 1.896548166};
  std::vector<contract> book;
  for (double const strike : strikes) book.push_back({strike, 1});
  book.push_back({0, 1, settlement::forward});
  struct row {
    bool antithetic;
    double step, bias;
  };
  for (row const& r :
       {row{false, 1. / 12, 0.0003}, row{true, 1. / 12, 0.0003}, row{true, 1, 0.02}}) {
    CAPTURE(r.step);
    auto const got = simulated<T>(place, cev(), book,
                                  {.paths = many<Place> * 16,
                                   .steps = 1,
                                   .longest_step = r.step,
                                   .seed = 3,
                                   .antithetic = r.antithetic});
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(i);
      CHECK(std::abs(got[i].value - prices[i]) < 4 * got[i].standard_error + r.bias);
      CHECK(got[i].standard_error < 6 / std::sqrt(many<Place>));
    }
    CHECK(std::abs(z_score(got[3], 100)) < 4.5); // a martingale
  }
}

// Prices are the surface's own; the bias of these steps is in docs/monte-carlo.md.
EVERY_PLACE_OF("Dupire's volatility gives the prices of its surface", T, float, double) {
  auto const ks = evenly(-1.5, 1, 201);
  auto const times = early_times(60);
  std::vector<double> implied;
  for (double const t : times)
    for (double const k : ks) implied.push_back(ssvi{}.volatility(t, k));
  for (bool const of_function : {true, false}) {
    CAPTURE(of_function);
    auto const surface =
        of_function ? pricing::dupire(ssvi{}, times, ks) : pricing::dupire({times, ks, implied});
    CHECK(surface.violations.empty());
    auto const got = simulated<T>(place, local_volatility{100, 0.02, 0.01, surface.grid},
                                  {{80, 1, settlement::put}, {100, 1}, {120, 1}},
                                  {.paths = many<Place> * 4, .steps = 1, .longest_step = 1. / 52});
    double const prices[] = {2.187708849, 8.427538677, 1.841265954};
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(i);
      CHECK(std::abs(got[i].value - prices[i]) < 4 * got[i].standard_error + 0.02);
    }
  }
}

EVERY_PLACE_OF("forwards of any local volatility are martingales", T, float, double) {
  auto const cliff = grid_of({0.1, 0.5}, {-0.3, -0.05, 0.05, 0.3},
                             [](double t, double k) { return k < 0 ? 0.8 - t : 0.05; });
  auto const dead = grid_of({0}, {0.1, 0.2}, [](double, double k) { return k > 0.15 ? 0. : 0.4; });
  double const times[] = {0.25, 2};
  for (volatility_grid const& grid : {cliff, dead, constant(1.2)})
    for (double const step : {0., 0.1}) {
      auto const got = simulated<T>(place, local_volatility{100, 0.05, 0.02, grid},
                                    {{0, 0.25, settlement::forward}, {0, 2, settlement::forward}},
                                    {.paths = many<Place>, .times = times, .longest_step = step});
      CHECK(std::abs(z_score(got[0], 100 * std::exp(-0.005))) < 4.5);
      CHECK(std::abs(z_score(got[1], 100 * std::exp(-0.04))) < 4.5);
    }
  // Without a volatility nothing moves.
  auto const still =
      simulated<T>(place, local_volatility{100, 0.05, 0, constant(0)},
                   {{90, 2}, {0, 2, settlement::forward, measure::realized_variance}},
                   {.paths = 100, .times = times, .longest_step = 0.1});
  double const unit = std::numeric_limits<T>::epsilon();
  CHECK(still[0].value == doctest::Approx(100 - 90 * std::exp(-0.1)).epsilon(50 * unit));
  CHECK(still[0].standard_error < 1e-5);
  // But for the growth of the forward: (0.05 / 4)^2 + (0.05 * 7 / 4)^2 over two years.
  CHECK(still[1].value == doctest::Approx(std::exp(-0.1) * (0.0125 * 0.0125 + 0.0875 * 0.0875) / 2)
                              .epsilon(1000 * unit));
}

EVERY_PLACE_OF("an outer node that is there again further out changes no price", T, float, double) {
  std::vector<double> const near{-0.3, -0.15, 0, 0.15, 0.3}, far{-5, -0.3, -0.15, 0, 0.15, 0.3, 5};
  std::vector<double> const of_near{0.32, 0.26, 0.21, 0.18, 0.17},
      of_far{0.32, 0.32, 0.26, 0.21, 0.18, 0.17, 0.17};
  std::vector<contract> const book{{60, 10, settlement::put},
                                   {80, 10, settlement::put},
                                   {130, 10},
                                   {0, 10, settlement::forward}};
  double const once[] = {0};
  simulation_options const options{
      .paths = many<Place>, .steps = 1, .horizon = 10, .longest_step = 1. / 12, .seed = 4};
  auto const priced = [&](auto const& places, auto const& values) {
    local_volatility const model{
        .spot = 100, .rate = 0, .grid = pricing::volatility_grid({once, places, values})};
    return simulated<T>(place, model, book, options);
  };
  auto const got = priced(near, of_near), expected = priced(far, of_far);
  for (std::size_t i = 0; i < book.size(); ++i)
    CHECK(got[i].value == doctest::Approx(expected[i].value).epsilon(2e-3));
}

EVERY_PLACE_OF("a volatility that begins late comes as far as one that does not", T, float,
               double) {
  // Nothing moves in the first year.
  auto const smile = [](double k) { return 0.4 + 0.3 * k * k - 0.35 * k; };
  auto const late = grid_of({1, 1.000001}, evenly(-1, 1, 9),
                            [&](double t, double k) { return t > 1 ? smile(k) : 0; });
  auto const now = grid_of({0}, evenly(-1, 1, 9), [&](double, double k) { return smile(k); });
  double const two[] = {2}, one[] = {1};
  std::vector<contract> book{{60, 2, settlement::put}, {130, 2}};
  auto const got = simulated<T>(place, local_volatility{.spot = 100, .rate = 0, .grid = late}, book,
                                {.paths = many<Place>, .times = two, .longest_step = 1. / 24});
  for (auto& each : book) each.expiry = 1;
  auto const expected =
      simulated<T>(place, local_volatility{.spot = 100, .rate = 0, .grid = now}, book,
                   {.paths = many<Place>, .times = one, .longest_step = 1. / 24, .stream = 1});
  for (std::size_t i = 0; i < book.size(); ++i) {
    double const error = std::hypot(got[i].standard_error, expected[i].standard_error);
    CHECK(std::abs(got[i].value - expected[i].value) < 4 * error + 0.01 * expected[i].value);
  }
}

EVERY_PLACE_OF("other contracts on paths with a local volatility", T, float, double) {
  std::vector<double> months;
  for (int i = 1; i <= 12; ++i) months.push_back(i / 12.);
  std::vector<contract> const book{{100, 1, settlement::call, measure::arithmetic_average},
                                   {100, 1, settlement::call, measure::geometric_average},
                                   {0, 1, settlement::forward, measure::realized_variance}};
  simulation_options const options{.paths = many<Place>, .times = months, .longest_step = 1. / 24};
  auto const flat =
      simulated<T>(place, local_volatility{100, 0.05, 0, constant(0.3)}, book, options);
  // Kemna and Vorst's closed form: variance 0.09 13 25 / (6 144).
  double const variance = 0.09 * 13 * 25 / (6 * 144.), mean = (0.05 - 0.045) * 13 / 24;
  CHECK(std::abs(z_score(flat[1], call_price(100 * std::exp(mean + variance / 2), 100,
                                             std::sqrt(variance), std::exp(-0.05)))) < 4);
  CHECK(flat[0].value > flat[1].value);
  double const drift = 0.005 / 12;
  CHECK(std::abs(z_score(flat[2], std::exp(-0.05) * (0.09 + 12 * drift * drift))) < 4);
  // The expected integral of the squared volatility 4 / S of Cox's model has no closed form; it is
  // above the constant one's, as 1 / S is convex.
  auto const cox = simulated<T>(place, cev(), book, options);
  CHECK(cox[2].value > 0.04 + 4 * cox[2].standard_error);
  CHECK(cox[2].value < 0.044);
}

} // namespace local_volatility_test
