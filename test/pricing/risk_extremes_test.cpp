// Risk figures of numbers that are none, infinite, too large or too small, and how many digits they
// keep of others.

#include "pricing/risk_forms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace risk_extremes_test {

using namespace test;
using namespace warpfold;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE_OF("risk figures of NaN and infinities", T, float, double) {
  T const inf = std::numeric_limits<T>::infinity();
  for (std::size_t const size : {std::size_t{100}, std::size_t{50'000}}) {
    std::vector<T> losses(size);
    for (std::size_t i = 0; i < size; ++i) losses[i] = static_cast<T>(i * 7919 % size);
    risk_options const options{.level = 0.9};
    auto const with = [&](std::size_t count, T x) {
      auto other = losses;
      std::fill_n(other.begin(), count, x);
      return figures(place, other, options);
    };
    for (T const bad : {std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN()})
      CHECK(agree(with(1, bad), {nan, nan, nan, nan, nan, size}));
    CHECK(agree(figures(place, std::vector<T>{3, std::numeric_limits<T>::quiet_NaN()}, {}),
                {nan, nan, nan, nan, nan, 2})); // which have no ends
    // Far below nothing changes, but for the ranks of what is there already.
    auto low = losses;
    std::ranges::replace(low, T(0), -inf);
    CHECK(agree(figures(place, low, options), figures(place, losses, options)));
    risk_figures found = with(1, inf); // above it
    CHECK(found.value_at_risk < infinity);
    CHECK(found.expected_shortfall == infinity);
    CHECK(found.standard_error != found.standard_error);
    found = with(size / 2, inf); // at it
    CHECK(found.value_at_risk == infinity);
    CHECK(found.expected_shortfall == infinity);
    CHECK(found.standard_error != found.standard_error);
    found = with(size, -inf);
    CHECK(found.value_at_risk == -infinity);
    CHECK(found.expected_shortfall == -infinity);
    CHECK(found.standard_error != found.standard_error);
    found = with(size * 19 / 20, -inf); // at it, and numbers above
    CHECK(found.value_at_risk == -infinity);
    CHECK(found.expected_shortfall != found.expected_shortfall);
    CHECK(found.standard_error != found.standard_error);
  }
}

// Excesses' sum and squares' sum are known to their last digit; so are figures, as far as the
// difference in a variance of excesses keeps digits: it is at least `level` times the squares.
EVERY_PLACE_OF("risk figures keep their digits", T, float, double) {
  __extension__ using wide = __float128;
  unsigned const seed = 714;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::normal_distribution<double> normal;
  constexpr std::size_t size = 70'001;
  for (double const offset : {0., 1000., -1e5})
    for (double const level : {1e-4, 0.02, 0.5, 0.975, 0.9995}) {
      CAPTURE(offset);
      CAPTURE(level);
      std::vector<T> losses(size);
      for (T& x : losses) x = static_cast<T>(offset + normal(random));
      risk_figures const found = figures(place, losses, {.level = level});
      wide sum = 0, squares = 0;
      for (T const x : losses)
        if (double const above = static_cast<double>(x) - found.value_at_risk; above > 0) {
          sum += above;
          squares += wide{above} * above;
        }
      wide const n = size, tail = 1 - level;
      wide const shortfall = found.value_at_risk + sum / n / tail;
      auto const unit = std::numeric_limits<double>::epsilon();
      CHECK(std::abs(static_cast<double>(found.expected_shortfall - shortfall)) <=
            2 * unit * std::max(std::abs(found.expected_shortfall), 1.));
      wide const square = (squares - sum * sum / n) / (n - 1) / n / (tail * tail);
      wide const error = found.standard_error;
      CHECK(std::abs(static_cast<double>(error * error / square - 1)) <= unit * (4 + 4 / level));
    }
}

EVERY_PLACE("excesses whose squares' sum is too large for a double") {
  std::vector<double> losses(100, 1.0);
  std::fill_n(losses.begin() + 30, 10, 1e200);
  risk_figures const found = figures(place, losses, {.level = 0.8});
  CHECK(found.expected_shortfall == doctest::Approx(5e199));
  CHECK(found.standard_error != found.standard_error);
}
EVERY_PLACE("excesses whose sum is too large for a double") {
  std::mt19937_64 random{713};
  auto losses = random_values<double>(random, 100'000);
  std::fill_n(losses.begin(), 256, 1.7e308);
  risk_figures const found = figures(place, losses, {.level = 0.4});
  CHECK(std::abs(found.value_at_risk) < 1);
  CHECK(found.expected_shortfall == infinity);
  CHECK(found.standard_error != found.standard_error);
}

EVERY_PLACE("excesses too small for their squares") {
  std::vector<double> losses(100, 1e-300);
  std::fill_n(losses.begin(), 10, 3e-300);
  risk_figures const found = figures(place, losses, {.level = 0.8});
  CHECK(found.expected_shortfall == doctest::Approx(2e-300).epsilon(1e-15).scale(0));
  CHECK(found.standard_error == 0);
}

} // namespace risk_extremes_test
