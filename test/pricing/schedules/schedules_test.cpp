// Products with a schedule on either place, against independent prices, and against their
// definition on known paths.

#include "pricing/schedules/schedules.hpp"

#include <random>

namespace schedules_test {

using namespace test;
using namespace test::schedules;
namespace pricing = warpfold::pricing;

std::vector<double> const years{1, 2, 3, 4, 5}, quarters = equal_times(12, 3);

/// Prices by quadrature from date to date (30 digits for the lookbacks, by Spitzer's identity).
struct known {
  char const* name;
  schedule product;
  double price;
};

EVERY_PLACE_OF("notes that may be called have the known prices", T, float, double) {
  black_scholes const model{100, 0.25, 0.03, 0.02};
  double const down[] = {1, 0.95, 0.9, 0.85, 0.8}, rising[] = {8, 16, 24, 32, 40};
  double const never = schedule_date::never;
  double const callable[] = {never, never, never, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  autocallable const snowball{
      .times = years, .call_levels = down, .call_payments = rising, .knock_in_level = 0.6};
  autocallable phoenix{.times = quarters,
                       .call_levels = callable,
                       .knock_in_level = 0.6,
                       .coupon_level = 0.7,
                       .coupon = 2};
  known const all[] = {{"snowball", snowball, 95.474716197},
                       {"phoenix", phoenix, 99.799842540},
                       {"with memory", (phoenix.memory = true, phoenix), 100.657580267}};
  std::vector<double> times = quarters;
  times.insert(times.end(), {4, 5});
  std::vector<schedule> book;
  for (auto const& one : all) book.push_back(one.product);
  for (bool const antithetic : {false, true}) {
    auto const got =
        simulated<T>(place, model, book,
                     {.paths = many<Place>, .times = times, .seed = 11, .antithetic = antithetic});
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(all[i].name);
      CHECK(std::abs(z_score(got[i], all[i].price)) < 4.5);
      CHECK(got[i].standard_error < 30 / std::sqrt(many<Place>));
    }
  }
}

EVERY_PLACE_OF("the worst of two assets has the known price", T, float, double) {
  std::vector<double> const three{1, 2, 3};
  double const down[] = {1, 0.95, 0.9}, rising[] = {9, 18, 27};
  owned_index const model{{{100, 0.22, 0.025, 0.02}, {50, 0.3, 0.025, 0.01}}, {1, 0.6, 0.6, 1}};
  autocallable const note{
      .times = three, .call_levels = down, .call_payments = rising, .knock_in_level = 0.65};
  for (bool const antithetic : {false, true}) {
    auto const got =
        simulated<T>(place, pricing::basket_index(model), note,
                     {.paths = many<Place>, .times = three, .seed = 12, .antithetic = antithetic});
    CHECK(std::abs(z_score(got, 88.6251)) < 4.5);
  }
}

EVERY_PLACE_OF("a put that is knocked out at one of twelve dates has Cox's price", T, float,
               double) {
  // By the density of his model, from date to date.
  auto const months = equal_times(12, 1);
  schedule put{.at_end = {.participation = -100, .strike = 1, .cap = 0}}; // nothing if knocked out
  for (double const time : months) put.dates.push_back({.time = time, .knock_in_level = 0.8});
  auto const got =
      simulated<T>(place, contracts::cev(), put,
                   {.paths = many<Place>, .times = months, .longest_step = 1. / 48, .seed = 17});
  CHECK(std::abs(got.value - 2.404011) < 4.5 * got.standard_error + 0.002);
  CHECK(got.standard_error < 6 / std::sqrt(many<Place>));
}

EVERY_PLACE_OF("lookbacks have the known prices", T, float, double) {
  black_scholes const model{100, 0.3, 0.05};
  struct row {
    int looks;
    double put, call;
  };
  for (row const& r : {row{12, 17.801937408, 20.260521755}, row{252, 21.978628460, 22.964130102}}) {
    CAPTURE(r.looks);
    auto const times = equal_times(r.looks, 1);
    auto const got =
        simulated<T>(place, model,
                     {lookback{.times = times, .kind = option_kind::put}, lookback{.times = times},
                      lookback{.times = times, .floating = false},
                      lookback{.times = times, .kind = option_kind::put, .floating = false},
                      lookback{.times = times, .floating = false, .strike = 1.2}},
                     {.paths = many<Place> / 4, .times = times, .seed = 13});
    CHECK(std::abs(z_score(got[0], r.put)) < 4.5);
    CHECK(std::abs(z_score(got[1], r.call)) < 4.5);
    // With the forward they make the others, on every path but for rounding.
    double const forward = 100 - 100 * std::exp(-0.05);
    double const error = 5 * 33 / std::sqrt(static_cast<double>(got[0].paths)); // the price's
    CHECK(std::abs(got[0].value + forward - got[2].value) < error);
    CHECK(std::abs(got[1].value - forward - got[3].value) < error);
    CHECK(got[4].value < got[2].value);
    CHECK(got[4].value > got[2].value - 20);
  }
}

EVERY_PLACE_OF("a cliquet is the sum of its forward-starting spreads", T, float, double) {
  double const rate = 0.03, yield = 0.01, volatility = 0.2, floor = -0.02, cap = 0.03;
  black_scholes const model{80, volatility, rate, yield};
  auto const times = equal_times(8, 2);
  auto const call = [&](double strike) {
    return mills_prices<double>({1, strike, 0.25, volatility, rate, yield}).call *
           std::exp(rate * 0.25);
  };
  double const mean = 8 * (floor + call(1 + floor) - call(1 + cap));
  double const unbounded = -redemption::unbounded;
  auto const got = simulated<T>(
      place, model,
      {cliquet{.times = times, .return_floor = floor, .return_cap = cap, .floor = unbounded},
       cliquet{.times = times, .return_floor = floor, .return_cap = cap, .floor = 0.02},
       cliquet{.times = times, .floor = unbounded}},
      {.paths = many<Place>, .times = times, .seed = 14});
  CHECK(std::abs(z_score(got[0], 100 * mean * std::exp(-rate * 2))) < 4.5);
  CHECK(got[1].value > got[0].value);
  double const of_forwards = 8 * (std::exp((rate - yield) * 0.25) - 1);
  CHECK(std::abs(z_score(got[2], 100 * of_forwards * std::exp(-rate * 2))) < 4.5);
}

EVERY_PLACE_OF("products at the end alone are contracts, in every model", T, float, double) {
  // (S - 90)+ is 100 max(level - 0.9, 0).
  std::vector<double> const times{0.5, 1};
  schedule const call{.dates = {{.time = 1}},
                      .at_end = {.participation = 100, .strike = 0.9, .floor = 0}};
  contracts::contract const same{90, 1};
  simulation_options const options{
      .paths = 5000, .times = times, .longest_step = 0.125, .seed = 15, .stream = 2};
  auto const near = [&](auto const& model) {
    auto const a = simulated<T>(place, model, call, options);
    auto const b = contracts::simulated<T>(place, model, same, options);
    CHECK(a.value == doctest::Approx(b.value).epsilon(2e-6));
    CHECK(a.standard_error == doctest::Approx(b.standard_error).epsilon(2e-6));
  };
  near(contracts::ordinary);
  near(contracts::ordinary_local());
  // With jumps of the volatility and yields, in law.
  double const changes[] = {0.4, 1}, values[] = {0.1, 0.3};
  black_scholes const model{100, pricing::curve_pieces{changes, values}, 0.03, 0.01};
  auto many_options = options;
  many_options.paths = many<Place>;
  auto const a = simulated<T>(place, model, call, many_options);
  auto const b = contracts::simulated<T>(place, model, same, many_options);
  CHECK(std::abs(a.value - b.value) < 4.5 * std::hypot(a.standard_error, b.standard_error));
}

/// A model whose price is known: no volatility, and a yield that moves it.
struct known_path {
  std::vector<double> times, prices;
  black_scholes model;

  known_path(int n, double spot, double rate, unsigned seed)
      : times(equal_times(n, 0.1 * n)), model{spot, 0, rate} {
    std::mt19937_64 random{seed};
    std::normal_distribution<double> normal;
    std::vector<double> yields;
    double log_price = 0;
    for (int j = 0; j < n; ++j) {
      double const h =
          times[static_cast<std::size_t>(j)] - (j > 0 ? times[static_cast<std::size_t>(j) - 1] : 0);
      double const move = 0.08 * normal(random);
      yields.push_back(rate - move / h);
      log_price += move;
      prices.push_back(spot * std::exp(log_price));
    }
    model.dividend_yield = pricing::curve_pieces{times, yields};
  }
  /// The worth of a product by definition.
  double worth(schedule const& of, double rate, bool& called) const {
    std::vector<double> seen;
    for (auto const& date : of.dates)
      for (std::size_t j = 0; j < times.size(); ++j)
        if (times[j] == date.time) seen.push_back(prices[j]);
    return schedules::worth(of, seen, model.spot, rate, called);
  }
};

EVERY_PLACE_OF("random products on known paths are worth what the contract says", T, float,
               double) {
  std::mt19937_64 random{16};
  int called = 0;
  for (int const n : {1, 2, 12, 31, 32, 33, 64, 100}) {
    CAPTURE(n);
    double const spot = 70, rate = 0.02;
    known_path const path(n, spot, rate, static_cast<unsigned>(n));
    std::vector<schedule> book;
    for (int i = 0; i < 45; ++i) book.push_back(random_schedule(path.times, random, spot));
    auto const notes = random_notes(path.times, random, 50);
    book.insert(book.end(), notes.begin(), notes.end());
    auto const got = simulated<T>(place, path.model, book, {.paths = 4, .times = path.times});
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      bool was_called = false;
      double const expected = path.worth(book[i], rate, was_called);
      CHECK(got[i].value ==
            doctest::Approx(expected).epsilon(sizeof(T) == 4 ? 2e-5 : 1e-12).scale(10));
      CHECK(got[i].standard_error <= 1e-4);
      called += was_called;
    }
  }
  CHECK(called > 200);
}

EVERY_PLACE_OF("named products become what they say", T, float, double) {
  std::vector<double> const times{0, 1, 2, 3};
  double const never = schedule_date::never, calls[] = {never, never, 1.5, never};
  double const rates[] = {0.2, -0.4, 0.6}; // growth of the price in a year: 1.2, 0.8, 1.4 of it
  black_scholes const model{50, 0, pricing::curve_pieces{std::span(times).last(3), rates}};
  double const discount = std::exp(-0.4),
               levels[] = {1, std::exp(0.2), std::exp(-0.2), std::exp(0.4)};
  auto const worth = [&](schedule const& product) {
    return simulated<T>(place, model, product, {.paths = 2, .times = times}).value;
  };
  auto const is = [](double x) { return doctest::Approx(x).epsilon(3e-6).scale(1); };
  autocallable note{.times = times, .call_levels = calls, .knock_in_level = 0.9, .notional = 10};
  CHECK(worth(note) == is(10 * discount)); // 0.82 in the third year does not count
  note.knock_in_at_end = false;
  CHECK(worth(note) == is(10 * discount)); // knocked in, but above 1 at the end
  note.reference = 80;                     // from 0.625 to 0.93
  CHECK(worth(note) == is(10 * discount * levels[3] * 50 / 80));
  cliquet sum{.times = times, .floor = -redemption::unbounded, .notional = 10};
  double const total = levels[1] - 1 + levels[2] / levels[1] - 1 + levels[3] / levels[2] - 1;
  CHECK(worth(sum) == is(10 * discount * total));
  sum.cap = 0.1;
  sum.reference = 3; // changes no return
  CHECK(worth(sum) == is(10 * discount * 0.1));
  lookback look{.times = times, .notional = 50};
  CHECK(worth(look) == is(50 * discount * (levels[3] - levels[2])));
  look.kind = option_kind::put;
  look.reference = 25;
  CHECK(worth(look) == is(0));
  look.floating = false;
  look.strike = 1.8;
  CHECK(worth(look) == is(50 * discount * (1.8 - 2 * levels[2])));
  // A date that pays no coupon pays no missed one either.
  schedule missed{.dates = {{.time = 1, .coupon_level = 2, .coupon = 5}, {.time = 2}, {.time = 3}},
                  .memory = true};
  CHECK(worth(missed) == 0);
  missed.dates[2].coupon = 1;
  CHECK(worth(missed) == is(6 * discount));
  // At the start, too, equality is no rounding.
  for (int spot = 50; spot <= 150; ++spot) {
    black_scholes const still{static_cast<double>(spot), 0, 0};
    schedule const called{.dates = {{.time = 0,
                                     .call_level = spot / 100.,
                                     .call_payment = 1,
                                     .knock_in_level = spot / 100.}},
                          .at_end = {.amount = 2},
                          .knocked_in = {.amount = 3},
                          .reference = 100};
    CHECK(simulated<T>(place, still, called, {.paths = 2, .times = times}).value == 1);
  }
}

EVERY_PLACE_OF("equality counts as at or above, and not as below", T, float, double) {
  std::vector<double> const times{1, 2};
  black_scholes const still{100, 0, 0};
  auto const worth = [&](schedule const& product) {
    return simulated<T>(place, still, product, {.paths = 2, .times = times}).value;
  };
  schedule note{.dates = {{.time = 1, .call_level = 1, .call_payment = 7}, {.time = 2}},
                .at_end = {.amount = 3},
                .knocked_in = {.amount = 5}};
  CHECK(worth(note) == 7);
  note.dates[0].call_level = 1.001;
  CHECK(worth(note) == 3);
  note.dates[1].knock_in_level = 1;
  CHECK(worth(note) == 3);
  note.dates[1].knock_in_level = 1.001;
  CHECK(worth(note) == 5);
  note.dates[1].coupon_level = 1;
  note.dates[1].coupon = 2;
  CHECK(worth(note) == 7);
  note.dates[0].coupon_level = 2;
  note.dates[0].coupon = 2;
  note.memory = true;
  CHECK(worth(note) == 9);
}

EVERY_PLACE_OF("an index that has not moved is at its start", T, float, double) {
  std::vector<double> const times{0, 1};
  std::vector<black_scholes> const assets{{100, 0, 0}, {50, 0, 0}};
  std::vector<double> const identity{1, 0, 0, 1};
  schedule plain{.dates = {{.time = 0, .call_level = 1, .call_payment = 7}},
                 .at_end = {.amount = 3}};
  schedule coupons = plain; // is not looked at together with others
  coupons.dates[0].coupon = 1;
  coupons.dates[0].coupon_level = 1;
  schedule late = plain;
  late.dates[0].time = 1;
  for (auto const on : {pricing::selection::weighted_sum, pricing::selection::best_of,
                        pricing::selection::worst_of}) {
    pricing::basket_index const model{assets, identity, on};
    auto const got =
        simulated<T>(place, model, {plain, coupons, late}, {.paths = 2, .times = times});
    CHECK(got[0].value == 7);
    CHECK(got[1].value == 8);
    CHECK(got[2].value == 7);
  }
}

EVERY_PLACE_OF("an index of any weights is at its start, to the bit", T, float, double) {
  std::vector<double> const times{0, 1};
  std::uint64_t const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  schedule const note{.dates = {{.time = 0, .call_level = 1, .call_payment = 7}, {.time = 1}},
                      .at_end = {.amount = 3}};
  for (std::size_t n = 2; n <= 8; ++n) {
    std::vector<double> unrelated(n * n), weights(n);
    for (std::size_t i = 0; i < n; ++i) unrelated[i * (n + 1)] = 1;
    std::vector<black_scholes> const assets(
        n, black_scholes{.spot = 100, .volatility = 0.2, .rate = 0});
    for (int k = 0; k < 20; ++k) {
      for (double& weight : weights) weight = std::uniform_real_distribution<>(0, 3)(random);
      pricing::basket_index const model{assets, unrelated, pricing::selection::weighted_sum,
                                        weights};
      CHECK(simulated<T>(place, model, note, {.paths = 2, .times = times}).value == 7);
    }
  }
}

EVERY_PLACE_OF("Heston's price starts at the spot, and stays there without a variance", T, float,
               double) {
  std::vector<double> const times{0, 1};
  schedule const note{
      .dates = {{.time = 0, .coupon_level = 1, .coupon = 7, .knock_in_level = 1}, {.time = 1}},
      .at_end = {.amount = 1},
      .knocked_in = {.amount = 2}};
  pricing::heston moves{.spot = 100,
                        .rate = 0,
                        .variance = 0.04,
                        .reversion = 1,
                        .mean = 0.04,
                        .vol_of_vol = 0.5,
                        .correlation = -0.5};
  CHECK(simulated<T>(place, moves, note, {.paths = 256, .times = times}).value == 8);
  pricing::heston still = moves;
  still.variance = still.mean = still.vol_of_vol = 0;
  schedule late = note;
  late.dates[1].coupon = 5;
  late.dates[1].coupon_level = 1;
  CHECK(simulated<T>(place, still, late, {.paths = 256, .times = times}).value == 13);
}

EVERY_PLACE_OF("an index selects the assets' prices", T, float, double) {
  std::vector<double> const times{1};
  std::vector<double> const identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  // Forwards of 0.8, 1 and 1.3 times the spot.
  std::vector<black_scholes> const assets{
      {10, 0, 0, -std::log(0.8)}, {200, 0, 0, 0}, {3000, 0, 0, -std::log(1.3)}};
  schedule level{.dates = {{.time = 1}}, .at_end = {.participation = 1}};
  using pricing::selection;
  auto const of = [&](selection on, std::vector<double> const& weights) {
    return simulated<T>(place, pricing::basket_index{assets, identity, on, weights}, level,
                        {.paths = 2, .times = times})
        .value;
  };
  auto const is = [](double x) { return doctest::Approx(x).epsilon(1e-6); };
  CHECK(of(selection::worst_of, {}) == is(0.8));
  CHECK(of(selection::best_of, {}) == is(1.3));
  CHECK(of(selection::weighted_sum, {}) == is((0.8 + 1 + 1.3) / 3));
  CHECK(of(selection::weighted_sum, {1, 0, 3}) == is((0.8 + 3 * 1.3) / 4));
  level.reference = 1; // weights are what they say
  CHECK(of(selection::weighted_sum, {}) == is((0.8 + 1 + 1.3) / 3));
  CHECK(of(selection::weighted_sum, {1, 0, 3}) == is(0.8 + 3 * 1.3));
  CHECK(of(selection::worst_of, {1.5, 0.9, 1}) == is(0.9));
  level.reference = 0;
  CHECK(of(selection::worst_of, {0, 1, 2}) == is(1));
  CHECK(of(selection::worst_of, {3, 2, 1}) == is(1.3)); // 2.4, 2 and 1.3, of 1
}

} // namespace schedules_test
