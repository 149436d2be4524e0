#pragma once
// Shared by the tests of contracts on correlated assets: models, books, and closed forms.

#include "gpu.hpp"
#include "pricing/one_option.hpp"

#include <warpfold/pricing/baskets.hpp>

#include <numbers>
#include <numeric>
#include <vector>

namespace test::baskets {

namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::basket_contract;
using pricing::black_scholes;
using pricing::estimate;
using pricing::measure;
using pricing::selection;
using pricing::settlement;
using pricing::simulation_options;

/// A basket that owns its assets.
struct owned_basket {
  std::vector<black_scholes> assets;
  std::vector<double> correlation;

  operator pricing::basket() const { return {assets, correlation}; }
  std::size_t size() const { return assets.size(); }
  double between(std::size_t i, std::size_t j) const { return correlation[i * size() + j]; }
};

/// All pairs have the same correlation.
inline std::vector<double> equal_correlation(std::size_t n, double rho) {
  std::vector<double> matrix(n * n, rho);
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 1;
  return matrix;
}

/// The correlations of n random directions in so many dimensions: of that rank, if it is below n.
inline std::vector<double> random_correlation(std::size_t n, std::size_t rank, unsigned seed) {
  std::mt19937_64 random{seed};
  std::normal_distribution<double> normal;
  std::vector<double> rows(n * rank), matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double square = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      rows[i * rank + k] = normal(random) + (k == 0 ? 0.7 : 0);
      square += rows[i * rank + k] * rows[i * rank + k];
    }
    for (std::size_t k = 0; k < rank; ++k) rows[i * rank + k] /= std::sqrt(square);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < rank; ++k)
        matrix[i * n + j] += rows[i * rank + k] * rows[j * rank + k];
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 1;
  return matrix;
}

/// n assets with different spots, volatilities and yields.
inline owned_basket random_basket(std::size_t n, std::size_t rank, unsigned seed,
                                  double rate = 0.04) {
  std::mt19937_64 random{seed};
  auto const within = [&](double low, double high) {
    return std::uniform_real_distribution{low, high}(random);
  };
  owned_basket all{{}, random_correlation(n, rank, seed)};
  for (std::size_t i = 0; i < n; ++i)
    all.assets.push_back({.spot = within(80, 120),
                          .volatility = within(0.1, 0.5),
                          .rate = rate,
                          .dividend_yield = within(0, 0.05)});
  return all;
}

/// Contracts and the weights that they look at.
template <class Contract>
struct owned_book_of {
  std::vector<std::vector<double>> weights;
  std::vector<Contract> contracts;

  void add(std::vector<double> of, Contract one) {
    weights.push_back(std::move(of));
    contracts.push_back(one);
    for (std::size_t i = 0; i < contracts.size(); ++i) contracts[i].weights = weights[i];
  }
  std::size_t size() const { return contracts.size(); }
};
using owned_book = owned_book_of<basket_contract>;

/// Contracts of every kind on n assets, at all of `times`.
inline owned_book every_contract(std::size_t n, std::size_t size,
                                 std::vector<double> const& times) {
  owned_book book;
  for (std::size_t i = 0; i < size; ++i) {
    auto const on = i % 10 == 7 ? selection::weighted_product : static_cast<selection>(i % 3);
    std::vector<double> weights(n);
    for (std::size_t k = 0; k < n; ++k)
      weights[k] = on == selection::weighted_sum
                       ? (static_cast<double>((i + 3 * k) % 7) - 2) / static_cast<double>(n)
                       : static_cast<double>((i + k) % 3) / 2 + (k == i % n ? 0.5 : 0);
    if (on == selection::weighted_product) {
      double const sum = std::accumulate(weights.begin(), weights.end(), 0.);
      for (double& weight : weights) weight /= sum; // an average
    }
    book.add(weights,
             {.strike = on == selection::weighted_sum ? 10 * static_cast<double>(i % 14) - 20
                                                      : 40 + 9 * static_cast<double>(i % 14),
              .expiry = times[(7 * i + 3) % times.size()],
              .settlement = static_cast<settlement>(i / 3 % 3),
              .selection = on,
              .measure = i / 9 % 2 == 0 || on == selection::weighted_product
                             ? measure::price
                             : measure::arithmetic_average});
  }
  return book;
}

/// The estimates of a book.
template <class T, class Place>
std::vector<estimate> simulated(Place& place, pricing::basket const& model,
                                std::vector<basket_contract> const& book,
                                simulation_options const& options) {
  std::vector<estimate> results(book.size());
  pricing::simulate<T>(place, model, book, results, options);
  return results;
}
template <class T, class Place>
estimate simulated(Place& place, pricing::basket const& model, basket_contract const& one,
                   simulation_options const& options) {
  return simulated<T>(place, model, std::vector{one}, options)[0];
}

/// Paths that keep a host's test below a second.
template <class Place>
constexpr std::uint64_t many = std::same_as<Place, wf::gpu> ? 1 << 20 : 1 << 16;

/// F. Black, The pricing of commodity contracts, 1976, before discounting.
inline double black_call(double forward, double strike, double deviation) {
  auto const normal = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  if (deviation <= 0 || strike <= 0) return std::max(forward - strike, 0.);
  double const d = std::log(forward / strike) / deviation + deviation / 2;
  return forward * normal(d) - strike * normal(d - deviation);
}

/// The right to get asset i for asset j (W. Margrabe, The value of an option to exchange one asset
/// for another, 1978). `covariances`: of their logarithms until then.
inline double exchange_price(owned_basket const& model, std::size_t i, std::size_t j, double expiry,
                             double variance_i, double variance_j, double covariance) {
  auto const now = [&](std::size_t k) {
    return model.assets[k].spot * std::exp(-model.assets[k].dividend_yield.integral(expiry));
  };
  return black_call(now(i), now(j),
                    std::sqrt(std::max(variance_i + variance_j - 2 * covariance, 0.)));
}
/// The logarithm of a weighted product at a time is normal.
struct lognormal {
  double forward, deviation; ///< of the logarithm
};
/// @param covariance (i, j): of two assets' logarithms until the time
template <class Covariance>
lognormal product_at(owned_basket const& model, std::vector<double> const& weights, double time,
                     Covariance covariance) {
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    black_scholes const& of = model.assets[i];
    mean += weights[i] * (std::log(of.spot) + of.rate.integral(time) -
                          of.dividend_yield.integral(time) - covariance(i, i) / 2);
    for (std::size_t j = 0; j < weights.size(); ++j)
      variance += weights[i] * weights[j] * covariance(i, j);
  }
  return {std::exp(mean + variance / 2), std::sqrt(std::max(variance, 0.))};
}
/// With constant volatilities.
inline lognormal product_at(owned_basket const& model, std::vector<double> const& weights,
                            double time) {
  return product_at(model, weights, time, [&](std::size_t i, std::size_t j) {
    return model.between(i, j) * model.assets[i].volatility.values()[0] *
           model.assets[j].volatility.values()[0] * time;
  });
}

/// With constant volatilities.
inline double exchange_price(owned_basket const& model, std::size_t i, std::size_t j,
                             double expiry) {
  double const a = model.assets[i].volatility.values()[0];
  double const b = model.assets[j].volatility.values()[0];
  return exchange_price(model, i, j, expiry, a * a * expiry, b * b * expiry,
                        model.between(i, j) * a * b * expiry);
}

/// Weights of 1 for asset i and `of_j` for asset j.
inline std::vector<double> pair_weights(std::size_t n, std::size_t i, std::size_t j, double of_j) {
  std::vector<double> weights(n);
  weights[i] = 1;
  weights[j] = of_j;
  return weights;
}

} // namespace test::baskets
