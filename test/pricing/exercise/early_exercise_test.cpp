// Options with early exercise: published and independently computed prices, and limits.

#include "pricing/exercise/early_exercise.hpp"

namespace early_exercise_test {

using namespace test;
using namespace test::early;
namespace pricing = warpfold::pricing;

simulation_options options_of(std::uint64_t paths, int steps, double horizon = 1) {
  return {.paths = paths, .steps = steps, .horizon = horizon, .seed = 11};
}

/// Puts at 40 with rate 6 % and 50 dates a year: Longstaff and Schwartz's cases, whose prices for
/// these dates were computed without simulation. A price is homogeneous in spot and strike, so all
/// spots share their paths.
EVERY_PLACE_OF("Bermudan puts with 50 dates a year", T, float, double) {
  double const spots[] = {36, 38, 40, 42, 44};
  struct row {
    double volatility, expiry, prices[5];
  };
  for (row const& r : {row{0.2, 1, {4.47781, 3.25012, 2.31407, 1.61698, 1.10987}},
                       row{0.2, 2, {4.84023, 3.74476, 2.88456, 2.21236, 1.68983}},
                       row{0.4, 1, {7.10127, 6.14759, 5.31197, 4.58247, 3.94769}},
                       row{0.4, 2, {8.50678, 7.66803, 6.91707, 6.24431, 5.64124}}}) {
    CAPTURE(r.volatility);
    CAPTURE(r.expiry);
    std::vector<bermudan_option> book;
    for (double const spot : spots) book.push_back({40 * 40 / spot, r.expiry});
    auto const got =
        priced<T>(place, black_scholes{40, r.volatility, 0.06}, book,
                  options_of(many<Place> / 2, static_cast<int>(50 * r.expiry), r.expiry));
    for (std::size_t i = 0; i < 5; ++i) {
      CAPTURE(spots[i]);
      check_price(got[i], r.prices[i], 0.005, spots[i] / 40);
      CHECK(got[i].least_rank >= 3); // of few paths in the money, close to each other
    }
  }
}

EVERY_PLACE_OF("a Bermudan put with 10 dates", T, float, double) {
  auto const options = options_of(2 * many<Place>, 10);
  auto const got = priced<T>(place, black_scholes{100, 0.2, 0.1}, {110, 1}, options);
  check_price(got, 10.479520123);
  CHECK(got.regressions == 9);
  CHECK(got.price.paths == options.paths);
}

EVERY_PLACE_OF("mirrored paths, which are exercised at other times", T, float, double) {
  auto options = options_of(2 * many<Place>, 10);
  black_scholes const model{100, 0.2, 0.1};
  auto const plain = priced<T>(place, model, {110, 1}, options);
  options.antithetic = true;
  auto const pairs = priced<T>(place, model, {110, 1}, options);
  check_price(pairs, 10.479520123);
  CHECK(pairs.price.standard_error < 0.8 * plain.price.standard_error);
  CHECK(paying_apart(pairs.price, plain.price) < static_cast<std::int64_t>(options.paths / 100));
  CHECK(same_bits(pairs.in_sample, plain.in_sample));
}

EVERY_PLACE_OF("a Bermudan put in Heston's model", T, float, double) {
  heston const model = heston_of(0.04, 1.5, 0.04, 0.6, -0.7, 0.05);
  auto options = options_of(2 * many<Place>, 5);
  options.longest_step = 0.05;
  auto const got = priced<T>(place, model, {100, 1}, options);
  check_price(got, 5.41262, 0.02); // with the bias of steps
  CHECK(got.least_rank == 7);
  CHECK(got.regressions == 4);
}

/// Prices of the same options by Black and Scholes.
double european(black_scholes const& model, bermudan_option const& of) {
  auto const prices = mills_prices(
      pricing::option<double>{model.spot, of.strike, of.expiry, model.volatility.values()[0],
                              model.rate.values()[0], model.dividend_yield.values()[0]});
  return of.kind == option_kind::call ? prices.call : prices.put;
}

EVERY_PLACE_OF("options that are best kept until expiry have European prices", T, float, double) {
  auto const options = options_of(many<Place>, 12);
  black_scholes const no_dividends{100, 0.3, 0.05}, no_interest{100, 0.3, 0};
  for (double const strike : {80., 100., 125.}) {
    CAPTURE(strike);
    bermudan_option const call{strike, 1, option_kind::call}, put{strike, 1};
    check_price(priced<T>(place, no_dividends, call, options), european(no_dividends, call), 0.05);
    check_price(priced<T>(place, no_interest, put, options), european(no_interest, put), 0.05);
    bermudan_option const late{strike, 1, option_kind::put, 1};
    auto const got = priced<T>(place, no_dividends, late, options);
    check_price(got, european(no_dividends, late), 0);
    CHECK(got.regressions == 0);
    CHECK(got.least_rank == 0);
  }
}

EVERY_PLACE_OF("early exercise is worth no less than none", T, float, double) {
  auto const options = options_of(many<Place> / 4, 12);
  for (double const yield : {0., 0.03, 0.1})
    for (double const strike : {80., 100., 125.})
      for (auto const kind : {option_kind::call, option_kind::put}) {
        black_scholes const model{100, 0.25, 0.06, yield};
        bermudan_option const of{strike, 1, kind};
        auto const got = priced<T>(place, model, of, options).price;
        CHECK(got.value > european(model, of) - 4 * got.standard_error - 0.02);
      }
}

EVERY_PLACE_OF("without randomness exercise is at the best date", T, float, double) {
  double const dates[] = {0, 0.25, 0.5, 1};
  double const near = 1e-5;
  black_scholes const still{36, 0, 0.06};
  auto options = simulation_options{.paths = 1000, .times = dates};
  // A put loses interest on its strike: it is exercised as soon as that is allowed.
  auto const put = priced<T>(place, still, {{40, 1}, {40, 1, option_kind::put, 0.25}}, options);
  CHECK(put[0].price.value == doctest::Approx(4).epsilon(near));
  CHECK(put[1].price.value == doctest::Approx(40 * std::exp(-0.06 * 0.25) - 36).epsilon(near));
  CHECK(put[0].in_sample == doctest::Approx(put[0].price.value).epsilon(near));
  CHECK(put[0].least_rank == 1); // of what does not vary, only the mean
  CHECK(put[0].price.standard_error < 1e-4);
  CHECK(put[0].price.paying == 1000);
  // A call gains it.
  auto const call = priced<T>(place, still, {30, 1, option_kind::call}, options);
  CHECK(call.price.value == doctest::Approx(36 - 30 * std::exp(-0.06)).epsilon(near));
}

EVERY_PLACE_OF("no path in the money, and few of them", T, float, double) {
  auto const options = options_of(2000, 4);
  auto const got = priced<T>(place, black_scholes{100, 0.2, 0.05}, {{1, 1}, {70, 1}}, options);
  CHECK(got[0].price.value == 0);
  CHECK(got[0].in_sample == 0);
  CHECK(got[0].price.paying == 0);
  CHECK(got[0].price.too_few_paid);
  CHECK(got[0].regressions == 0);
  CHECK(got[1].regressions < 3); // a put at 70 has no paths in the money soon
  auto const few = priced<T>(place, black_scholes{100, 0.2, 0.05}, {100, 1}, options_of(1, 4));
  CHECK(few.price.paths == 1);
  CHECK(few.regressions == 0);
}

EVERY_PLACE_OF("an option that is best exercised at once", T, float, double) {
  double const dates[] = {0, 0.5, 1};
  auto const got = priced<T>(place, black_scholes{50, 0.1, 0.1}, {100, 1},
                             simulation_options{.paths = 4096, .times = dates});
  CHECK(got.price.value == 50);
  CHECK(got.price.standard_error == 0);
}

EVERY_PLACE_OF("an expiry before the last time", T, float, double) {
  black_scholes const model{100, 0.2, 0.1};
  auto const options = options_of(many<Place> / 4, 10);
  auto const all = priced<T>(place, model, {{110, 0.5}, {110, 1}}, options);
  auto half = options;
  half.steps = 5;
  half.horizon = 0.5;
  auto const alone = priced<T>(place, model, {110, 0.5}, half);
  double const error = std::hypot(all[0].price.standard_error, alone.price.standard_error);
  CHECK(std::abs(all[0].price.value - alone.price.value) < 4 * error);
  CHECK(all[0].regressions == 4);
  CHECK(all[0].price.value < all[1].price.value);
}

EVERY_PLACE_OF("Heston's model without a volatility of its own", T, float, double) {
  auto const options = options_of(many<Place>, 10);
  auto const model = heston_of(0.04, 1, 0.04, 0, 0.5, 0.1);
  auto const got = priced<T>(place, model, {110, 1}, options);
  check_price(got, 10.479520123);
  CHECK(got.least_rank == 4); // the variance says nothing
}

EVERY_PLACE_OF("early exercise in Heston's model with extreme correlations", T, float, double) {
  auto options = options_of(many<Place> / 4, 8);
  options.longest_step = 1. / 16;
  for (double const correlation : {-1., 1.}) {
    auto const model = heston_of(0.04, 1, 0.06, 0.4, correlation, 0.08, 0.01);
    auto const got = priced<T>(place, model, {105, 1}, options).price;
    auto const none = simulated<T>(place, model, contract{105, 1, settlement::put}, options);
    CHECK(got.value > none.value - 4 * std::hypot(got.standard_error, none.standard_error));
    CHECK(got.value < none.value + 5);
    CHECK(got.standard_error < none.standard_error);
  }
}

TEST_CASE("standard errors of prices with early exercise are what they say") {
  wf::host place(3);
  black_scholes const model{100, 0.2, 0.1};
  double sum = 0, squares = 0;
  int inside = 0;
  constexpr int seeds = 128;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    auto const got =
        priced<float>(place, model, {110, 1},
                      {.paths = 1 << 11, .steps = 10, .seed = seed, .regression_paths = 1 << 13})
            .price;
    double const z = z_score(got, 10.479520123 - 0.008); // what so few regression paths lose
    sum += z;
    squares += z * z;
    inside += std::abs(z) < 1.96;
  }
  CHECK(std::abs(sum / seeds) < 4 / std::sqrt(1. * seeds));
  CHECK(std::abs(squares / seeds - 1) < 4 * std::sqrt(2. / seeds));
  CHECK(inside >= 112);
}

} // namespace early_exercise_test
