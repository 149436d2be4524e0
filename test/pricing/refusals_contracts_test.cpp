// Refusals of simulations of contracts and of curves: the argument is named, and nothing is
// written.

#include "pricing/paths/contracts.hpp"
#include "refusals.hpp"

#include <limits>

namespace refusals_contracts_test {

using namespace test;
using namespace warpfold;
using namespace warpfold::pricing;
using test::contracts::heston_of;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE("what simulations of contracts refuse") {
  refusals<Place> all(place);
  all.of("pricing/contracts.hpp");
  auto const results = all.template memory<estimate>(2);
  estimate untouched[2]{};
  heston const good = heston_of(0.04, 1, 0.04, 0.5, -0.5, 0.01);
  black_scholes const flat{100, 0.2, 0.01};
  std::vector<contract> const book{{100, 1}, {100, 0.5, settlement::put}};
  simulation_options const few{.paths = 16, .steps = 2};
  auto const simulates = [&](std::string const& argument, auto const& model,
                             std::span<contract const> of, simulation_options const& options) {
    all.row("simulate", argument,
            [&] { simulate(place, model, of, std::span(untouched), options); });
    all.row("simulate_async", argument,
            [&] { simulate_async(place, model, of, results, options); });
  };
  auto const of_options = [&](char const* argument, simulation_options const& options) {
    simulates(argument, good, book, options);
    simulates(argument, flat, book, options);
  };
  of_options("options.paths", {.paths = 0, .steps = 2});
  of_options("options.paths", {.paths = (std::uint64_t{1} << 40) + 1, .steps = 2});
  of_options("options.paths", {.paths = 15, .steps = 2, .antithetic = true});
  of_options("options.steps", {.paths = 16});
  for (double const horizon : {-1., 0.})
    of_options("options.horizon", {.paths = 16, .steps = 2, .horizon = horizon});
  of_options("options.confidence", {.paths = 16, .steps = 2, .confidence = 1});
  of_options("options.sampling", {.paths = 64, .steps = 2, .sampling = sampling::sobol});
  of_options("options.sampling", {.paths = 64, .steps = 2, .sampling = static_cast<sampling>(9)});
  for (double const step : {-1., nan, infinite, 1e-7})
    of_options("options.longest_step", {.paths = 16, .steps = 2, .longest_step = step});
  std::vector<double> const back{0.5, 0.25};
  of_options("options.times", {.paths = 16, .times = back});
  for (auto const bad : refusals<host>::nowhere<double const>(3))
    of_options("options.times", {.paths = 16, .times = bad});

  auto const refuses = [&](char const* argument, auto member, std::initializer_list<double> bad) {
    for (double const value : bad) {
      heston model = good;
      model.*member = value;
      simulates(std::string("model.") + argument, model, book, few);
    }
  };
  refuses("spot", &heston::spot, {0, -1, nan, infinite});
  refuses("rate", &heston::rate, {nan, infinite});
  refuses("dividend_yield", &heston::dividend_yield, {nan, -infinite});
  refuses("variance", &heston::variance, {-1, nan, infinite});
  refuses("reversion", &heston::reversion, {-1, nan, infinite});
  refuses("mean", &heston::mean, {-1, nan, infinite});
  refuses("vol_of_vol", &heston::vol_of_vol, {-1, nan, infinite});
  refuses("correlation", &heston::correlation, {-1.01, 1.01, nan, infinite});
  double const ends[] = {1, 2}, negative[] = {0.2, -0.1};
  for (curve const& bad : {curve(-0.1), curve(nan), curve({.times = ends, .values = negative})})
    simulates("model.volatility", black_scholes{100, bad, 0.01}, book, few);
  simulates("model.rate", black_scholes{100, 0.2, nan}, book, few);
  black_scholes emptied{100, 0.2, 0.01};
  [[maybe_unused]] curve const taken = std::move(emptied.volatility);
  simulates("model.volatility", emptied, book, few);
  simulates("model.spot", black_scholes{0, 0.2, 0.01}, book, few);
  auto const refuses_jumps = [&](char const* member, jumps const& bad) {
    heston other = good;
    other.jumps = bad;
    auto const name = std::string("model.jumps.") + member;
    simulates(name, other, book, few);
    simulates(name, black_scholes{100, 0.2, 0.01, 0, bad}, book, few);
  };
  for (double const bad : {-1., nan, infinite}) {
    refuses_jumps("intensity", {bad, 0.1, 0.1});
    refuses_jumps("deviation", {1, 0.1, bad});
  }
  for (double const bad : {nan, infinite, -infinite}) {
    refuses_jumps("mean", {1, bad, 0.1});
    refuses_jumps("mean", {0, bad, 0.1});
  }
  refuses_jumps("intensity", {1.1e6, 0.1, 0.1}); // a year is more than 2^20 steps
  refuses_jumps("intensity", {1e300, 0.1, 0.1});

  auto const refuses_contract = [&](char const* member, contract const& bad) {
    simulates(std::string("book[1].") + member, good, std::vector{book[0], bad}, few);
  };
  for (double const bad : {-1., nan, infinite}) refuses_contract("strike", {bad, 1});
  for (double const bad : {-1., nan, infinite, 0., 0.25, 0.5 * (1 - 3e-9), 0.5 * (1 + 3e-9), 1.1})
    refuses_contract("expiry", {100, bad});
  refuses_contract("settlement", {100, 1, static_cast<settlement>(5)});
  refuses_contract("measure", {100, 1, settlement::call, static_cast<measure>(4)});
  double const start[] = {0, 1};
  simulates("book[0].expiry", good,
            std::vector<contract>{{0, 0, settlement::call, measure::realized_variance}},
            {.paths = 16, .times = start});
  // Finite in double, but not in float.
  refuses_jumps("mean", {1, 4.7, 0}); // more than a hundredfold
  refuses_jumps("mean", {1, 89, 0});
  refuses_jumps("mean", {1, 1e300, 0});
  refuses_jumps("deviation", {1, 0, 14});
  refuses_jumps("deviation", {1, 0, 1e200});
  refuses("spot", &heston::spot, {1e39, 1e-50});
  refuses("rate", &heston::rate, {-1000});
  for (heston const& bad :
       {heston_of(0.04, 1, 0.04, 0.5, 0, 100), heston_of(0.04, 1, 0.04, 0.5, 0, 0, -100),
        heston_of(0.04, 1, 0.04, 0.5, 0, 0, 1e39), heston_of(1e39, 1, 0.04, 0.5, 0),
        heston_of(0.04, 1e39, 0.04, 0.5, 0.5), heston_of(0.04, 1, 1e39, 0.5, 0),
        heston_of(0.04, 1, 0.04, 1e39, 0)})
    simulates("model", bad, book, few);
  simulates("model", black_scholes{100, 1e30, 0.01}, book, few);
  simulates("model", black_scholes{100, 0.2, 0.01, 0, {1, -1e300, 0}}, book, few);
  refuses_contract("strike", {1e39, 1});
  for (auto const bad : refusals<host>::nowhere<contract const>(2))
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

TEST_CASE("what curves refuse") {
  host place;
  refusals<host> all(place);
  all.of("pricing/curve.hpp");
  double const times[] = {0.5, 1}, values[] = {0.1, 0.2};
  auto const refuses = [&](char const* argument, curve_pieces const& pieces) {
    all.row("curve::curve", argument, [&] { curve{pieces}; });
  };
  refuses("pieces.times", {{}, {}});
  refuses("pieces.times", {{}, values});
  refuses("pieces.values", {times, {}});
  refuses("pieces.values", {times, std::span(values).first(1)});
  for (auto const bad : refusals<host>::nowhere<double const>(2)) {
    refuses("pieces.times", {bad, values});
    refuses("pieces.values", {times, bad});
  }
  for (std::vector<double> const& bad : std::vector<std::vector<double>>{
           {0, 1}, {-1, 1}, {1, 1}, {1, 0.5}, {nan, 1}, {0.5, nan}, {0.5, infinite}})
    refuses("pieces.times", {bad, values});
  for (std::vector<double> const& bad : std::vector<std::vector<double>>{{nan, 1}, {0.1, infinite}})
    refuses("pieces.values", {times, bad});
  CHECK(curve({times, values}).integral(2) == doctest::Approx(0.05 + 0.3));
  CHECK(curve(0.1).integral(2) == doctest::Approx(0.2));
}

} // namespace refusals_contracts_test
