// Contracts on products of correlated prices, which are lognormal: geometric averages and others.

#include "pricing/baskets/baskets.hpp"

namespace basket_products_test {

using namespace test;
using namespace test::baskets;
namespace pricing = warpfold::pricing;

/// The price of a contract on a lognormal number.
double price_on(lognormal const& of, basket_contract const& one, double discount) {
  double const call = black_call(of.forward, one.strike, of.deviation);
  double const forward = of.forward - one.strike;
  if (one.settlement == settlement::call) return discount * call;
  return discount * (one.settlement == settlement::put ? call - forward : forward);
}

/// Calls, puts and forwards around the forward of each product, at each time.
template <class T, class Place>
void check_products(Place& place, owned_basket const& model,
                    std::vector<std::vector<double>> const& all_weights,
                    std::vector<double> const& times, auto product_of) {
  owned_book book;
  std::vector<double> prices, near;
  for (auto const& weights : all_weights)
    for (double const t : times)
      for (auto const settle : {settlement::call, settlement::put, settlement::forward})
        for (double const moneyness : {0.85, 1., 1.2}) {
          lognormal const of = product_of(weights, t);
          basket_contract one{.strike = moneyness * of.forward,
                              .expiry = t,
                              .settlement = settle,
                              .selection = selection::weighted_product};
          book.add(weights, one);
          prices.push_back(price_on(of, one, std::exp(-model.assets[0].rate.integral(t))));
          // Rounding; and prices so small that no path pays.
          near.push_back((400 * std::numeric_limits<T>::epsilon() + 1e-6) * of.forward);
        }
  auto const got =
      simulated<T>(place, model, book.contracts, {.paths = many<Place>, .times = times, .seed = 6});
  double squares = 0, deviating = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(got[i].value - prices[i]) < 4.5 * got[i].standard_error + near[i]);
    if (got[i].standard_error < near[i]) continue;
    squares += std::pow(z_score(got[i], prices[i]), 2);
    deviating += 1;
  }
  CHECK(squares < 3 * deviating + 1); // they are not independent
}
template <class T, class Place>
void check_products(Place& place, owned_basket const& model,
                    std::vector<std::vector<double>> const& all_weights,
                    std::vector<double> const& times) {
  check_products<T>(place, model, all_weights, times,
                    [&](auto const& weights, double t) { return product_at(model, weights, t); });
}

/// A geometric average, one of some assets, and products whose weights have other sums.
std::vector<std::vector<double>> some_weights(std::size_t n) {
  std::vector<double> const equal(n, 1 / static_cast<double>(n));
  std::vector<double> some(n), two(n), root(n);
  for (std::size_t k = 0; k < n; ++k)
    some[k] = k % 3 == 2 ? 0 : static_cast<double>(k + 1) / static_cast<double>(n);
  two[0] = two[n - 1] = 1;
  root[n / 2] = 0.5;
  return {equal, some, two, root};
}

EVERY_PLACE_OF("products of up to sixteen prices are lognormal", T, float, double) {
  for (std::size_t const n : {2, 3, 5, 8, 16}) {
    CAPTURE(n);
    check_products<T>(place, random_basket(n, n, 60 + static_cast<unsigned>(n)), some_weights(n),
                      {0.4, 1.5});
  }
}

EVERY_PLACE_OF("geometric averages of equal assets at any correlation", T, float, double) {
  for (double const rho : {-0.24, 0., 0.3, 0.9, 1.}) {
    CAPTURE(rho);
    owned_basket const model{std::vector<black_scholes>(5, {100, 0.4, 0.05}),
                             equal_correlation(5, rho)};
    check_products<T>(place, model, some_weights(5), {1});
  }
}

EVERY_PLACE_OF("products of assets that depend on others", T, float, double) {
  for (std::size_t const rank : {1, 2})
    check_products<T>(place, random_basket(6, rank, 8), some_weights(6), {0.7});
}

EVERY_PLACE_OF("products of prices whose volatilities, rates and yields change", T, float, double) {
  double const ends[] = {0.25, 1, 2}, other_ends[] = {0.5, 0.75};
  double const falling[] = {0.6, 0.05, 0.3}, rising[] = {0.1, 0.5}, rates[] = {0.02, 0.06, 0.01};
  double const yields[] = {0.05, -0.01};
  pricing::curve const rate{{.times = ends, .values = rates}};
  owned_basket const model{{{100, {{.times = ends, .values = falling}}, rate},
                            {95, {{.times = other_ends, .values = rising}}, rate, 0.03},
                            {105, 0.25, rate, {{.times = other_ends, .values = yields}}}},
                           {1, 0.8, -0.3, 0.8, 1, 0.1, -0.3, 0.1, 1}};
  auto const volatility = [](std::size_t i, double t) {
    if (i == 0) return t < 0.25 ? 0.6 : t < 1 ? 0.05 : 0.3;
    if (i == 1) return t < 0.5 ? 0.1 : 0.5;
    return 0.25;
  };
  check_products<T>(
      place, model, some_weights(3), {0.2, 0.9, 3}, [&](auto const& weights, double until) {
        return product_at(model, weights, until, [&](std::size_t i, std::size_t j) {
          double const all[] = {0, 0.25, 0.5, 1, 3};
          double sum = 0;
          for (int k = 0; k < 4; ++k) {
            double const length = std::min(all[k + 1], until) - all[k], middle = all[k] + 1e-3;
            if (length > 0) sum += volatility(i, middle) * volatility(j, middle) * length;
          }
          return model.between(i, j) * sum;
        });
      });
}

EVERY_PLACE_OF("products without randomness, and of one price", T, float, double) {
  double const unit = std::numeric_limits<T>::epsilon();
  owned_basket const still{{{50, 0, 0.03, 0.01}, {80, 0, 0.03}, {2e-3, 0, 0.03}},
                           equal_correlation(3, 0)};
  std::vector<double> const half{0.5, 0.5, 0}, all{1, 2, 3}, first{1, 0, 0};
  auto const forward = [&](std::vector<double> const& weights) {
    return basket_contract{weights, 0, 2, settlement::forward, selection::weighted_product};
  };
  auto const got = simulated<T>(place, still, {forward(half), forward(all), forward(first)},
                                {.paths = 1000, .steps = 2, .horizon = 2});
  double const f[] = {50 * std::exp(0.04), 80 * std::exp(0.06), 2e-3 * std::exp(0.06)};
  double const discount = std::exp(-0.06);
  double const wanted[] = {std::sqrt(f[0] * f[1]), f[0] * f[1] * f[1] * std::pow(f[2], 3), f[0]};
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(got[i].value == doctest::Approx(discount * wanted[i]).epsilon(30 * unit).scale(0));
    CHECK(got[i].standard_error < 1e-7 * wanted[i]); // of sums' rounding
  }
  // The product of one price is its sum: other rounding.
  auto const model = random_basket(3, 3, 15);
  basket_contract one{first, 100, 1};
  auto const sum = simulated<T>(place, model, one, {.paths = 5000, .steps = 2});
  one.selection = selection::weighted_product;
  auto const product = simulated<T>(place, model, one, {.paths = 5000, .steps = 2});
  CHECK(product.value == doctest::Approx(sum.value).epsilon(50 * unit));
  CHECK(product.standard_error == doctest::Approx(sum.standard_error).epsilon(50 * unit));
}

// The inequality of the means, path by path.
EVERY_PLACE_OF("a geometric average is not above the arithmetic one", T, float, double) {
  auto const model = random_basket(5, 5, 16);
  std::vector<double> const equal(5, 0.2);
  for (double const strike : {70., 100., 130.}) {
    basket_contract one{equal, strike, 1};
    auto const arithmetic = simulated<T>(place, model, one, {.paths = 5000, .steps = 2});
    one.selection = selection::weighted_product;
    auto const geometric = simulated<T>(place, model, one, {.paths = 5000, .steps = 2});
    CHECK(geometric.value < arithmetic.value);
    CHECK(geometric.paying <= arithmetic.paying);
  }
}

} // namespace basket_products_test
