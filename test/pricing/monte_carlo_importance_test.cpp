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

} // namespace monte_carlo_importance_test
