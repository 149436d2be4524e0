// Greeks of products with a schedule, on either place.

#include "contents.hpp"
#include "pricing/one_option.hpp"
#include "pricing/schedules/schedules.hpp"

#include <warpfold/pricing/greeks.hpp>

namespace schedule_greeks_test {

using namespace test;
using namespace test::schedules;
namespace pricing = warpfold::pricing;

/// The estimates of a book.
struct results {
  std::vector<estimate> value, delta, gamma, vega, rho, variance;

  template <class Model>
  pricing::greeks of(std::size_t size) {
    for (auto* one : {&value, &delta, &gamma, &rho}) one->resize(size);
    pricing::greeks to{.value = value, .delta = delta, .gamma = gamma, .rho = rho};
    constexpr bool is_heston = std::same_as<Model, heston>;
    (is_heston ? variance : vega).resize(size);
    (is_heston ? to.variance : to.vega) = is_heston ? variance : vega;
    return to;
  }
};
template <class T, class Place, class Model>
results greeks_of(Place& place, Model const& model, std::vector<schedule> const& book,
                  simulation_options const& options) {
  results got;
  pricing::simulate<T>(place, model, book, got.of<Model>(book.size()), options);
  return got;
}

// Triggers of 100, 95, ... % each year, coupons of 8 a year, a knock-in level of 60 % at the end;
// spot 100, rate 3 %, yield 2 %, volatility 25 %. By quadrature from date to date, in 30 digits.
EVERY_PLACE_OF("Greeks of an autocallable", T, float, double) {
  std::vector<double> const years = equal_times(5, 5), levels{1, 0.95, 0.9, 0.85, 0.8},
                            payments{8, 16, 24, 32, 40};
  schedule const snowball = autocallable{
      .times = years, .call_levels = levels, .call_payments = payments, .knock_in_level = 0.6};
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    auto const got =
        greeks_of<T>(place, black_scholes{100, 0.25, 0.03, 0.02}, {snowball},
                     {.paths = 4 * many<Place>, .times = years, .antithetic = antithetic});
    CHECK(std::abs(z_score(got.value[0], 95.474716197)) < 4.5);
    // The bumps' biases are below these.
    CHECK(std::abs(got.delta[0].value - 0.413770) < 4.5 * got.delta[0].standard_error + 1e-3);
    CHECK(std::abs(got.vega[0].value + 72.10639) < 4.5 * got.vega[0].standard_error + 0.3);
    CHECK(got.delta[0].standard_error < 8 / std::sqrt(4 * many<Place>));
    CHECK(got.vega[0].standard_error < 500 / std::sqrt(4 * many<Place>));
  }
}

FAST_EVERY_PLACE_OF("Greeks of products are differences of their prices", T, float, double) {
  auto const times = equal_times(6, 2);
  std::mt19937_64 random{5};
  std::vector<schedule> book; // two kernels
  for (int i = 0; i < 40; ++i) book.push_back(random_schedule(times, random, 100));
  auto held = book;
  for (schedule& one : held)
    if (one.reference == 0) one.reference = 100;
  simulation_options const options{.paths = 700, .times = times, .longest_step = 0.2, .seed = 3};
  auto const check = [&](auto const& model) {
    auto const got = greeks_of<T>(place, model, book, options);
    auto const prices = simulated<T>(place, model, book, options);
    CHECK(same_estimates(got.value, prices));
    auto up = model, down = model;
    up.spot = 101;
    down.spot = 99;
    auto const above = simulated<T>(place, up, held, options);
    auto const below = simulated<T>(place, down, held, options);
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      double const near = 1e-10 * std::abs(prices[i].value) + 1e-10;
      CHECK(std::abs(got.delta[i].value - (above[i].value - below[i].value) / 2) < near);
      CHECK(std::abs(got.gamma[i].value - (above[i].value - 2 * prices[i].value + below[i].value)) <
            near);
      CHECK(got.delta[i].paths == options.paths);
    }
    // In any book, and with numbers of their own.
    for (std::size_t const i : {3, 39}) {
      auto const alone = greeks_of<T>(place, model, {book[i]}, options);
      CHECK(same_estimate(alone.delta[0], got.delta[i]));
      CHECK(same_estimate(alone.rho[0], got.rho[i]));
    }
    auto apart = options;
    apart.independent = true;
    auto const of_two = greeks_of<T>(place, model, {book[0], book[7]}, apart);
    apart.independent = false;
    apart.stream = 1;
    auto const second = greeks_of<T>(place, model, {book[7]}, apart);
    CHECK(same_estimate(of_two.delta[1], second.delta[0]));
  };
  check(black_scholes{100, 0.25, 0.03, 0.02});
  check(contracts::ordinary);
  check(contracts::ordinary_local());
}

EVERY_PLACE_OF("Greeks of products with and without a wait", T, float, double) {
  auto const times = equal_times(6, 2);
  std::mt19937_64 random{6};
  std::vector<schedule> book;
  for (int i = 0; i < 5; ++i) book.push_back(random_schedule(times, random, 100));
  simulation_options const options{.paths = 700, .times = times, .seed = 3};
  black_scholes const model{100, 0.25, 0.03, 0.02};
  auto const expected = greeks_of<T>(place, model, book, options);
  memory_of<Place, estimate> delta(place, std::vector<estimate>(book.size()));
  memory_of<Place, estimate> vega(place, std::vector<estimate>(book.size()));
  pricing::simulate_async<T>(place, model, book, {.delta = delta.all(), .vega = vega.all()},
                             options);
  CHECK(same_estimates(contents(place, delta.all()), expected.delta));
  CHECK(same_estimates(contents(place, vega.all()), expected.vega));
}

} // namespace schedule_greeks_test
