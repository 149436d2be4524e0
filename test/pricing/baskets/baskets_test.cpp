// Contracts on correlated assets, on either place, against published prices and closed forms.

#include "pricing/baskets/baskets.hpp"

namespace baskets_test {

using namespace test;
using namespace test::baskets;
namespace pricing = warpfold::pricing;

struct published {
  char const* name;
  owned_basket model;
  std::vector<double> weights;
  basket_contract contract;
  double price;
};

/// W. Margrabe (1978) and R. Stulz (Options on the minimum or the maximum of two risky assets,
/// 1982), with the numbers of E. G. Haug, The complete guide to option pricing formulas (2007); the
/// average of four as in M. Krekel and others, An analysis of pricing methods for basket options
/// (2004). Prices by quadrature, to 9 digits.
std::vector<published> all_published() {
  std::vector<double> const half = equal_correlation(3, 0.5), ones(3, 1);
  owned_basket const stulz{{{100, 0.11, 0.05, 0.06}, {105, 0.16, 0.05, 0.09}},
                           equal_correlation(2, 0.63)};
  owned_basket const three{{{100, 0.2, 0.05}, {100, 0.3, 0.05}, {100, 0.4, 0.05}}, half};
  basket_contract of_stulz{.strike = 98, .expiry = 0.5, .selection = selection::best_of};
  basket_contract of_three{.strike = 100, .expiry = 1, .selection = selection::best_of};
  std::vector<published> all{
      {"Margrabe",
       {{{22, 0.2, 0.1, 0.06}, {20, 0.15, 0.1, 0.04}}, equal_correlation(2, -0.5)},
       {1, -1},
       {.strike = 0, .expiry = 0.1},
       2.125061999},
      {"Stulz, the larger", stulz, {1, 1}, of_stulz, 8.070077185},
      {"three assets, the best", three, ones, of_three, 27.519498742},
      {"average of four",
       {std::vector<black_scholes>(4, {100, 0.4, 0}), equal_correlation(4, 0.5)},
       std::vector<double>(4, 0.25),
       {.strike = 100, .expiry = 5},
       28.0073695},
      {"spread of futures",
       {std::vector<black_scholes>{{122, 0.2, 0.1, 0.1}, {120, 0.2, 0.1, 0.1}},
        equal_correlation(2, 0.5)},
       {1, -1},
       {.strike = 3, .expiry = 0.5},
       6.025462883}};
  of_stulz.selection = of_three.selection = selection::worst_of;
  of_three.settlement = settlement::put;
  all.push_back({"Stulz, the smaller", stulz, {1, 1}, of_stulz, 2.933940735});
  all.push_back({"three assets, put on the worst", three, ones, of_three, 17.736645405});
  return all;
}

EVERY_PLACE_OF("contracts on correlated assets have the published prices", T, float, double) {
  for (published const& one : all_published()) {
    CAPTURE(one.name);
    basket_contract contract = one.contract;
    contract.weights = one.weights;
    double const times[] = {one.contract.expiry};
    for (bool const antithetic : {false, true})
      for (double const longest : {0., one.contract.expiry / 2.5}) {
        CAPTURE(antithetic);
        CAPTURE(longest);
        auto const got = simulated<T>(place, one.model, contract,
                                      {.paths = many<Place>,
                                       .times = times,
                                       .longest_step = longest,
                                       .seed = 11,
                                       .antithetic = antithetic});
        CHECK(std::abs(z_score(got, one.price)) < 4);
        CHECK(got.standard_error < 4 * one.price / std::sqrt(many<Place>));
      }
  }
}

/// Options to exchange any two assets, and forwards on each.
template <class T, class Place>
void check_pairs(Place& place, owned_basket const& model, std::vector<double> const& times,
                 auto price_of) {
  std::size_t const n = model.size();
  owned_book book;
  std::vector<double> prices;
  for (std::size_t k = 0; k < times.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) {
      double const t = times[k];
      std::size_t const j = (i + 1 + k) % n, far = (i + n / 2) % n;
      for (std::size_t const other : {j, far}) {
        if (other == i) continue;
        book.add(pair_weights(n, i, other, -1), {.strike = 0, .expiry = t});
        prices.push_back(price_of(i, other, t));
      }
      book.add(pair_weights(n, i, i, 1),
               {.strike = 50, .expiry = t, .settlement = settlement::forward});
      prices.push_back(model.assets[i].spot *
                           std::exp(-model.assets[i].dividend_yield.integral(t)) -
                       50 * std::exp(-model.assets[0].rate.integral(t)));
    }
  auto const got =
      simulated<T>(place, model, book.contracts, {.paths = many<Place>, .times = times, .seed = 5});
  double squares = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    double const unit = 200 * std::numeric_limits<T>::epsilon();
    double const apart = std::abs(got[i].value - prices[i]) - unit * 100;
    CHECK(apart < 4.5 * got[i].standard_error);
    squares += got[i].standard_error > 0 ? std::pow(z_score(got[i], prices[i]), 2) : 0;
  }
  CHECK(squares < 3 * static_cast<double>(got.size())); // they are not independent
}

EVERY_PLACE_OF("every two of up to sixteen assets are correlated as the matrix says", T, float,
               double) {
  for (std::size_t const n : {2, 3, 4, 5, 8, 9, 16}) {
    CAPTURE(n);
    auto const model = random_basket(n, n, 40 + static_cast<unsigned>(n));
    check_pairs<T>(place, model, {0.4, 1.5}, [&](std::size_t i, std::size_t j, double t) {
      return exchange_price(model, i, j, t);
    });
  }
}

EVERY_PLACE_OF("assets that depend on others", T, float, double) {
  for (std::size_t const n : {3, 5, 16})
    for (std::size_t const rank : {std::size_t{1}, std::size_t{2}, n - 1}) {
      CAPTURE(n);
      CAPTURE(rank);
      auto const model = random_basket(n, rank, 7);
      check_pairs<T>(place, model, {1}, [&](std::size_t i, std::size_t j, double t) {
        return exchange_price(model, i, j, t);
      });
    }
}

// Where volatilities change at different times the covariance is not that of their means.
EVERY_PLACE_OF("volatilities, rates and yields that change with time", T, float, double) {
  double const ends[] = {0.25, 1, 2}, other_ends[] = {0.5, 0.75};
  double const falling[] = {0.6, 0.05, 0.3}, rising[] = {0.1, 0.5}, rates[] = {0.02, 0.06, 0.01};
  double const yields[] = {0.05, -0.01};
  pricing::curve const rate{{.times = ends, .values = rates}};
  owned_basket const model{{{100, {{.times = ends, .values = falling}}, rate},
                            {95, {{.times = other_ends, .values = rising}}, rate, 0.03},
                            {105, 0.25, rate, {{.times = other_ends, .values = yields}}}},
                           {1, 0.8, -0.3, 0.8, 1, 0.1, -0.3, 0.1, 1}};
  auto const volatility = [&](std::size_t i, double t) {
    if (i == 0) return t < 0.25 ? 0.6 : t < 1 ? 0.05 : 0.3;
    if (i == 1) return t < 0.5 ? 0.1 : 0.5;
    return 0.25;
  };
  auto const covariance = [&](std::size_t i, std::size_t j, double until) {
    double const all[] = {0, 0.25, 0.5, 1, 3};
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
      double const length = std::min(all[k + 1], until) - all[k], middle = all[k] + 1e-3;
      if (length > 0) sum += volatility(i, middle) * volatility(j, middle) * length;
    }
    return model.between(i, j) * sum;
  };
  for (std::vector<double> const& times : std::vector<std::vector<double>>{{3}, {0.2, 0.25, 0.9}})
    check_pairs<T>(place, model, times, [&](std::size_t i, std::size_t j, double t) {
      return exchange_price(model, i, j, t, covariance(i, i, t), covariance(j, j, t),
                            covariance(i, j, t));
    });
}

EVERY_PLACE_OF("correlations of 1 and -1", T, float, double) {
  std::vector<double> const each{1, 1}, apart{1, -1};
  simulation_options const options{.paths = many<Place>, .steps = 3, .seed = 2};
  auto const of = [&](double rho) {
    return owned_basket{std::vector<black_scholes>(2, {100, 0.3, 0.02, 0.01}),
                        equal_correlation(2, rho)};
  };
  std::vector<basket_contract> const book{
      {each, 100, 1, settlement::call, selection::best_of},
      {each, 100, 1, settlement::call, selection::worst_of},
      {apart, 0, 1, settlement::forward, selection::weighted_sum},
      {each, 200, 1, settlement::call, selection::weighted_sum}};
  // All paths have one price.
  auto const one = simulated<T>(place, of(1), book, options);
  CHECK(same_estimate(one[0], one[1]));
  CHECK(std::abs(one[2].value) < std::numeric_limits<T>::epsilon()); // of a product in fma
  CHECK(one[2].standard_error < std::numeric_limits<T>::epsilon());
  double const discount = std::exp(-0.02);
  double const call = discount * black_call(100 * std::exp(0.01), 100, 0.3);
  CHECK(std::abs(z_score(one[0], call)) < 4);
  CHECK(std::abs(z_score(one[3], 2 * call)) < 4);
  // One normal moves both, to opposite sides: an integral over it.
  auto const mirrored = simulated<T>(place, of(-1), book, options);
  double best = 0, worst = 0, sum = 0, all = 0;
  for (double z = -8; z < 8; z += 1e-3) {
    double const weight = std::exp(-z * z / 2), forward = 100 * std::exp(0.01 - 0.045);
    double const up = forward * std::exp(0.3 * z), down = forward * std::exp(-0.3 * z);
    all += weight;
    best += weight * std::max(std::max(up, down) - 100, 0.);
    worst += weight * std::max(std::min(up, down) - 100, 0.);
    sum += weight * std::max(up + down - 200, 0.);
  }
  CHECK(std::abs(z_score(mirrored[0], discount * best / all)) < 4);
  CHECK(worst == 0);
  CHECK(mirrored[1].value == 0);
  CHECK(std::abs(z_score(mirrored[3], discount * sum / all)) < 4);
  CHECK(sum / all < 10); // little of the 23 of two calls
}

EVERY_PLACE_OF("an asset without volatility", T, float, double) {
  owned_basket const model{{{100, 0.25, 0.03, 0.01}, {90, 0, 0.03, -0.02}},
                           equal_correlation(2, 0.4)};
  double const f = 100 * std::exp(0.02), certain = 90 * std::exp(0.05), discount = std::exp(-0.03);
  std::vector<double> const each{1, 1}, second{0, 1};
  auto const got = simulated<T>(place, model,
                                {{each, 0, 1, settlement::forward, selection::best_of},
                                 {each, 95, 1, settlement::put, selection::worst_of},
                                 {each, 200, 1},
                                 {second, 80, 1, settlement::forward, selection::worst_of}},
                                {.paths = many<Place>, .steps = 2});
  double const over = black_call(f, certain, 0.25);
  CHECK(std::abs(z_score(got[0], discount * (certain + over))) < 4);
  // A put on the smaller, where the certain price is above a strike of 95 or below.
  double const put = black_call(f, std::min(95., certain), 0.25) - f + std::min(95., certain);
  CHECK(std::abs(z_score(got[1], discount * (put + std::max(95 - certain, 0.)))) < 4);
  CHECK(std::abs(z_score(got[2], discount * black_call(f, 200 - certain, 0.25))) < 4);
  double const unit = std::numeric_limits<T>::epsilon();
  CHECK(got[3].value == doctest::Approx(discount * (certain - 80)).epsilon(20 * unit));
  CHECK(got[3].standard_error < 1e-5);
}

EVERY_PLACE_OF("another order of the assets leaves the prices", T, float, double) {
  std::size_t const n = 6;
  auto const model = random_basket(n, n, 3);
  std::vector<double> const times{0.5, 1};
  auto const book = every_contract(n, 36, times);
  simulation_options options{.paths = many<Place>, .times = times, .seed = 8};
  auto const straight = simulated<T>(place, model, book.contracts, options);
  auto const from = [&](std::size_t i) { return (5 * i + 2) % n; };
  owned_basket other{{}, std::vector<double>(n * n)};
  for (std::size_t i = 0; i < n; ++i) {
    other.assets.push_back(model.assets[from(i)]);
    for (std::size_t j = 0; j < n; ++j)
      other.correlation[i * n + j] = model.between(from(i), from(j));
  }
  owned_book others;
  for (std::size_t k = 0; k < book.size(); ++k) {
    std::vector<double> weights(n);
    for (std::size_t i = 0; i < n; ++i) weights[i] = book.weights[k][from(i)];
    others.add(weights, book.contracts[k]);
  }
  options.stream = 1;
  auto const permuted = simulated<T>(place, other, others.contracts, options);
  for (std::size_t k = 0; k < book.size(); ++k) {
    CAPTURE(k);
    double const error = std::hypot(straight[k].standard_error, permuted[k].standard_error);
    CHECK(std::abs(straight[k].value - permuted[k].value) <= 4.5 * error);
    CHECK(permuted[k].standard_error ==
          doctest::Approx(straight[k].standard_error).epsilon(0.2).scale(0.01));
  }
}

EVERY_PLACE_OF("averages over the times", T, float, double) {
  owned_basket const model{{{100, 0.3, 0.05, 0.01}, {110, 0.2, 0.05, 0.03}, {95, 0.4, 0.05}},
                           equal_correlation(3, 0.3)};
  std::vector<double> const times{0, 0.25, 0.5, 1}, each{1, 1, 1}, first{1, 0, 0}, sum{2, -1, 0.5};
  auto const average = measure::arithmetic_average;
  auto const forward = settlement::forward;
  simulation_options const options{.paths = many<Place>, .times = times, .seed = 9};
  auto const got =
      simulated<T>(place, model,
                   {{sum, -20, 1, forward, selection::weighted_sum, average},
                    {first, 100, 1, settlement::call, selection::weighted_sum, average},
                    {first, 100, 1, settlement::call, selection::best_of, average},
                    {first, 100, 1, settlement::call, selection::worst_of, average},
                    {{each.data(), 3}, 0, 0.5, forward, selection::best_of, average},
                    {{each.data(), 3}, 0, 0.5, forward, selection::worst_of, average},
                    {each, 90, 0, settlement::put, selection::worst_of, average},
                    {each, 90, 0, settlement::call, selection::worst_of}},
                   options);
  double mean = 20;
  for (std::size_t i = 0; i < 3; ++i)
    for (double const t : times)
      mean += sum[i] * model.assets[i].spot / 4 *
              std::exp((0.05 - model.assets[i].dividend_yield.values()[0]) * t);
  CHECK(std::abs(z_score(got[0], std::exp(-0.05) * mean)) < 4);
  // One asset's is that of the contract on one asset, by other normals.
  pricing::contract const asian{100, 1, settlement::call, average};
  estimate single[1];
  pricing::simulate<T>(place, model.assets[0], std::span(&asian, 1), single, options);
  CHECK(std::abs(got[1].value - single[0].value) <
        4 * std::hypot(got[1].standard_error, single[0].standard_error));
  double const near = 10 * std::numeric_limits<T>::epsilon();
  for (std::size_t const k : {2, 3})
    CHECK(got[k].value == doctest::Approx(got[1].value).epsilon(near));
  CHECK(got[4].value > 1.1 * got[5].value);
  CHECK(got[6].value == 0);
  CHECK(got[7].value == doctest::Approx(5).epsilon(100 * near));
  CHECK(got[7].paying == many<Place>);
}

EVERY_PLACE_OF("the best and the worst of two are the two", T, float, double) {
  auto const model = random_basket(2, 2, 12);
  std::vector<double> const weights{0.8, 1.3};
  std::vector<double> const times{0.3, 0.9};
  std::vector<basket_contract> book;
  for (auto const on : {measure::price, measure::arithmetic_average})
    for (auto const select : {selection::weighted_sum, selection::best_of, selection::worst_of})
      book.push_back({weights, 0, 0.9, settlement::forward, select, on});
  auto const got = simulated<T>(place, model, book, {.paths = 3001, .times = times});
  for (std::size_t const k : {0, 3})
    CHECK(got[k + 1].value + got[k + 2].value ==
          doctest::Approx(got[k].value).epsilon(10 * std::numeric_limits<T>::epsilon()));
  CHECK(got[1].value > 1.1 * got[2].value);
}

EVERY_PLACE_OF("one path, one time, no contract", T, float, double) {
  auto const model = random_basket(9, 9, 1);
  std::vector<double> const weights(9, 1);
  auto const one =
      simulated<T>(place, model, basket_contract{weights, -1, 1}, {.paths = 1, .steps = 1});
  CHECK(one.paths == 1);
  CHECK(one.value > 100);
  CHECK(std::isinf(one.standard_error));
  CHECK(simulated<T>(place, model, std::vector<basket_contract>{}, {.paths = 10, .steps = 1})
            .empty());
}

} // namespace baskets_test
