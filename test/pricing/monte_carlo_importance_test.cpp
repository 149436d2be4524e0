// Paths that drift to where options pay: calls of a large deviation, and options too far away.

#include "monte_carlo.hpp"

#include <cmath>

namespace monte_carlo_importance_test {

using namespace test;
using namespace test::pricing;

// volatility sqrt(expiry) is the deviation. Without a drift these intervals hold the price of 78,
// 55 and 8 % of the seeds: a few paths make the mean.
EVERY_PLACE_OF("drifting paths price calls of a large deviation", T, float, double) {
  for (double const deviation : {3., 4., 6.}) {
    CAPTURE(deviation);
    T const volatility = static_cast<T>(deviation / 4);
    europeans<T> const options(400, {option_kind::call, {100, 100, 16, volatility, 0, 0}});
    double const exact = exact_of(options[0]).mean;
    auto const got =
        simulated<Place, T>(place, options)
            .values({.paths = 1 << 16, .seed = 31, .independent = true, .importance = true});
    std::size_t held = 0;
    for (auto const& one : got) {
      held += holds(one, exact);
      CHECK(std::abs(one.value - exact) < 0.02 * exact);
      CHECK_FALSE(one.too_few_paid);
    }
    MESSAGE(held << " of " << options.size());
    CHECK(held >= 360);
    CHECK(held <= 396);
  }
}

/// An option whose strike is this many deviations from where most paths end.
template <class T>
european<T> far_by(double deviations, option_kind kind, double volatility) {
  double const sign = kind == option_kind::call ? 1 : -1;
  double const strike =
      100 * std::exp(sign * deviations * volatility - volatility * volatility / 2);
  return {kind, {100, static_cast<T>(strike), 1, static_cast<T>(volatility), 0, 0}};
}

// Weights' squares underflow there: errors were 0, and then values were wrong.
EVERY_PLACE_OF("options too far for drifting paths have too few that pay", T, float, double) {
  bool const is_float = sizeof(T) == 4;
  std::vector<double> const near = is_float ? std::vector{8., 8.9} : std::vector{15., 25.9};
  std::vector<double> const far =
      is_float ? std::vector{9.1, 9.5, 10., 13., 15.} : std::vector{26.1, 27., 28., 40.};
  for (double const volatility : {0.01, 0.2})
    for (auto const kind : {option_kind::call, option_kind::put}) {
      CAPTURE(volatility);
      CAPTURE(static_cast<int>(kind));
      europeans<T> options;
      for (double const one : near) options.push_back(far_by<T>(one, kind, volatility));
      for (double const one : far) options.push_back(far_by<T>(one, kind, volatility));
      for (bool const antithetic : {false, true}) {
        auto const got =
            simulated<Place, T>(place, options)
                .values(
                    {.paths = 1 << 16, .seed = 7, .antithetic = antithetic, .importance = true});
        for (std::size_t i = 0; i < options.size(); ++i) {
          CAPTURE(i);
          if (i >= near.size()) {
            CHECK(got[i].too_few_paid);
            continue;
          }
          double const exact = exact_of(options[i]).mean;
          CHECK_FALSE(got[i].too_few_paid);
          CHECK(std::abs(z_score(got[i], exact)) < 4.5);
          CHECK(got[i].standard_error > 0.003 * exact);
          CHECK(got[i].standard_error < 0.03 * exact);
        }
      }
    }
}

// Prices in float overflow if they drift as far as the deviation, where strikes are low.
EVERY_PLACE_OF("drifting paths of calls stay finite", T, float, double) {
  for (double const deviation : {8., 9.})
    for (double const strike : {1e-7, 1e-3, 1., 100., 1e4}) {
      CAPTURE(deviation);
      CAPTURE(strike);
      europeans<T> const options{
          {option_kind::call, {100, static_cast<T>(strike), 1, static_cast<T>(deviation), 0, 0}}};
      double const exact = exact_of(options[0]).mean;
      auto const one =
          simulated<Place, T>(place, options).values({.paths = 1 << 16, .importance = true})[0];
      CHECK_FALSE(one.too_few_paid);
      CHECK(std::abs(one.value - exact) < 4.5 * one.standard_error + 1e-4 * exact);
      CHECK(one.standard_error < 0.04 * exact);
    }
  // Beyond there is no drift.
  T const most = sizeof(T) == 4 ? T(9.1) : T(26.1);
  europeans<T> const options{{option_kind::call, {100, 100, 1, most, 0, 0}}};
  CHECK(simulated<Place, T>(place, options)
            .values({.paths = 1 << 16, .importance = true})[0]
            .too_few_paid);
}

} // namespace monte_carlo_importance_test
