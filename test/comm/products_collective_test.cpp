// Baskets, products with a schedule and options with early exercise that ranks simulate together.

#include "communicator.hpp"
#include "pricing/exercise/basket_exercise.hpp"
#include "pricing/schedules/schedules.hpp"

#include <warpfold/comm/pricing.hpp>

#include <functional>
#include <limits>
#include <random>
#include <type_traits>

namespace products_collective_test {

using namespace test;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::bermudan_basket_option, pricing::bermudan_option, pricing::black_scholes;
using pricing::estimate, pricing::exercise_estimate, pricing::heston, pricing::schedule;
using pricing::simulation_options;
using test::basket_exercise::owned_basket, test::schedules::owned_index;

std::vector<double> const quarters{0.25, 0.5, 0.75, 1};

template <class Product>
using result_of = std::conditional_t<std::is_same_v<Product, bermudan_option> ||
                                         std::is_same_v<Product, bermudan_basket_option>,
                                     exercise_estimate, estimate>;

/// The results of a book, on a place or by all ranks of a communicator.
template <class T, class Where, class Model, class Product>
auto simulated(Where& where, Model const& model, std::vector<Product> const& book,
               simulation_options const& options) {
  std::vector<result_of<Product>> results(book.size());
  pricing::simulate<T>(where, model, book, results, options);
  return results;
}

bool same(std::vector<estimate> const& a, std::vector<estimate> const& b) {
  return same_estimates(a, b);
}
bool same(std::vector<exercise_estimate> const& a, std::vector<exercise_estimate> const& b) {
  return test::early::same_results(a, b);
}

/// With one thread of a host: many short loops wait for each other where threads are few.
template <class Place>
Place lonely_place() {
  if constexpr (std::is_same_v<Place, wf::host>) return wf::host(1);
  else return {};
}

template <class T, class Place, class Model, class Product>
void shares_book(wf::local_group<Place>& group, Model const& model,
                 std::vector<Product> const& book, simulation_options const& options) {
  Place alone = lonely_place<Place>();
  auto const expected = simulated<T>(alone, model, book, options);
  group.run([&](wf::communicator<Place>& comm) {
    CHECK(same(simulated<T>(comm, model, book, options), expected));
  });
}

std::vector<schedule> schedules_of(std::size_t size) {
  std::mt19937_64 random{4};
  std::vector<schedule> book;
  while (book.size() < size) book.push_back(schedules::random_schedule(quarters, random, 100));
  return book;
}
std::vector<bermudan_option> bermudans(std::size_t size) {
  std::vector<bermudan_option> book;
  for (std::size_t i = 0; i < size; ++i)
    book.push_back({.strike = 85 + 3. * static_cast<double>(i % 11),
                    .expiry = quarters[1 + i % 3],
                    .kind = static_cast<pricing::option_kind>(i % 2),
                    .first_exercise = i % 3 == 0 ? 0.5 : 0});
  return book;
}

black_scholes const flat{100, 0.3, 0.06, 0.02};
heston const stochastic = contracts::ordinary;

/// All products with all their models.
template <class T, class Place>
void shares_products(wf::local_group<Place>& group, simulation_options const& options) {
  owned_basket const two = baskets::random_basket(2, 2, 1), five = baskets::random_basket(5, 3, 2);
  auto const on_two = baskets::every_contract(2, 20, quarters);
  auto const on_five = baskets::every_contract(5, 11, quarters);
  shares_book<T>(group, pricing::basket(two), on_two.contracts, options);
  shares_book<T>(group, pricing::basket(five), on_five.contracts, options);

  auto const notes = schedules_of(35);
  shares_book<T>(group, flat, notes, options);
  shares_book<T>(group, stochastic, notes, options);
  shares_book<T>(group, contracts::ordinary_local(), notes, options);
  shares_book<T>(group, pricing::basket_index{five.assets, five.correlation}, notes, options);

  // More than are priced together.
  auto const puts = bermudans(70);
  shares_book<T>(group, flat, puts, options);
  shares_book<T>(group, stochastic, std::vector(puts.begin(), puts.begin() + 3), options);
  auto const rights = basket_exercise::every_option(5, 4, quarters);
  shares_book<T>(group, pricing::basket(five), rights.contracts, options);
}

EVERY_GROUP("products have the same bits on any number of ranks") {
  simulation_options options{
      .paths = 1502, .times = quarters, .seed = 3, .stream = 2, .regression_paths = 300};
  shares_products<float>(group, options);
  options.antithetic = true;
  shares_products<double>(group, options);
  // One tile: the others have none.
  options = {.paths = 100, .times = quarters, .longest_step = 0.2, .seed = 4, .independent = true};
  owned_basket const two = baskets::random_basket(2, 2, 1);
  auto const on_two = baskets::every_contract(2, 3, quarters);
  auto const rights = basket_exercise::every_option(2, 2, quarters);
  shares_book<float>(group, pricing::basket(two), on_two.contracts, options);
  shares_book<float>(group, stochastic, schedules_of(2), options);
  shares_book<float>(group, flat, bermudans(3), options);
  shares_book<float>(group, pricing::basket(two), rights.contracts, options);
  // Nothing at all.
  shares_book<float>(group, flat, std::vector<schedule>{}, options);
  shares_book<float>(group, flat, std::vector<bermudan_option>{}, options);
}

/// Greeks of products that any number of ranks estimates, by each model.
template <class T, class Place, class Model>
void shares_greeks(wf::local_group<Place>& group, Model const& model,
                   std::vector<schedule> const& book, simulation_options const& options) {
  auto const greeks_on = [&](auto& where) {
    std::vector<std::vector<estimate>> all(3, std::vector<estimate>(book.size()));
    pricing::simulate<T>(where, model, book,
                         pricing::greeks{.value = all[0], .delta = all[1], .rho = all[2]}, options);
    return all;
  };
  Place alone = lonely_place<Place>();
  auto const expected = greeks_on(alone);
  group.run([&](wf::communicator<Place>& comm) {
    auto const got = greeks_on(comm);
    for (std::size_t k = 0; k < got.size(); ++k) CHECK(same(got[k], expected[k]));
  });
}

EVERY_GROUP("Greeks of products have the same bits on any number of ranks") {
  simulation_options options{.paths = 1502, .times = quarters, .seed = 3, .stream = 2};
  shares_greeks<float>(group, flat, schedules_of(35), options);
  shares_greeks<double>(group, stochastic, schedules_of(3), options);
  shares_greeks<float>(group, flat, {}, options);
  options.independent = true;
  shares_greeks<float>(group, contracts::ordinary_local(), schedules_of(2), options);
}

// ---- disagreements ------------------------------------------------------------------------------

/// Arguments of one call, which a rank may change.
struct arguments {
  owned_basket assets = baskets::random_basket(3, 3, 1);
  owned_index index{assets.assets, assets.correlation, {1, 1, 1}};
  black_scholes one = flat;
  heston two = stochastic;
  baskets::owned_book contracts = baskets::every_contract(3, 4, quarters);
  std::vector<schedule> notes{
      3, {.dates = {{.time = 0.5, .call_level = 1.1, .call_payment = 100}, {.time = 1}}}};
  std::vector<bermudan_option> puts = bermudans(3);
  basket_exercise::owned_options rights = basket_exercise::every_option(3, 3, quarters);
  simulation_options options{.paths = 1000, .times = quarters, .seed = 3, .regression_paths = 300};
};
using change = std::function<void(arguments&)>;

void simulate_contracts(wf::communicator<wf::host>& comm, arguments const& of) {
  simulated<float>(comm, pricing::basket(of.assets), of.contracts.contracts, of.options);
}
void simulate_notes(wf::communicator<wf::host>& comm, arguments const& of) {
  simulated<float>(comm, of.one, of.notes, of.options);
}
void simulate_index(wf::communicator<wf::host>& comm, arguments const& of) {
  simulated<float>(comm, pricing::basket_index(of.index), of.notes, of.options);
}
void simulate_puts(wf::communicator<wf::host>& comm, arguments const& of) {
  simulated<float>(comm, of.two, of.puts, of.options);
}
void simulate_rights(wf::communicator<wf::host>& comm, arguments const& of) {
  simulated<float>(comm, pricing::basket(of.assets), of.rights.contracts, of.options);
}

/// Both ranks notice that one has other arguments.
template <class Simulate>
void check_noticed(Simulate simulate, std::vector<change> const& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    wf::local_group<wf::host> group(2);
    CHECK(test::ranks_noticing(group, "another ", [&](auto& comm) {
            arguments of;
            if (comm.rank() == 1) changes[i](of);
            simulate(comm, of);
          }) == 2);
  }
}

TEST_CASE("ranks that simulate different products notice") {
  check_noticed(
      simulate_contracts,
      {[](auto& of) { of.assets.assets[2].spot += 1; },
       [](auto& of) { of.assets.assets[1].volatility = 0.77; },
       [](auto& of) { of.assets.assets[1].dividend_yield = 0.07; },
       [](auto& of) {
         of.assets = baskets::random_basket(2, 2, 1);
         of.contracts = baskets::every_contract(2, 4, quarters);
       },
       [](auto& of) { of.assets.correlation = baskets::equal_correlation(3, 0.1); },
       [](auto& of) { of.contracts.weights[1][2] += 0.1; },
       [](auto& of) { of.contracts.contracts[1].strike += 1; },
       [](auto& of) { of.contracts.contracts[1].expiry = 0.25; },
       [](auto& of) { of.contracts.contracts[1].settlement = pricing::settlement::put; },
       [](auto& of) { of.contracts.contracts[1].selection = pricing::selection::worst_of; },
       [](auto& of) { of.contracts.contracts[1].measure = pricing::measure::arithmetic_average; },
       [](auto& of) { of.contracts.contracts.pop_back(); },
       [](auto& of) { of.contracts.contracts.clear(); }, [](auto& of) { of.options.seed = 9; }});
  using pricing::schedule_date, pricing::redemption;
  std::vector<change> of_notes{
      [](auto& of) { of.one.spot += 1; },
      [](auto& of) { of.notes[1].dates.pop_back(); },
      [](auto& of) { of.notes[1].dates[0].time = 0.25; },
      [](auto& of) { of.notes[1].reference = 101; },
      [](auto& of) { of.notes[1].memory = !of.notes[1].memory; },
      [](auto& of) { of.notes.clear(); },
      [](auto& of) { of.notes[1].at_end.measured = pricing::quantity::high; },
      [](auto& of) { of.notes[1].at_end.less = pricing::quantity::low; }};
  for (auto const member :
       {&schedule_date::call_level, &schedule_date::call_payment, &schedule_date::coupon_level,
        &schedule_date::coupon, &schedule_date::knock_in_level, &schedule_date::weight,
        &schedule_date::return_floor, &schedule_date::return_cap})
    of_notes.emplace_back([=](auto& of) { of.notes[1].dates[0].*member = 1.5; });
  for (auto const end : {&schedule::at_end, &schedule::knocked_in})
    for (auto const member : {&redemption::amount, &redemption::participation, &redemption::strike,
                              &redemption::floor, &redemption::cap})
      of_notes.emplace_back([=](auto& of) { (of.notes[1].*end).*member = 0.875; });
  check_noticed(simulate_notes, of_notes);
  check_noticed(
      [](auto& comm, arguments const& of) {
        std::vector<estimate> values(of.notes.size()), deltas(of.notes.size());
        pricing::simulate(comm, of.one, of.notes, pricing::greeks{.value = values, .delta = deltas},
                          of.options);
      },
      {[](auto& of) { of.notes[1].memory = true; }});
  check_noticed(simulate_index,
                {[](auto& of) { of.index.assets[0].spot += 1; },
                 [](auto& of) { of.index.correlation = baskets::equal_correlation(3, 0.1); },
                 [](auto& of) { of.index.weights[0] = 2; },
                 [](auto& of) { of.index.selection = pricing::selection::best_of; }});
  check_noticed(simulate_puts,
                {[](auto& of) { of.two.vol_of_vol += 0.1; },
                 [](auto& of) { of.puts[1].strike += 1; }, [](auto& of) { of.puts[1].expiry = 1; },
                 [](auto& of) { of.puts[1].kind = pricing::option_kind::call; },
                 [](auto& of) { of.puts[1].first_exercise = 0.25; },
                 [](auto& of) { of.puts.clear(); },
                 [](auto& of) { of.options.regression_paths = 301; }});
  check_noticed(simulate_rights,
                {[](auto& of) { of.assets.correlation = baskets::equal_correlation(3, 0.1); },
                 [](auto& of) { of.rights.weights[1][2] += 0.1; },
                 [](auto& of) { of.rights.contracts[1].strike += 1; },
                 [](auto& of) { of.rights.contracts[1].first_exercise = 0.25; },
                 [](auto& of) { of.rights.contracts[1].kind = pricing::option_kind::call; },
                 [](auto& of) { of.rights.contracts[1].selection = pricing::selection::worst_of; },
                 [](auto& of) { of.options.regression_paths = 301; }});
}

/// Three ranks of a host, or one GPU.
template <class Place>
wf::local_group<Place> few_ranks() {
  if constexpr (std::is_same_v<Place, wf::host>) return wf::local_group<wf::host>(3);
  else return wf::local_group<wf::gpu>(std::vector{0});
}

/// The last rank refuses the argument, and the others are told; nobody writes.
template <class Place, class Model, class Product>
void check_refused(char const* argument, Model const& good, Model const& bad,
                   std::span<Product const> book, std::span<Product const> wrong,
                   simulation_options const& options = {.paths = 200, .times = quarters}) {
  CAPTURE(argument);
  auto group = few_ranks<Place>();
  CHECK(test::failing(
            group, "",
            [&](auto& comm) {
              std::vector<result_of<Product>> results(book.size());
              bool const wrongly = comm.rank() == comm.size() - 1;
              auto const unwritten = results;
              try {
                pricing::simulate(comm, wrongly ? bad : good, wrongly ? wrong : book, results,
                                  wrongly ? options
                                          : simulation_options{.paths = 200, .times = quarters});
              } catch (...) {
                CHECK(same(results, unwritten));
                throw;
              }
            },
            argument) == failures{1, group.size() - 1});
}

template <class Place>
void check_refusals() {
  arguments const of;
  pricing::basket const assets = of.assets;
  pricing::basket_index const index = of.index;
  auto const with = [](auto book, auto member, auto value) {
    book[1].*member = value;
    return book;
  };
  std::span<double const> const nowhere(static_cast<double const*>(nullptr), 3);
  auto const contracts = std::span(of.contracts.contracts);
  auto const rights = std::span(of.rights.contracts);
  std::span<schedule const> const notes(of.notes);
  std::span<bermudan_option const> const puts(of.puts);
  double const nan = std::numeric_limits<double>::quiet_NaN();

  using pricing::basket_contract;
  check_refused<Place, pricing::basket, basket_contract>("model.assets", assets, {}, contracts,
                                                         contracts);
  check_refused<Place, pricing::basket, basket_contract>(
      "model.correlation", assets, {assets.assets, nowhere}, contracts, contracts);
  auto const no_weights = with(of.contracts.contracts, &basket_contract::weights, nowhere);
  check_refused<Place, pricing::basket, basket_contract>("book[1].weights", assets, assets,
                                                         contracts, no_weights);
  check_refused<Place, pricing::basket, basket_contract>(
      "book", assets, assets, contracts, {static_cast<basket_contract const*>(nullptr), 4});

  auto const no_dates = with(of.notes, &schedule::dates, std::vector<pricing::schedule_date>{});
  check_refused<Place, black_scholes, schedule>("book[1].dates", flat, flat, notes, no_dates);
  check_refused<Place, black_scholes, schedule>("results", flat, flat, notes, notes.first(2));
  pricing::basket_index unweighted = index;
  unweighted.weights = nowhere;
  check_refused<Place, pricing::basket_index, schedule>("model.weights", index, unweighted, notes,
                                                        notes);

  check_refused<Place, black_scholes, bermudan_option>(
      "book[1].strike", flat, flat, puts, with(of.puts, &bermudan_option::strike, nan));
  check_refused<Place, heston, bermudan_option>(
      "options.sampling", stochastic, stochastic, puts, puts,
      {.paths = 320, .times = quarters, .sampling = pricing::sampling::sobol});
  check_refused<Place, heston, bermudan_option>(
      "options.regression_paths", stochastic, stochastic, puts, puts,
      {.paths = 200, .times = quarters, .regression_paths = std::uint64_t{1} << 32});
  check_refused<Place, pricing::basket, bermudan_basket_option>(
      "book[1].weights", assets, assets, rights,
      with(of.rights.contracts, &bermudan_basket_option::weights, nowhere));
}

TEST_CASE("what one rank refuses of products is an error on all") { check_refusals<wf::host>(); }
TEST_SUITE("gpu") {
  TEST_CASE("fast: what a rank on a GPU refuses of products") { check_refusals<wf::gpu>(); }
}

} // namespace products_collective_test
