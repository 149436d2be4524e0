// Early exercise on correlated assets: published prices, limits and symmetries.

#include "pricing/exercise/basket_exercise.hpp"

namespace basket_exercise_test {

using namespace test;
using namespace test::basket_exercise;
namespace pricing = warpfold::pricing;

simulation_options options_of(std::uint64_t paths, int steps, double horizon = 1) {
  return {.paths = paths, .steps = steps, .horizon = horizon, .seed = 12, .antithetic = true};
}

/// Calls on the largest of independent prices (P. Glasserman, Monte Carlo Methods in Financial
/// Engineering, 2003, 8.6; L. Andersen, M. Broadie, Primal-dual simulation algorithm for pricing
/// multidimensional American options, Management Science 50, 2004). Prices are homogeneous in
/// spots and strike, so all spots share their paths.
EVERY_PLACE_OF("Bermudan calls on the largest of several prices", T, float, double) {
  black_scholes const asset{100, 0.2, 0.05, 0.1};
  struct row {
    std::size_t assets;
    double spot, price, slack; ///< of a price that is known within bounds
  };
  row const rows[] = {{2, 90, 8.0728, 1e-4},    {2, 100, 13.9018, 1e-4}, {2, 110, 21.3438, 1e-4},
                      {3, 90, 11.29, 0.005},    {3, 100, 18.69, 0.005},  {3, 110, 27.58, 0.005},
                      {5, 100, 26.1395, 0.0245}};
  for (std::size_t const n : {2, 3, 5}) {
    CAPTURE(n);
    owned_options book;
    std::vector<row> wanted;
    for (row const& r : rows)
      if (r.assets == n) {
        wanted.push_back(r);
        book.add(std::vector(n, 1.), {.strike = 100 * 100 / r.spot,
                                      .expiry = 3,
                                      .kind = option_kind::call,
                                      .selection = selection::best_of});
      }
    auto const got =
        priced<T>(place, equal_basket(n, asset, 0), book.contracts, options_of(many<Place>, 9, 3));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      row const& r = wanted[i];
      CAPTURE(r.spot);
      double const scale = r.spot / 100, value = scale * got[i].price.value;
      double const error = 4 * scale * got[i].price.standard_error;
      CHECK(value > r.price - r.slack - 0.05 - error);
      CHECK(value < r.price + r.slack + error);
      CHECK(std::abs(scale * got[i].in_sample - r.price) < r.slack + 0.05 + 2 * error);
      CHECK(got[i].regressions == 8);
      CHECK(got[i].least_rank == (n == 2 ? 9 : 11));
    }
  }
}

/// A geometric average of lognormal prices is one lognormal price. Its options, for the same dates,
/// by recursion over a grid of that price.
EVERY_PLACE_OF("Bermudan puts on the geometric average of five prices", T, float, double) {
  owned_basket const model = equal_basket(5, {100, 0.4, 0.05}, 0.5);
  owned_options book;
  book.add(std::vector(5, 0.2),
           {.strike = 100, .expiry = 1, .selection = selection::weighted_product});
  auto const got = priced<T>(place, model, book.contracts, options_of(many<Place>, 10))[0];
  check_price(got, 11.196899476, 0.005);
  CHECK(got.regressions == 9);
  CHECK(got.least_rank == 11);
}

EVERY_PLACE_OF("a basket of which one asset counts", T, float, double) {
  owned_basket model = equal_basket(3, {80, 0.4, 0.1, 0.03}, 0.3);
  model.assets[1] = {100, 0.2, 0.1};
  owned_options book;
  for (auto const on : {selection::weighted_sum, selection::best_of, selection::worst_of,
                        selection::weighted_product})
    book.add({0, 1, 0}, {.strike = 110, .expiry = 1, .selection = on});
  auto const got = priced<T>(place, model, book.contracts, options_of(many<Place>, 10));
  for (auto const& of : got) {
    check_price(of, 10.479520123, 0.02);
    CHECK(of.least_rank == 4);
    CHECK(of.regressions == 9);
  }
}

EVERY_PLACE_OF("perfectly correlated assets are one asset", T, float, double) {
  owned_basket const model = equal_basket(5, {36, 0.2, 0.06}, 1);
  owned_options book;
  book.add({0.2, 0.3, 0.1, 0.1, 0.3}, {.strike = 40, .expiry = 1});
  book.add({2, -1, 1, -1, 0}, {.strike = 40, .expiry = 1});
  book.add({1, 1, 1, 1, 1}, {.strike = 40, .expiry = 1, .selection = selection::best_of});
  book.add({1, 1, 0, 1, 1}, {.strike = 40, .expiry = 1, .selection = selection::worst_of});
  book.add({0.4, 0.3, 0, 0.2, 0.1},
           {.strike = 40, .expiry = 1, .selection = selection::weighted_product});
  for (auto const& of : priced<T>(place, model, book.contracts, options_of(many<Place> / 4, 50))) {
    check_price(of, 4.47781, 0.01);
    CHECK(of.least_rank == 4);
  }
}

EVERY_PLACE_OF("perfectly correlated assets whose volatilities change", T, float) {
  double const changes[] = {0.37, 1}, values[] = {0.1, 0.4};
  black_scholes const asset{100, pricing::curve_pieces{changes, values}, 0.08, 0.02};
  auto const options = options_of(many<Place> / 2, 4);
  owned_options book;
  book.add({0.5, 0.5}, {.strike = 104, .expiry = 1});
  auto const got = priced<T>(place, equal_basket(2, asset, 1), book.contracts[0], options);
  auto const one = early::priced<T>(place, asset, {104, 1}, options);
  double const error = std::hypot(got.price.standard_error, one.price.standard_error);
  CHECK(std::abs(got.price.value - one.price.value) < 4 * error);
  CHECK(error < 0.08);
}

EVERY_PLACE_OF("early exercise on baskets is worth no less than none", T, float, double) {
  auto const options = options_of(many<Place> / 8, 6);
  for (std::size_t const n : {2, 4, 7}) {
    CAPTURE(n);
    owned_basket const model = random_basket(n, n, 3, 0.08);
    owned_options book;
    owned_book europeans;
    for (auto const on : {selection::worst_of, selection::best_of, selection::weighted_sum})
      for (auto const kind : {option_kind::put, option_kind::call}) {
        double const strike = on == selection::worst_of ? 80 : on == selection::best_of ? 120 : -5;
        std::vector<double> weights(n, 1);
        if (on == selection::weighted_sum) weights[0] = 1 - static_cast<double>(n);
        book.add(weights, {.strike = strike, .expiry = 1, .kind = kind, .selection = on});
        book.add(
            weights,
            {.strike = strike, .expiry = 1, .kind = kind, .first_exercise = 1, .selection = on});
        europeans.add(weights, {.strike = strike,
                                .expiry = 1,
                                .settlement = static_cast<settlement>(kind),
                                .selection = on});
      }
    auto const got = priced<T>(place, model, book.contracts, options);
    auto const none = simulated<T>(place, model, europeans.contracts, options);
    for (std::size_t i = 0; i < none.size(); ++i) {
      CAPTURE(i);
      auto const &early = got[2 * i], &late = got[2 * i + 1];
      double const error = std::hypot(none[i].standard_error, early.price.standard_error);
      CHECK(early.price.value > none[i].value - 4 * error - 0.05);
      CHECK(early.price.value < none[i].value + 20);
      CHECK(early.regressions > 0);
      CHECK(std::abs(late.price.value - none[i].value) <
            4 * std::numbers::sqrt2 * none[i].standard_error);
      CHECK(late.regressions == 0);
      if (i == 0) CHECK(early.price.value > late.price.value); // interest on the strike
    }
  }
}

EVERY_PLACE_OF("assets in another order have the same prices", T, float, double) {
  owned_basket const model = random_basket(4, 4, 9, 0.06);
  std::size_t const order[] = {2, 0, 3, 1};
  owned_basket other = model;
  for (std::size_t i = 0; i < 4; ++i) {
    other.assets[i] = model.assets[order[i]];
    for (std::size_t j = 0; j < 4; ++j)
      other.correlation[i * 4 + j] = model.between(order[i], order[j]);
  }
  owned_options book, permuted;
  for (auto const on : {selection::worst_of, selection::best_of, selection::weighted_sum}) {
    std::vector<double> const weights{0.3, 0.5, 0, 0.4};
    bermudan_basket_option const option{.strike = on == selection::worst_of  ? 35.
                                                  : on == selection::best_of ? 65.
                                                                             : 120.,
                                        .expiry = 1,
                                        .selection = on};
    book.add(weights, option);
    permuted.add({weights[2], weights[0], weights[3], weights[1]}, option);
  }
  auto const options = options_of(many<Place> / 2, 6);
  auto const here = priced<T>(place, model, book.contracts, options);
  auto const there = priced<T>(place, other, permuted.contracts, options);
  for (std::size_t i = 0; i < here.size(); ++i) {
    CAPTURE(i);
    double const error = std::hypot(here[i].price.standard_error, there[i].price.standard_error);
    CHECK(std::abs(here[i].price.value - there[i].price.value) < 4 * error);
    CHECK(here[i].price.value > 20 * error);
  }
}

EVERY_PLACE_OF("without randomness baskets are exercised at the best date", T, float, double) {
  double const dates[] = {0, 0.25, 0.5, 1};
  owned_basket const still{{{36, 0, 0.06}, {50, 0, 0.06, 0.2}}, equal_correlation(2, 0)};
  owned_options book;
  auto const add = [&](std::vector<double> const& weights, double strike, option_kind kind,
                       double first, selection on) {
    book.add(weights, {{}, strike, 1, kind, first, on});
  };
  add({1, 0}, 40, option_kind::put, 0, selection::weighted_sum);
  add({1, 1}, 40, option_kind::put, 0.25, selection::worst_of);
  add({1, 0.1}, 30, option_kind::call, 0, selection::best_of);
  add({0, 0}, 5, option_kind::put, 0.5, selection::weighted_sum);        // a payment of 5
  add({1e20, 1e-20}, 1e21, option_kind::put, 0.25, selection::worst_of); // small, but not absent
  auto const got = priced<T>(place, still, book.contracts, {.paths = 1000, .times = dates});
  double const expected[] = {4, 40 * std::exp(-0.06 * 0.25) - 36, 36 - 30 * std::exp(-0.06),
                             5 * std::exp(-0.06 * 0.5), 1e21 * std::exp(-0.06 * 0.25)};
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(got[i].price.value == doctest::Approx(expected[i]).epsilon(1e-5));
    CHECK(got[i].in_sample == doctest::Approx(expected[i]).epsilon(1e-5));
    CHECK(got[i].least_rank == 1); // of what does not vary, only the mean
    CHECK(got[i].price.paying == 1000);
  }
}

EVERY_PLACE_OF("baskets that are never in the money, and few paths", T, float) {
  owned_basket const model = random_basket(5, 5, 2);
  owned_options book;
  book.add({1, 1, 1, 1, 1}, {.strike = 1, .expiry = 1, .selection = selection::worst_of});
  auto const got = priced<T>(place, model, book.contracts[0], options_of(2000, 4));
  CHECK(got.price.value == 0);
  CHECK(got.in_sample == 0);
  CHECK(got.price.paying == 0);
  CHECK(got.regressions == 0);
  book.contracts[0].strike = 200;
  auto options = options_of(2000, 4);
  options.regression_paths = 43; // a rule takes four a regressor
  CHECK(priced<T>(place, model, book.contracts[0], options).regressions == 0);
  options.regression_paths = 44;
  CHECK(priced<T>(place, model, book.contracts[0], options).regressions == 3);
}

} // namespace basket_exercise_test
