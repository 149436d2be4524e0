// Refusals of products with a schedule: the argument is named, and nothing is written.

#include "pricing/schedules/schedules.hpp"
#include "refusals.hpp"

#include <limits>

namespace refusals_schedules_test {

using namespace test;
using namespace warpfold;
using namespace warpfold::pricing;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE("what simulations of products with a schedule refuse") {
  refusals<Place> all(place);
  all.of("pricing/schedules.hpp");
  auto const results = all.template memory<estimate>(2);
  estimate untouched[2]{};
  black_scholes const good{100, 0.2, 0.03};
  schedule const fine{.dates = {{.time = 0.5, .call_level = 1.1, .call_payment = 100}, {.time = 1}},
                      .at_end = {.amount = 100}};
  std::vector<schedule> const book{fine, fine};
  simulation_options const few{.paths = 16, .steps = 2};
  auto const simulates = [&](std::string const& argument, auto const& model,
                             std::span<schedule const> of, simulation_options const& options) {
    all.row("simulate", argument,
            [&] { simulate(place, model, of, std::span(untouched), options); });
    all.row("simulate_async", argument,
            [&] { simulate_async(place, model, of, results, options); });
  };
  simulates("options.paths", good, book, {.paths = 0, .steps = 2});
  simulates("options.steps", good, book, {.paths = 16});
  simulates("options.sampling", good, book, {.paths = 64, .steps = 2, .sampling = sampling::sobol});
  auto const refuses = [&](char const* argument, auto member, auto... bad) {
    for (auto const& value : {bad...}) {
      black_scholes model = good;
      model.*member = value;
      simulates(argument, model, book, few);
    }
  };
  refuses("model.spot", &black_scholes::spot, 0., -1., nan, infinite, 1e39, 1e-50);
  refuses("model.rate", &black_scholes::rate, nan, infinite, -1000.);
  refuses("model.volatility", &black_scholes::volatility, nan, infinite, -0.1);
  refuses("model", &black_scholes::volatility, 1e20);
  refuses("model", &black_scholes::dividend_yield, -100.);
  heston const stochastic = test::contracts::ordinary;
  auto wrong = stochastic;
  wrong.correlation = 2;
  simulates("model.correlation", wrong, book, few);
  auto jumping = stochastic;
  jumping.jumps.intensity = 0.1;
  simulates("model.jumps.intensity", jumping, book, few);
  simulates("model.jumps.intensity", black_scholes{100, 0.2, 0.03, 0, {1, -0.1, 0.1}}, book, few);
  simulates("options.steps", test::contracts::ordinary_local(), book,
            {.paths = 16, .steps = (1 << 14) + 1});

  auto const refuses_product = [&](char const* member, schedule const& bad) {
    simulates(std::string("book[1].") + member, good, std::vector{fine, bad}, few);
    simulates(std::string("book[1].") + member, stochastic, std::vector{fine, bad}, few);
  };
  auto const with = [&](auto change) {
    schedule bad = fine;
    change(bad);
    return bad;
  };
  refuses_product("dates", with([](auto& of) { of.dates.clear(); }));
  for (double const bad : {-1., nan, infinite, 1e-322})
    refuses_product("reference", with([&](auto& of) { of.reference = bad; }));
  for (double const bad : {0.5, 0.4, nan, 2., -1.})
    refuses_product("dates[1].time", with([&](auto& of) { of.dates[1].time = bad; }));
  auto const refuses_date = [&](char const* member, double schedule_date::*of,
                                std::initializer_list<double> values) {
    for (double const bad : values)
      refuses_product((std::string("dates[1].") + member).c_str(),
                      with([&](auto& one) { one.dates[1].*of = bad; }));
  };
  refuses_date("call_level", &schedule_date::call_level, {-1., nan});
  refuses_date("call_payment", &schedule_date::call_payment, {1., nan, infinite});
  refuses_date("coupon_level", &schedule_date::coupon_level, {-1., nan});
  refuses_date("coupon", &schedule_date::coupon, {nan, infinite});
  refuses_date("knock_in_level", &schedule_date::knock_in_level, {-1., nan});
  refuses_date("weight", &schedule_date::weight, {nan, infinite});
  refuses_date("return_floor", &schedule_date::return_floor, {nan, infinite});
  refuses_date("return_floor", &schedule_date::return_cap, {nan, -infinite});
  for (auto const end : {&schedule::at_end, &schedule::knocked_in}) {
    std::string const name = end == &schedule::at_end ? "at_end." : "knocked_in.";
    auto const refuses_end = [&](char const* member, auto redemption::*of, auto... values) {
      for (auto const bad : {values...})
        refuses_product((name + member).c_str(), with([&](auto& one) { (one.*end).*of = bad; }));
    };
    refuses_end("amount", &redemption::amount, nan, infinite);
    refuses_end("participation", &redemption::participation, nan, infinite);
    refuses_end("strike", &redemption::strike, nan, infinite);
    refuses_end("floor", &redemption::floor, nan, infinite);
    refuses_end("floor", &redemption::cap, nan, -infinite);
    refuses_end("measured", &redemption::measured, static_cast<quantity>(5));
    refuses_end("less", &redemption::less, quantity::returns);
    refuses_product((name + "less").c_str(), with([&](auto& one) {
                      (one.*end).measured = quantity::returns;
                      (one.*end).less = quantity::low;
                    }));
  }
  // Finite, but not in float, or not after the reference.
  simulates("book[1]", good, std::vector{fine, with([](auto& of) { of.at_end.amount = 1e39; })},
            few);
  for (auto const member : {&schedule_date::coupon, &schedule_date::weight})
    simulates("book[1]", good,
              std::vector{fine, with([=](auto& of) { of.dates[0].*member = 1e39; })}, few);
  for (auto const member : {&schedule_date::call_level, &schedule_date::knock_in_level})
    refuses_product(member == &schedule_date::call_level ? "dates[0].call_level"
                                                         : "dates[0].knock_in_level",
                    with([=](auto& of) {
                      of.reference = 1e10;
                      of.dates[0].*member = 1e305;
                    }));
  for (auto const bad : refusals<host>::nowhere<schedule const>(2))
    simulates("book", good, bad, few);

  auto falling = good; // a discount above 1
  falling.rate = -700;
  falling.dividend_yield = -700;
  auto const refuses_discounted = [&](char const* member, auto change) {
    simulates(std::string("book[1].") + member, falling,
              std::vector{schedule{.dates = {{.time = 1}}}, with(change)}, few);
  };
  refuses_discounted("dates[0].call_payment", [](auto& of) { of.dates[0].call_payment = 1e300; });
  refuses_discounted("dates[1].coupon", [](auto& of) {
    of.dates[0] = {.time = 0.5};
    of.dates[1].coupon = 1e300;
  });
  refuses_discounted("at_end.participation", [](auto& of) {
    of.dates[0] = {.time = 0.5};
    of.at_end.participation = 1e300;
  });
  refuses_discounted("at_end.amount", [](auto& of) {
    of.dates[0] = {.time = 0.5};
    of.at_end.amount = 1e300;
  });
  double const both[] = {1, 0.5, 0.5, 1}, crooked[] = {1, 0.5, 0.4, 1}, zeros[] = {0, 0};
  std::vector<black_scholes> const assets{good, good};
  using test::schedules::simulation_options;
  simulates("model.assets", basket_index{std::span(assets).first(1), both}, book, few);
  simulates("model.correlation", basket_index{assets, crooked}, book, few);
  for (auto const bad : {selection::weighted_product, static_cast<selection>(4)})
    simulates("model.selection", basket_index{assets, both, bad}, book, few);
  simulates("model.weights", basket_index{assets, both, selection::best_of, zeros}, book, few);
  simulates("model.weights", basket_index{assets, both, selection::best_of, both}, book, few);
  std::vector<black_scholes> const nine(9, good);
  simulates("model.assets", basket_index{nine, both}, book, few);

  auto const refuses_results = [&](view_t<Place, estimate> to) {
    all.row("simulate_async", "results", [&] { simulate_async(place, good, book, to, few); });
  };
  refuses_results(results.subspan(0, 1));
  for (auto const bad : refusals<Place>::template nowhere<estimate>(2)) refuses_results(bad);
  for (auto const bad : refusals<host>::nowhere<estimate>(2))
    all.row("simulate", "results", [&] { simulate(place, good, book, bad, few); });
  CHECK(untouched[0].paths == 0);
}

TEST_CASE("what products refuse to become") {
  host place;
  refusals<host> all(place);
  all.of("pricing/schedules.hpp");
  double const two[] = {1, 2}, one[] = {1};
  auto const refuses = [&](char const* name, char const* argument, auto const& of) {
    all.row(name, argument, [&] { schedule const made = of; });
  };
  refuses("autocallable::autocallable", "autocallable.call_levels",
          autocallable{.times = two, .call_levels = one});
  refuses("autocallable::autocallable", "autocallable.call_payments",
          autocallable{.times = two, .call_levels = two, .call_payments = one});
  double const nevers[] = {schedule_date::never, schedule_date::never};
  refuses("autocallable::autocallable", "autocallable.call_payments",
          autocallable{.times = two, .call_levels = nevers, .call_payments = two});
  refuses("lookback::lookback", "lookback.kind",
          lookback{.times = two, .kind = static_cast<option_kind>(7)});
  for (auto const bad : refusals<host>::nowhere<double const>(2)) {
    refuses("autocallable::autocallable", "autocallable.times",
            autocallable{.times = bad, .call_levels = two});
    refuses("cliquet::cliquet", "cliquet.times", cliquet{.times = bad});
    refuses("lookback::lookback", "lookback.times", lookback{.times = bad});
  }
}

} // namespace refusals_schedules_test
