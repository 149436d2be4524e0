// Refusals of early exercise on correlated assets: the argument is named, and nothing is written.

#include "pricing/exercise/basket_exercise.hpp"
#include "refusals.hpp"

#include <limits>

namespace refusals_basket_exercise_test {

using namespace test;
using namespace test::basket_exercise;
using namespace warpfold;
namespace pricing = warpfold::pricing;
using pricing::sampling, pricing::simulate, pricing::simulate_async;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE("what early exercise on baskets refuses") {
  refusals<Place> all(place);
  all.of("pricing/basket_exercise.hpp");
  auto const results = all.template memory<exercise_estimate>(2);
  exercise_estimate untouched[2]{};
  owned_basket const good = random_basket(2, 2, 1);
  owned_options book;
  book.add({1, 1}, {.strike = 100, .expiry = 1});
  book.add(
      {1, 1},
      {.strike = 100, .expiry = 0.5, .kind = option_kind::call, .selection = selection::best_of});
  simulation_options const few{.paths = 16, .steps = 2};
  auto const simulates = [&](std::string const& argument, pricing::basket const& model,
                             std::span<bermudan_basket_option const> of,
                             simulation_options const& options) {
    all.row("simulate", argument,
            [&] { simulate(place, model, of, std::span(untouched), options); });
    all.row("simulate_async", argument,
            [&] { simulate_async(place, model, of, results, options); });
  };
  auto const of_options = [&](char const* argument, simulation_options const& options) {
    simulates(argument, good, book.contracts, options);
  };
  of_options("options.paths", {.paths = 0, .steps = 2});
  of_options("options.paths", {.paths = (std::uint64_t{1} << 40) + 1, .steps = 2});
  of_options("options.regression_paths",
             {.paths = 16, .steps = 2, .regression_paths = (std::uint64_t{1} << 31) + 1});
  of_options("options.sampling", {.paths = 64, .steps = 2, .sampling = sampling::sobol});

  // Models: what all baskets refuse, and more than 8 assets.
  auto const of_model = [&](char const* argument, owned_basket const& model) {
    simulates(argument, model, book.contracts, few);
  };
  of_model("model.assets", random_basket(9, 9, 1));
  of_model("model.assets", {{good.assets[0]}, {1}});
  of_model("model.correlation", {good.assets, {1, 0.5, 0.4, 1}});
  owned_basket bad = good;
  bad.assets[1].rate = 0.05;
  of_model("model.assets[1].rate", bad);
  bad = good;
  bad.assets[1].spot = 1e39; // no float
  of_model("model.assets[1].spot", bad);
  bad = good;
  bad.assets[0].volatility = nan;
  of_model("model.assets[0].volatility", bad);
  bad = good;
  bad.assets[1].jumps.intensity = 1;
  of_model("model.assets[1].jumps.intensity", bad);
  bad = good;
  bad.assets[0].rate = bad.assets[1].rate = -100; // discounts are no floats
  bad.assets[0].dividend_yield = bad.assets[1].dividend_yield = -100;
  of_model("model", bad);

  auto const refuses_option = [&](char const* member, bermudan_basket_option const& wrong) {
    simulates(std::string("book[1].") + member, good, std::vector{book.contracts[0], wrong}, few);
  };
  auto const with = [&](auto member, auto value) {
    bermudan_basket_option of = book.contracts[1];
    of.*member = value;
    return of;
  };
  using option = bermudan_basket_option;
  for (double const x : {nan, infinite, 1e39}) refuses_option("strike", with(&option::strike, x));
  for (double const x : {-1., nan, infinite, 0., 0.25, 1.1})
    refuses_option("expiry", with(&option::expiry, x));
  for (double const x : {-0.1, nan, infinite, 0.51})
    refuses_option("first_exercise", with(&option::first_exercise, x));
  refuses_option("kind", with(&option::kind, static_cast<option_kind>(2)));
  refuses_option("selection", with(&option::selection, static_cast<selection>(4)));
  std::vector<std::vector<double>> const weights{{},     {1},        {1, 1, 1}, {1, -1},
                                                 {0, 0}, {nan, 0.5}, {1e39, 1}, {1, 1e-60}};
  for (std::span<double const> const x : weights)
    refuses_option("weights", with(&option::weights, x));
  std::vector<std::vector<double>> const powers{{1, -1},    {0, 0},   {nan, 1}, {1e39, 1},
                                                {1, 1e-60}, {20, 20}, {1}};
  for (std::span<double const> const x : powers) {
    auto wrong = with(&option::weights, x);
    wrong.selection = selection::weighted_product;
    refuses_option("weights", wrong);
  }
  auto far = with(&option::weights, std::span<double const>(book.weights[1]));
  far.selection = selection::weighted_product;
  far.strike = 1e38; // but not in units of a small product
  owned_basket cheap = good;
  for (auto& one : cheap.assets) one.spot = 1e-3;
  simulates("book[0].strike", cheap, std::vector{far, far}, few);
  for (auto const x : refusals<host>::nowhere<option const>(2)) simulates("book", good, x, few);

  auto const refuses_results = [&](view_t<Place, exercise_estimate> to) {
    all.row("simulate_async", "results",
            [&] { simulate_async(place, good, book.contracts, to, few); });
  };
  refuses_results(results.subspan(0, 1));
  refuses_results({results.data(), 3});
  for (auto const x : refusals<host>::nowhere<exercise_estimate>(2))
    all.row("simulate", "results", [&] { simulate(place, good, book.contracts, x, few); });
  CHECK(untouched[0].price.paths == 0);
}

} // namespace refusals_basket_exercise_test
