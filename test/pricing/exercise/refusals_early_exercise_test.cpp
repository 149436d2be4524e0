// Refusals of simulations with early exercise: the argument is named, and nothing is written.

#include "pricing/exercise/early_exercise.hpp"
#include "refusals.hpp"

#include <limits>

namespace refusals_early_exercise_test {

using namespace test;
using namespace warpfold;
using namespace warpfold::pricing;
using test::contracts::heston_of;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE("what simulations with early exercise refuse") {
  refusals<Place> all(place);
  all.of("pricing/early_exercise.hpp");
  auto const results = all.template memory<exercise_estimate>(2);
  exercise_estimate untouched[2]{};
  heston const good = heston_of(0.04, 1, 0.04, 0.5, -0.5, 0.01);
  black_scholes const flat{100, 0.2, 0.01};
  std::vector<bermudan_option> const book{{100, 1}, {100, 0.5, option_kind::call}};
  simulation_options const few{.paths = 16, .steps = 2};
  auto const simulates = [&](std::string const& argument, auto const& model,
                             std::span<bermudan_option const> of,
                             simulation_options const& options) {
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
  of_options("options.regression_paths",
             {.paths = 16, .steps = 2, .regression_paths = (std::uint64_t{1} << 31) + 1});
  of_options("options.paths", {.paths = 15, .steps = 2, .antithetic = true});
  of_options("options.steps", {.paths = 16});
  of_options("options.sampling", {.paths = 64, .steps = 2, .sampling = sampling::sobol});
  of_options("options.longest_step", {.paths = 16, .steps = 2, .longest_step = nan});

  auto const with = [](heston model, double heston::*member, double value) {
    model.*member = value;
    return model;
  };
  for (double const bad : {0., nan, infinite, 1e39})
    simulates("model.spot", with(good, &heston::spot, bad), book, few);
  for (double const bad : {-1., nan, infinite})
    simulates("model.variance", with(good, &heston::variance, bad), book, few);
  simulates("model.correlation", with(good, &heston::correlation, 1.01), book, few);
  simulates("model.volatility", black_scholes{100, -0.2, 0.01}, book, few);
  simulates("model.volatility", black_scholes{100, nan, 0.01}, book, few);
  simulates("model.rate", black_scholes{100, 0.2, nan}, book, few);
  simulates("model.rate", black_scholes{100, 0.2, -1000}, book, few);
  auto jumping = good;
  jumping.jumps = {0.1, -0.1, 0.1};
  simulates("model.jumps.intensity", jumping, book, few);
  simulates("model.jumps.intensity", black_scholes{100, 0.2, 0.01, 0, {nan}}, book, few);
  simulates("model.jumps.mean", black_scholes{100, 0.2, 0.01, 0, {0, nan}}, book, few);
  // Finite in double, but not in float.
  simulates("model", black_scholes{100, 1e30, 0.01}, book, few);
  simulates("model", black_scholes{100, 0.2, 0.01, -100}, book, few);
  simulates("model", with(good, &heston::variance, 1e39), book, few);
  simulates("model", black_scholes{100, 0.2, 86.5}, book, few);            // the forward
  simulates("book[0].strike", black_scholes{1e-37, 0.2, 0.01}, book, few); // over the spot

  auto const refuses_option = [&](char const* member, bermudan_option const& bad) {
    simulates(std::string("book[1].") + member, flat, std::vector{book[0], bad}, few);
  };
  for (double const bad : {-1., nan, infinite, 1e39}) refuses_option("strike", {bad, 1});
  for (double const bad : {-1., nan, infinite, 0., 0.25, 1.1}) refuses_option("expiry", {100, bad});
  refuses_option("kind", {100, 1, static_cast<option_kind>(2)});
  for (double const bad : {-0.1, nan, infinite, 1.01})
    refuses_option("first_exercise", {100, 1, option_kind::put, bad});
  for (auto const bad : refusals<host>::nowhere<bermudan_option const>(2))
    simulates("book", flat, bad, few);
  for (std::size_t const size : impossible) simulates("book", flat, {book.data(), size}, few);

  auto const refuses_results = [&](view_t<Place, exercise_estimate> to) {
    all.row("simulate_async", "results", [&] { simulate_async(place, flat, book, to, few); });
  };
  refuses_results(results.subspan(0, 1));
  refuses_results({results.data(), 3});
  for (auto const bad : refusals<Place>::template nowhere<exercise_estimate>(2))
    refuses_results(bad);
  for (auto const bad : refusals<host>::nowhere<exercise_estimate>(2))
    all.row("simulate", "results", [&] { simulate(place, flat, book, bad, few); });
  CHECK(untouched[0].price.paths == 0);
}

} // namespace refusals_early_exercise_test
