// Refusals of simulations of correlated assets: the argument is named, and nothing is written.

#include "pricing/baskets/baskets.hpp"
#include "refusals.hpp"

#include <limits>

namespace refusals_baskets_test {

using namespace test;
using namespace warpfold;
using namespace warpfold::pricing;
using test::baskets::equal_correlation;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE("what simulations of baskets refuse") {
  refusals<Place> all(place);
  all.of("pricing/baskets.hpp");
  auto const results = all.template memory<estimate>(2);
  estimate untouched[2]{};
  std::vector<black_scholes> const assets{{100, 0.2, 0.05}, {90, 0.3, 0.05}, {80, 0.1, 0.05}};
  std::vector<double> const matrix = equal_correlation(3, 0.5), each{1, 1, 1}, spread{1, -1, 0};
  basket const good{assets, matrix};
  std::vector<basket_contract> const book{{each, 100, 1}, {spread, -5, 0.5, settlement::put}};
  simulation_options const few{.paths = 16, .steps = 2};
  auto const simulates = [&](std::string const& argument, basket const& model,
                             std::span<basket_contract const> of,
                             simulation_options const& options) {
    all.row("simulate", argument,
            [&] { simulate(place, model, of, std::span(untouched), options); });
    all.row("simulate_async", argument,
            [&] { simulate_async(place, model, of, results, options); });
  };
  simulates("options.paths", good, book, {.paths = 0, .steps = 2});
  simulates("options.paths", good, book, {.paths = 15, .steps = 2, .antithetic = true});
  simulates("options.steps", good, book, {.paths = 16});
  simulates("options.confidence", good, book, {.paths = 16, .steps = 2, .confidence = 1});
  simulates("options.sampling", good, book, {.paths = 64, .steps = 2, .sampling = sampling::sobol});
  simulates("options.longest_step", good, book, {.paths = 16, .steps = 2, .longest_step = -1});

  // Assets.
  std::vector<black_scholes> const many(17, assets[0]);
  simulates("model.assets", {{}, {}}, book, few);
  simulates("model.assets", {std::span(assets).first(1), std::span(matrix).first(1)}, book, few);
  simulates("model.assets", {many, equal_correlation(17, 0)}, book, few);
  for (auto const bad : refusals<host>::nowhere<black_scholes const>(3))
    simulates("model.assets", {bad, matrix}, book, few);
  for (std::size_t const size : impossible)
    simulates("model.assets", {{assets.data(), size}, matrix}, book, few);
  auto const refuses_asset = [&](char const* member, black_scholes const& bad) {
    std::vector<black_scholes> some = assets;
    some[1] = bad;
    simulates(std::string("model.assets[1].") + member, {some, matrix}, book, few);
  };
  for (double const bad : {0., -1., nan, infinite, 1e39, 1e-50})
    refuses_asset("spot", {bad, 0.3, 0.05});
  for (double const bad : {-0.1, nan, infinite, 1e30}) refuses_asset("volatility", {90, bad, 0.05});
  for (double const bad : {nan, infinite, 0.06}) refuses_asset("rate", {90, 0.3, bad});
  for (double const bad : {nan, infinite}) refuses_asset("dividend_yield", {90, 0.3, 0.05, bad});
  for (double const bad : {-1., nan, 0.1})
    refuses_asset("jumps.intensity", {90, 0.3, 0.05, 0, {bad, -0.1, 0.1}});
  refuses_asset("jumps.deviation", {90, 0.3, 0.05, 0, {0, -0.1, -0.1}});
  double const ends[] = {1, 2}, values[] = {0.05, 0.05};
  refuses_asset("rate", {90, 0.3, curve_pieces{ends, values}}); // other pieces
  std::vector<black_scholes> low = assets, steep = assets;
  for (auto& one : low) one.rate = -1000;
  simulates("model.assets[0].rate", {low, matrix}, book, few);
  steep[2].dividend_yield = -200; // finite in double
  simulates("model.assets[2]", {steep, matrix}, book, few);

  // The matrix.
  auto const refuses_matrix = [&](std::vector<double> const& bad) {
    simulates("model.correlation", {assets, bad}, book, few);
  };
  refuses_matrix({});
  refuses_matrix(equal_correlation(2, 0.5));
  refuses_matrix(equal_correlation(4, 0.5));
  for (auto const bad : refusals<host>::nowhere<double const>(9))
    simulates("model.correlation", {assets, bad}, book, few);
  auto const refuses_element = [&](std::size_t at, double value) {
    auto bad = matrix;
    bad[at] = value;
    refuses_matrix(bad);
  };
  for (double const bad : {0.4, 0.5 + 1e-9, nan, infinite}) refuses_element(5, bad);
  for (double const bad : {0.4, nan}) refuses_element(3, bad);
  for (double const bad : {0., 1 + 1e-9, -1., nan}) refuses_element(8, bad);
  refuses_matrix(equal_correlation(3, 1.1));
  refuses_matrix(equal_correlation(3, 1 + 1e-9));
  refuses_matrix(equal_correlation(3, -0.5001));
  refuses_matrix({1, 1, 0, 1, 1, 0.1, 0, 0.1, 1});
  refuses_matrix({1, 0.9, 0, 0.9, 1, 0.9, 0, 0.9, 1});
  // Two pairs of the same asset each, of which one is correlated and the other is not.
  std::vector<black_scholes> const four(4, assets[0]);
  for (double const rho : {0.1, -0.1}) {
    std::vector<double> const pairs{1, 1, 0, 0, 1, 1, 0, rho, 0, 0, 1, 1, 0, rho, 1, 1};
    simulates("model.correlation", {four, pairs}, book, few);
  }
  // Matrices that are semidefinite but for rounding are taken.
  for (double const rho : {-0.5, 1., 1 - 1e-12, 1 + 1e-12}) {
    std::vector<double> const edge = equal_correlation(3, rho);
    estimate result[2]{};
    simulate(place, basket{assets, edge}, std::span(book), std::span(result), few);
    CHECK(result[0].paths == 16);
  }
  // And such as are symmetric, with ones on the diagonal, but for rounding.
  for (std::size_t const at : {5, 8}) {
    std::vector<double> rough = equal_correlation(3, 0.5);
    rough[at] += 5e-11;
    estimate result[2]{};
    simulate(place, basket{assets, rough}, std::span(book), std::span(result), few);
    CHECK(result[0].paths == 16);
  }

  // Contracts.
  auto const refuses_contract = [&](char const* member, basket_contract const& bad) {
    simulates(std::string("book[1].") + member, good, std::vector{book[0], bad}, few);
  };
  std::vector<double> const two{1, 1}, zeros{0, 0, 0}, unknown{1, nan, 1}, endless{1, 1, -infinite};
  for (auto const& bad : {two, unknown, endless, std::vector<double>{}})
    refuses_contract("weights", {bad, 100, 1});
  for (auto const select : {selection::best_of, selection::worst_of, selection::weighted_product})
    for (auto const& bad : {spread, zeros, unknown})
      refuses_contract("weights", {bad, 100, 1, settlement::call, select});
  for (auto const bad : refusals<host>::nowhere<double const>(3))
    refuses_contract("weights", {bad, 100, 1});
  std::vector<double> const large{1e37, 1, 1}, small{1, 1, 1e-48};
  refuses_contract("weights", {large, 100, 1});
  refuses_contract("weights", {small, 100, 1});
  for (double const bad : {nan, infinite, -infinite, 1e39, -1e39})
    refuses_contract("strike", {each, bad, 1});
  for (double const bad : {-1., nan, infinite, 0., 0.25, 1.1})
    refuses_contract("expiry", {each, 100, bad});
  refuses_contract("settlement", {each, 100, 1, static_cast<settlement>(5)});
  refuses_contract("selection", {each, 100, 1, settlement::call, static_cast<selection>(4)});
  auto const refuses_product = [&](char const* member, std::vector<double> const& bad,
                                   measure on = measure::price) {
    refuses_contract(member, {bad, 100, 1, settlement::call, selection::weighted_product, on});
  };
  refuses_product("measure", each, measure::arithmetic_average);
  // What is no float: weights, products of spots, above and below.
  std::vector<std::vector<double>> const powers{{1e39, 1, 1}, {1, 1e-50, 1}, {7, 7, 7}};
  for (auto const& bad : powers) refuses_product("weights", bad);
  std::vector<black_scholes> cheap = assets, growing = assets;
  for (auto& one : cheap) one.spot = 1e-4;
  std::vector<basket_contract> const tenth{
      {.weights = powers[2], .strike = 1, .expiry = 1, .selection = selection::weighted_product}};
  all.row("simulate", "book[0].weights", [&] {
    simulate(place, basket{cheap, matrix}, tenth, std::span(untouched).first(1), few);
  });
  // And of forwards alone.
  for (auto& one : growing) one.dividend_yield = -15;
  std::vector<double> const five{5, 5, 5};
  std::vector<basket_contract> const high{
      {.weights = five, .strike = 1, .expiry = 1, .selection = selection::weighted_product}};
  for (double const spot : {1., 100.}) {
    for (auto& one : growing) one.spot = spot;
    all.row("simulate", "book[0].weights", [&] {
      simulate(place, basket{growing, matrix}, high, std::span(untouched).first(1), few);
    });
  }
  for (auto const bad :
       {measure::geometric_average, measure::realized_variance, static_cast<measure>(4)})
    refuses_contract("measure", {each, 100, 1, settlement::call, selection::weighted_sum, bad});
  for (auto const bad : refusals<host>::nowhere<basket_contract const>(2))
    simulates("book", good, bad, few);
  for (std::size_t const size : impossible) simulates("book", good, {book.data(), size}, few);

  auto const refuses_results = [&](view_t<Place, estimate> to) {
    all.row("simulate_async", "results", [&] { simulate_async(place, good, book, to, few); });
  };
  refuses_results(results.subspan(0, 1));
  refuses_results({results.data(), 3});
  for (auto const bad : refusals<Place>::template nowhere<estimate>(2)) refuses_results(bad);
  for (auto const bad : refusals<host>::nowhere<estimate>(2))
    all.row("simulate", "results", [&] { simulate(place, good, book, bad, few); });
  CHECK(untouched[0].paths == 0);
}

} // namespace refusals_baskets_test
