// Refusals of simulations of options: the argument is named, and nothing is written.

#include "one_option.hpp"
#include "refusals.hpp"

#include <warpfold/pricing/risk.hpp>
#include <warpfold/twins/pricing.hpp>

#include <array>
#include <limits>

namespace refusals_pricing_test {

using namespace test;
using namespace warpfold;
using namespace warpfold::pricing;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Place>
void check_simulated_prices(refusals<Place>& all) {
  auto& place = all.place();
  view_t<Place, float const> const spots = all.template memory<float>(8),
                                   strikes = all.template memory<float>(8);
  all.of("pricing/monte_carlo.hpp");
  using book_type = european_book<view_t<Place, option_kind const>, view_t<Place, float const>>;
  using outputs_type = simulation_outputs<view_t<Place, estimate>>;
  auto const memory = all.template memory<estimate>(20);
  auto const out = memory.subspan(0, 8);
  book_type const book{option_kind::call, spots, strikes, 1, 0.2, 0.01};
  auto const refuses = [&](char const* argument, book_type const& of, outputs_type const& to,
                           european_simulation_options const& options = {.paths = 10}) {
    all.row("simulate", argument, [&] { simulate<float>(place, of, to, options); });
    all.row("simulate_async", argument, [&] { simulate_async<float>(place, of, to, options); });
  };
  for (auto const bad : refusals<Place>::template nowhere<float const>(8))
    refuses("book.spot", {option_kind::call, bad, strikes, 1, 0.2, 0.01}, {.value = out});
  refuses("book.strike", {option_kind::call, spots, strikes.subspan(1), 1, 0.2, 0.01},
          {.value = out});
  refuses("book.kind", {static_cast<option_kind>(2), spots, strikes, 1, 0.2, 0.01}, {.value = out});
  for (double const bad : {-0.1, nan, infinite, -infinite}) {
    auto const value = static_cast<float>(bad);
    refuses("book.expiry", {option_kind::call, spots, strikes, value, 0.2, 0.01}, {.value = out});
    refuses("book.volatility", {option_kind::call, spots, strikes, 1, value, 0.01}, {.value = out});
    if (bad == -0.1) continue; // as rates may be
    refuses("book.rate", {option_kind::call, spots, strikes, 1, 0.2, value}, {.value = out});
  }
  for (auto const bad : refusals<Place>::template nowhere<estimate>(8))
    refuses("outputs.value", book, {.value = bad});
  refuses("outputs.value", book, {.value = out.subspan(1)});
  refuses("outputs.delta", book, {.value = out, .delta = memory.subspan(7, 8)});
  refuses("outputs", book, {});
  for (std::size_t const size : impossible)
    refuses("outputs.value", {option_kind::call, 1, 1, 1, 0.2, 0.01},
            {.value = {out.data(), size}});
  for (std::uint64_t const paths : {std::uint64_t{0}, (std::uint64_t{1} << 42) + 1})
    refuses("options.paths", book, {.value = out}, {.paths = paths});
  for (double const confidence : {0., 1., -1., nan, infinite})
    refuses("options.confidence", book, {.value = out}, {.paths = 10, .confidence = confidence});
  for (double const error : {-1., nan})
    refuses("options.standard_error", book, {.value = out}, {.paths = 10, .standard_error = error});
  auto const goes_on = [](simulation_progress const&) { return true; };
  refuses("options.standard_error", book, {.value = out},
          {.paths = 64, .sampling = sampling::sobol, .standard_error = 1});
  refuses("options.progress", book, {.value = out},
          {.paths = 64, .sampling = sampling::sobol, .progress = goes_on});
  if constexpr (std::same_as<Place, gpu>) {
    all.row("simulate_async", "options.standard_error", [&] {
      simulate_async<float>(place, book, {.value = out}, {.paths = 10, .standard_error = 1});
    });
    all.row("simulate_async", "options.progress", [&] {
      simulate_async<float>(place, book, {.value = out}, {.paths = 10, .progress = goes_on});
    });
  }
  refuses("options.sampling", book, {.value = out},
          {.paths = 10, .sampling = static_cast<sampling>(9)});
  refuses("options.paths", book, {.value = out}, {.paths = 9, .antithetic = true});
  refuses("options.bits", book, {.value = out}, {.paths = 10, .bits = static_cast<bits>(9)});

  all.of("twins/pricing.hpp");
  auto const twin_refuses = [&](char const* argument, outputs_type const& to,
                                twins::simulation twin,
                                european_simulation_options const& options) {
    all.row("simulate", argument, [&] { simulate<float>(place, book, to, twin, options); });
    if constexpr (std::same_as<Place, gpu>)
      all.row("simulate_async", argument,
              [&] { simulate_async<float>(place, book, to, twin, options); });
  };
  using twins::simulation;
  twin_refuses("twin", {.value = out}, static_cast<simulation>(9), {.paths = 10});
  for (simulation const twin : {simulation::stored, simulation::vendor, simulation::block_reduce,
                                simulation::blocks_reduce}) {
    twin_refuses("options.paths", {.value = out}, twin, {.paths = 0});
    twin_refuses("twin", {.delta = out}, twin, {.paths = 10});
    twin_refuses("twin", {.value = out}, twin, {.paths = 10, .antithetic = true});
    twin_refuses("twin", {.value = out}, twin, {.paths = 10, .standard_error = 1});
    twin_refuses("twin", {.value = out}, twin, {.paths = 10, .bits = bits::portable});
  }
}

// ---- options on a path --------------------------------------------------------------------------

constexpr option<double> ordinary{100, 100, 1, 0.2, 0.01, 0};

template <class Place>
void check_simulations(refusals<Place>& all) {
  auto& place = all.place();
  auto const results = all.template memory<estimate>(1);
  estimate untouched{};
  all.of("pricing/path_options.hpp");
  auto const simulates = [&](std::string const& argument, auto book,
                             simulation_options const& options) {
    all.row("simulate", argument,
            [&] { simulate(place, book, std::span(&untouched, 1), options); });
    all.row("simulate_async", argument, [&] { simulate_async(place, book, results, options); });
  };
  simulation_options const few{.paths = 16, .steps = 2};
  std::vector<asian_option> const asian{{ordinary}};
  std::vector<barrier_option> const barrier{{ordinary, 120, barrier_type::up_and_out}};
  auto const of_options = [&](char const* argument, simulation_options const& options) {
    simulates(argument, std::span(asian), options);
    simulates(argument, std::span(barrier), options);
  };
  of_options("options.paths", {.paths = 0, .steps = 2});
  of_options("options.paths", {.paths = (std::uint64_t{1} << 40) + 1, .steps = 2});
  of_options("options.paths", {.paths = 15, .steps = 2, .antithetic = true});
  for (int const steps : {0, -1, (1 << 20) + 1})
    of_options("options.steps", {.paths = 16, .steps = steps});
  for (double const horizon : {nan, infinite, -1., 2.})
    of_options("options.horizon", {.paths = 16, .steps = 2, .horizon = horizon});
  for (double const step : {0.1, nan, infinite, -1.})
    of_options("options.longest_step", {.paths = 16, .steps = 2, .longest_step = step});
  for (double const confidence : {0., 1., nan, infinite})
    of_options("options.confidence", {.paths = 16, .steps = 2, .confidence = confidence});
  of_options("options.sampling", {.paths = 16, .steps = 2, .sampling = static_cast<sampling>(9)});
  of_options("options.bits", {.paths = 16, .steps = 2, .bits = static_cast<bits>(9)});
  for (int const replicates : {-1, 0, 1, 129})
    of_options("options.replicates",
               {.paths = 16, .steps = 2, .sampling = sampling::sobol, .replicates = replicates});
  for (std::vector<double> const& times : std::vector<std::vector<double>>{
           {-0.1, 1}, {0.5, 0.5, 1}, {0.7, 0.3, 1}, {nan}, {0.5, nan, 1}, {0.5, infinite}, {1.5}})
    of_options("options.times", {.paths = 16, .times = times});
  std::vector<double> const half{0.5};
  of_options("options.steps", {.paths = 16, .steps = 2, .times = half});
  simulates("options.times", std::span(barrier), {.paths = 16, .times = half});
  for (auto const bad : refusals<host>::nowhere<double const>(3))
    of_options("options.times", {.paths = 16, .times = bad});
  for (std::size_t const size : impossible) {
    of_options("options.times", {.paths = 16, .times = {half.data(), size}});
    simulates("book", std::span(asian.data(), size), few);
  }
  for (auto const bad : refusals<host>::nowhere<asian_option const>(1)) simulates("book", bad, few);
  for (auto const bad : refusals<host>::nowhere<barrier_option const>(1))
    simulates("book", bad, few);
  for (double const bad : {-1., 0., nan, infinite}) {
    auto other = barrier;
    other[0].barrier = bad;
    simulates("book[0].barrier", std::span(std::as_const(other)), few);
    auto spots = asian;
    spots[0].terms.spot = bad;
    simulates("book[0].terms.spot", std::span(std::as_const(spots)), few);
  }
  of_options("options.horizon", {.paths = 16, .steps = 2, .horizon = 0});
  // Finite in double, but not in float.
  auto const refuses_terms = [&](char const* member, option<double> const& terms) {
    auto const which = std::string("book[0].terms") + member;
    std::vector<asian_option> const averages{{terms}};
    std::vector<barrier_option> const barriers{{terms, 1e300, barrier_type::up_and_out}};
    simulates(which, std::span(averages), few);
    simulates(which, std::span(barriers), few);
  };
  refuses_terms(".spot", {1e39, 100, 1, 0.2, 0.05, 0});
  refuses_terms(".spot", {1e-50, 100, 1, 0.2, 0.05, 0});
  refuses_terms(".strike", {100, 1e39, 1, 0.2, 0.05, 0});
  refuses_terms("", {1, 1, 1, 0.2, 95, 0});
  refuses_terms("", {1, 1, 1, 0.2, 0, -95});
  refuses_terms("", {1, 1, 1, 1e30, 0, 0});
  std::vector<asian_option> const worthless{{{100, 100, 1, 0.2, -1000, -1000}}};
  simulates("book[0].terms.rate", std::span(worthless), few);
  auto const refuses_rebate = [&](char const* member, option<double> const& terms, double rebate) {
    std::vector<barrier_option> const rebated{
        {terms, 120, barrier_type::up_and_out, option_kind::call, rebate}};
    simulates(member, std::span(rebated), few);
  };
  refuses_rebate("book[0].rebate", ordinary, 1e39);
  for (double const rate : {95., -95.}) // their interest, though none beside a price
    refuses_rebate("book[0].terms", {100, 100, 1, 0.2, rate, rate}, 0);
  refuses_rebate("book[0].terms", {100, 100, 1, 0.2, 50, 50}, 1e30);
  auto const refuses = [&](view_t<Place, estimate> to) {
    all.row("simulate_async", "results", [&] { simulate_async(place, std::span(asian), to, few); });
  };
  refuses(results.subspan(0, 0));
  for (auto const bad : refusals<Place>::template nowhere<estimate>(1)) refuses(bad);
  refuses({results.data(), 2});
  auto const refuses_now = [&](std::span<estimate> to) {
    all.row("simulate", "results", [&] { simulate(place, std::span(asian), to, few); });
  };
  refuses_now({});
  for (auto const bad : refusals<host>::nowhere<estimate>(1)) refuses_now(bad);
  CHECK(untouched.paths == 0);
}

// ---- risk figures -------------------------------------------------------------------------------

template <class Place>
void check_risk(refusals<Place>& all) {
  auto& place = all.place();
  all.of("pricing/risk.hpp");
  using span = view_t<Place, double const>;
  span const losses = all.template memory<double>(20);
  auto const result = all.template memory<risk_figures>(1);
  auto const refuses = [&](char const* argument, span from, risk_options const& options = {}) {
    all.row("risk", argument, [&] { static_cast<void>(risk(place, from, options)); });
    all.row("risk_async", argument, [&] { risk_async(place, from, result, options); });
  };
  refuses("losses", losses.subspan(0, 0));
  refuses("losses", {});
  for (auto const bad : refusals<Place>::template nowhere<double const>(3)) refuses("losses", bad);
  for (std::size_t const size : impossible) refuses("losses", {losses.data(), size});
  for (double const bad : {0., 1., -0.1, 1.1, nan, infinite, -infinite}) {
    refuses("options.level", losses, {.level = bad});
    refuses("options.confidence", losses, {.confidence = bad});
  }
  auto const refuses_result = [&](view_t<Place, risk_figures> to, span from) {
    all.row("risk_async", "result", [&] { risk_async(place, from, to); });
  };
  refuses_result(result.subspan(0, 0), losses);
  for (auto const bad : refusals<Place>::template nowhere<risk_figures>(1))
    refuses_result(bad, losses);
  span const among{reinterpret_cast<double const*>(result.data()), 6};
  refuses_result(result, among);
  refuses_result(result, among.subspan(5));
}

FAST_EVERY_PLACE("what risk figures refuse") {
  refusals<Place> all(place);
  check_risk(all);
}

TEST_CASE("what closed forms refuse") {
  host place;
  refusals<host> all(place);
  all.of("pricing/path_options.hpp");
  std::vector<double> const fixings{0.5, 1};
  asian_option const asian{ordinary};
  barrier_option const barrier{ordinary, 120, barrier_type::up_and_out};
  for (std::size_t k = 0; k < 6; ++k)
    for (double const bad : {nan, infinite, -infinite, -1.}) {
      if (k >= 4 && bad == -1) continue; // as rates may be
      std::string const argument = std::string("contract.terms.") + term_names[k];
      auto one = asian;
      *members(one.terms)[k] = bad;
      all.row("geometric_asian_price", argument, [&] { geometric_asian_price(one, fixings); });
      auto other = barrier;
      *members(other.terms)[k] = bad;
      all.row("barrier_price", argument, [&] { barrier_price(other); });
    }
  // Finite numbers that have no finite forward, discount, mean or deviation.
  struct terms_row {
    option<double> terms;
    char const *asian, *barrier;
  };
  for (terms_row const& bad : std::initializer_list<terms_row>{
           {{100, 100, 1, 0.2, -1000, 0}, "contract.terms.rate", "contract.terms"},
           {{100, 100, 1, 0.2, 1000, 0}, "contract.terms", "contract.terms"},
           {{100, 100, 1, 0.2, 0, -1000}, "contract.terms", "contract.terms"},
           {{100, 100, 1, 1e200, 0, 0}, "contract.terms", "contract.terms"},
           {{100, 100, 1e200, 1e200, 0, 0}, "contract.terms", "contract.terms"},
           {{100, 100, 1e300, 0.2, 0, 1e300}, "contract.terms", "contract.terms"}}) {
    all.row("geometric_asian_price", bad.asian,
            [&] { geometric_asian_price({bad.terms}, fixings); });
    all.row("barrier_price", bad.barrier, [&] {
      barrier_price({bad.terms, 120, barrier_type::up_and_out});
    });
  }
  auto const refuses_fixings = [&](std::span<double const> at) {
    all.row("geometric_asian_price", "fixings", [&] { geometric_asian_price(asian, at); });
  };
  refuses_fixings({});
  for (auto const bad : refusals<host>::nowhere<double const>(2)) refuses_fixings(bad);
  for (std::size_t const size : impossible) refuses_fixings({fixings.data(), size});
  for (double const bad : {-0.1, 1.1, nan, infinite}) refuses_fixings(std::span(&bad, 1));
  for (std::array<double, 2> const bad : std::initializer_list<std::array<double, 2>>{
           {0.5, 0.25}, {0.5, 0.5}, {-0.1, 1}, {0.5, nan}, {0.5, 1.5}, {0.5, infinite}})
    refuses_fixings(bad);
  auto const refuses = [&](char const* argument, auto barrier_option::*member, auto value) {
    auto other = barrier;
    other.*member = value;
    all.row("barrier_price", argument, [&] { barrier_price(other); });
  };
  for (double const bad : {-1., 0., 100., nan, infinite})
    refuses("contract.barrier", &barrier_option::barrier, bad);
  for (double const bad : {-1., nan, infinite})
    refuses("contract.rebate", &barrier_option::rebate, bad);
  refuses("contract.type", &barrier_option::type, static_cast<barrier_type>(4));
  refuses("contract.kind", &barrier_option::kind, static_cast<option_kind>(2));
  refuses("contract.monitoring", &barrier_option::monitoring, static_cast<monitoring>(2));
}

FAST_EVERY_PLACE("what simulations of European options refuse") {
  refusals<Place> all(place);
  check_simulated_prices(all);
}
FAST_EVERY_PLACE("what simulations of paths refuse") {
  refusals<Place> all(place);
  check_simulations(all);
}

TEST_SUITE("gpu") {
  TEST_CASE("prices and simulations that wait cannot be captured, nor have memory for nothing") {
    spent_resource memory(3); // what a place has from the start
    gpu maker, place(0, &memory);
    refusals<gpu> all(maker);
    auto const numbers = all.memory<float>(8);
    auto const estimates = all.memory<estimate>(8);
    std::vector<asian_option> const asian{{ordinary}};
    std::vector<float> const strikes(8, 100.F);
    std::vector<float> prices(8);
    all.of("pricing/black_scholes.hpp");
    cannot_be_captured(all, "price", [&] {
      price<float>(maker, {100, 100, 1, 0.2, 0.01}, {.call = numbers});
    });
    cannot_be_captured(all, "price", [&] {
      price<float>(maker, {100, std::span(strikes), 1, 0.2, 0.01}, {.call = prices});
    });
    all.of("pricing/implied_volatility.hpp");
    cannot_be_captured(all, "implied_volatility", [&] {
      implied_volatility<float>(maker, {option_kind::call, 10, 100, 100, 1, 0.01},
                                {.volatility = numbers});
    });
    all.of("pricing/monte_carlo.hpp");
    cannot_be_captured(all, "simulate", [&] {
      simulate<float>(maker, {option_kind::call, 100, 100, 1, 0.2, 0.01}, {.value = estimates},
                      {.paths = 64});
    });
    all.of("twins/pricing.hpp");
    cannot_be_captured(all, "price", [&] {
      price<float>(maker, {100, 100, 1, 0.2, 0.01}, {.call = numbers}, twins::formula::vendor);
    });
    cannot_be_captured(all, "simulate", [&] {
      simulate<float>(maker, {option_kind::call, 100, 100, 1, 0.2, 0.01}, {.value = estimates},
                      twins::simulation::block_reduce, {.paths = 64});
    });
    all.of("pricing/path_options.hpp");
    auto const simulates = [&](gpu& on) {
      estimate result{};
      simulate(on, asian, std::span(&result, 1), {.paths = 64, .steps = 2});
      return result;
    };
    cannot_be_captured(all, "simulate", [&] { static_cast<void>(simulates(maker)); });
    all.fails<std::bad_alloc>("simulate", [&] { static_cast<void>(simulates(place)); });
    CHECK(simulates(maker).paths == 64);
  }
}

} // namespace refusals_pricing_test
