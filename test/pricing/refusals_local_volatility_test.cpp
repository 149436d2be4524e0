// Refusals of local volatilities: the argument is named, and nothing is written.

#include "pricing/paths/local_volatility.hpp"
#include "refusals.hpp"

#include <limits>

namespace refusals_local_volatility_test {

using namespace test;
using namespace warpfold;
using namespace warpfold::pricing;
using test::contracts::constant;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE("what simulations of a local volatility refuse") {
  refusals<Place> all(place);
  all.of("pricing/local_volatility.hpp");
  auto const results = all.template memory<estimate>(2);
  estimate untouched[2]{};
  auto const good = test::contracts::ordinary_local();
  std::vector<contract> const book{{100, 1}, {100, 0.5, settlement::put}};
  simulation_options const few{.paths = 16, .steps = 2};
  auto const simulates = [&](std::string const& argument, local_volatility const& model,
                             std::span<contract const> of, simulation_options const& options) {
    all.row("simulate", argument,
            [&] { simulate(place, model, of, std::span(untouched), options); });
    all.row("simulate_async", argument,
            [&] { simulate_async(place, model, of, results, options); });
  };
  simulates("options.paths", good, book, {.paths = 0, .steps = 2});
  simulates("options.paths", good, book, {.paths = 15, .steps = 2, .antithetic = true});
  simulates("options.steps", good, book, {.paths = 16});
  simulates("options.sampling", good, book, {.paths = 64, .steps = 2, .sampling = sampling::sobol});
  simulates("options.longest_step", good, book, {.paths = 16, .steps = 2, .longest_step = nan});
  auto const refuses = [&](char const* argument, auto member, auto... bad) {
    for (auto const& value : {bad...}) {
      local_volatility model = good;
      model.*member = value;
      simulates(argument, model, book, few);
    }
  };
  refuses("model.spot", &local_volatility::spot, 0., -1., nan, infinite, 1e39, 1e-50);
  refuses("model.rate", &local_volatility::rate, nan, infinite, -1000.);
  refuses("model.dividend_yield", &local_volatility::dividend_yield, nan, infinite);
  // Finite in double, but what they make is not in float.
  refuses("model", &local_volatility::rate, 100.);
  refuses("model", &local_volatility::dividend_yield, -100., 1e39);
  refuses("model", &local_volatility::grid, constant(1e18), constant(1e39), constant(1e200));
  simulates("options.steps", good, book, {.paths = 16, .steps = (1 << 14) + 1});
  simulates("options.longest_step", good, book, {.paths = 16, .steps = 2, .longest_step = 1e-5});
  auto moved = good;
  auto const taken = std::move(moved.grid);
  simulates("model.grid", moved, book, few);
  auto const refuses_contract = [&](char const* member, contract const& bad) {
    simulates(std::string("book[1].") + member, good, std::vector{book[0], bad}, few);
  };
  for (double const bad : {-1., nan, infinite, 1e39}) refuses_contract("strike", {bad, 1});
  for (double const bad : {-1., nan, 0., 0.25, 1.1}) refuses_contract("expiry", {100, bad});
  for (auto const bad : refusals<host>::nowhere<contract const>(2))
    simulates("book", good, bad, few);
  auto const refuses_results = [&](view_t<Place, estimate> to) {
    all.row("simulate_async", "results", [&] { simulate_async(place, good, book, to, few); });
  };
  refuses_results(results.subspan(0, 1));
  for (auto const bad : refusals<Place>::template nowhere<estimate>(2)) refuses_results(bad);
  for (auto const bad : refusals<host>::nowhere<estimate>(2))
    all.row("simulate", "results", [&] { simulate(place, good, book, bad, few); });
  CHECK(untouched[0].paths == 0);
}

TEST_CASE("what grids of volatilities and Dupire's formula refuse") {
  host place;
  refusals<host> all(place);
  all.of("pricing/local_volatility.hpp");
  std::vector<double> const times{0.5, 1}, ks{-0.1, 0, 0.1}, values{0.2, 0.3, 0.2, 0.1, 0.2, 0.4};
  auto const of_both = [&](std::string const& member, volatility_nodes const& nodes) {
    all.row("volatility_grid::volatility_grid", "nodes." + member,
            [&] { static_cast<void>(volatility_grid(nodes)); });
    all.row("dupire", "implied." + member, [&] { dupire(nodes); });
  };
  auto const flat = [](double t, double) { return 0.04 * t; };
  auto const of_function = [&](char const* argument, auto const& function, auto const& at_times,
                               auto const& at_ks, dupire_options const& options = {}) {
    all.row("dupire", argument, [&] { dupire(function, at_times, at_ks, options); });
  };
  for (std::vector<double> const& bad : std::vector<std::vector<double>>{
           {}, {-0.5, 1}, {1, 1}, {1, 0.5}, {nan, 1}, {0.5, nan}, {0.5, infinite}}) {
    of_both("times", {bad, ks, values});
    of_function("times", flat, bad, ks);
  }
  for (std::vector<double> const& bad : std::vector<std::vector<double>>{
           {}, {0, 0, 1}, {0, 1, 0.5}, {nan, 0, 1}, {-infinite, 0, 1}, {0, 1, infinite}}) {
    of_both("log_moneyness", {times, bad, values});
    of_function("log_moneyness", flat, times, bad);
  }
  for (std::vector<double> const& bad :
       std::vector<std::vector<double>>{{},
                                        {0.2, 0.3, 0.2, 0.1, 0.2},
                                        {0.2, 0.3, 0.2},
                                        {0.2, 0.3, 0.2, 0.1, 0.2, 0.4, 0.2},
                                        {0.2, 0.3, 0.2, 0.1, 0.2, -0.1},
                                        {nan, 0.3, 0.2, 0.1, 0.2, 0.2},
                                        {0.2, 0.3, 0.2, 0.1, infinite, 0.2}})
    of_both("values", {times, ks, bad});
  for (auto const bad : refusals<host>::nowhere<double const>(2)) {
    of_both("times", {bad, ks, values});
    of_both("log_moneyness", {times, bad, values});
    of_both("values", {times, ks, bad});
    of_function("times", flat, bad, ks);
    of_function("log_moneyness", flat, times, bad);
  }
  // A grid may have these, but no implied volatility.
  std::vector<double> const from_0{0, 1}, dead{0.2, 0.3, 0.2, 0.1, 0, 0.4},
      huge{0.2, 0.3, 0.2, 0.1, 1e200, 0.4};
  volatility_grid const fine({from_0, ks, dead});
  CHECK(fine.at(1, 0) == 0);
  all.row("dupire", "implied.times", [&] { dupire({from_0, ks, values}); });
  all.row("dupire", "implied.values", [&] { dupire({times, ks, dead}); });
  all.row("dupire", "implied.values", [&] { dupire({times, ks, huge}); });
  of_function("times", flat, from_0, ks);
  // Options, and functions.
  for (double const bad : {-0.1, nan, infinite}) {
    all.row("dupire", "options.least", [&] { dupire({times, ks, values}, {.least = bad}); });
    of_function("options.least", flat, times, ks, {.least = bad});
  }
  for (double const bad : {0.05, nan, infinite})
    of_function("options.most", flat, times, ks, {.least = 0.1, .most = bad});
  for (double const bad : {0., -1., nan, infinite})
    of_function(
        "total_variance", [bad](double t, double k) { return k > 0 ? bad : t; }, times, ks);
  of_function("total_variance", std::function<double(double, double)>(), times, ks);
}

} // namespace refusals_local_volatility_test
