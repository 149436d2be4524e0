#pragma once
// Calls on either place that are made while allocations fail: books on the paths of models, real
// transforms, and fields.

#include "allocation_scenarios.hpp"

#include <warpfold/pricing/basket_exercise.hpp>
#include <warpfold/pricing/greeks.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <array>

namespace test {

namespace models {

namespace wp = warpfold::pricing;

inline wp::simulation_options const options{.paths = 512, .steps = 3, .regression_paths = 300};
inline wp::black_scholes const plain{100, 0.2, 0.03};
inline wp::black_scholes const jumping{.spot = 100,
                                       .volatility = 0.2,
                                       .rate = 0.03,
                                       .jumps = {.intensity = 0.5, .mean = -0.1, .deviation = 0.1}};
inline wp::heston const bates{.spot = 100,
                              .rate = 0.03,
                              .variance = 0.04,
                              .reversion = 2,
                              .mean = 0.05,
                              .vol_of_vol = 0.3,
                              .correlation = -0.5,
                              .jumps = jumping.jumps};
inline wp::heston const heston = [] {
  auto made = bates;
  made.jumps = {};
  return made;
}();
inline wp::local_volatility const local{
    .spot = 100,
    .rate = 0.03,
    .grid = wp::volatility_grid({.times = std::array{0., 1.},
                                 .log_moneyness = std::array{-0.2, 0.2},
                                 .values = std::array{0.25, 0.2, 0.22, 0.18}})};
inline std::vector<wp::black_scholes> const assets(3, plain);
inline std::array const correlation{1., 0.5, 0.3, 0.5, 1., 0.5, 0.3, 0.5, 1.};
inline std::array const thirds{1 / 3., 1 / 3., 1 / 3.};
inline wp::basket const basket{assets, correlation};

inline std::vector<wp::contract> const contracts(3, {105, 1});
inline std::vector<wp::basket_contract> const on_baskets(3, {thirds, 100, 1});
inline std::vector<wp::bermudan_option> const rights(3, {105, 1});
inline std::vector<wp::bermudan_basket_option> const rights_on_baskets(2, {thirds, 105, 1});
inline std::vector<wp::schedule> const products(2, wp::lookback{
                                                       .times = std::array{1 / 3., 2 / 3., 1.}});

/// Calls use(name, R, model, book), R being what the verb writes, for a book of every kind.
template <class Use>
void for_each_kind(Use use) {
  wp::estimate const price{};
  wp::exercise_estimate const exercised{};
  use("contracts in Bates's model", price, bates, contracts);
  use("contracts on a basket", price, basket, on_baskets);
  use("products on a basket", price, wp::basket_index{assets, correlation}, products);
  use("early exercise in Heston's model", exercised, heston, rights);
  use("early exercise on a basket", exercised, basket, rights_on_baskets);
}
/// And with every model.
template <class Use>
void for_each_book(Use use) {
  for_each_kind(use);
  wp::estimate const price{};
  use("contracts", price, plain, contracts);
  use("contracts with jumps", price, jumping, contracts);
  use("contracts in Heston's model", price, heston, contracts);
  use("contracts with a local volatility", price, local, contracts);
  use("products", price, plain, products);
  use("products in Heston's model", price, heston, products);
  use("products with a local volatility", price, local, products);
  use("early exercise", wp::exercise_estimate{}, plain, rights);
}
inline void put(numbers& to, std::vector<wp::exercise_estimate> const& all) {
  for (auto const& one : all) {
    test::put(to, one.price);
    test::put(to, one.in_sample);
  }
}
inline void put(numbers& to, std::vector<wp::estimate> const& all) { test::put(to, all); }

/// Prices, deltas and rhos of a book, by one method; asks for no memory before the verb does.
template <class On, class Product>
numbers greeks_of(On& on, std::vector<Product> const& book, wp::greek_method method) {
  std::array<wp::estimate, 9> room;
  auto const part = [&](std::size_t k) { return std::span(room).subspan(3 * k, book.size()); };
  wp::simulate(on, plain, std::span(book),
               wp::greeks{.value = part(0), .delta = part(1), .rho = part(2)}, options,
               {.method = method});
  return together(part(0), part(1), part(2));
}

} // namespace models

template <class Place>
scenarios model_books(Place& place) {
  namespace wp = warpfold::pricing;
  scenarios all;
  models::for_each_book([&]<class R>(char const* name, R, auto const& model, auto const& book) {
    all.add(name, [&place, model, &book] {
      std::vector<R> results(book.size());
      wp::simulate(place, model, std::span(book), results, models::options);
      numbers found;
      models::put(found, results);
      return found;
    });
  });
  using enum wp::greek_method;
  for (auto const method : {bumps, pathwise, likelihood_ratio})
    all.add("Greeks of contracts",
            [&place, method] { return models::greeks_of(place, models::contracts, method); });
  all.add("Greeks of products",
          [&place] { return models::greeks_of(place, models::products, bumps); });
  return all;
}

/// Plans of transforms, with a convolution and without, and a solver of fields with gaps.
template <class Place>
scenarios plans(Place& place) {
  namespace tf = warpfold::transforms;
  namespace po = warpfold::poisson;
  scenarios all;
  for (std::size_t const points : {std::size_t{60}, std::size_t{22}})
    for (auto const kind : {tf::kind::cosine_2, tf::kind::sine_1, tf::kind::halfcomplex}) {
      tf::problem const of{.kind = kind, .direction = {}, .shape = {6, points}, .axis = 1};
      auto const input = array_of<float>(place, rough_values<float>(6 * points, 4));
      auto const output = array_of<float>(place, 6 * points);
      all.add("transform of " + std::to_string(points), [=, &place] {
        tf::plan<float, Place> plan(place, of);
        plan.run(input->all(), output->all());
        return together(output->contents());
      });
    }
  // Rows of 16 numbers in memory of 20.
  po::problem const of{.axes = {{12}, {16}}, .lambda = 1, .batch = 2};
  po::field_layout const layout{.strides = {20, 1}, .batch = 240};
  auto const rhs = array_of<float>(place, rough_values<float>(480, 5));
  auto const solution = array_of<float>(place, 480), lambdas = array_of<float>(place, {1, 3});
  all.add("fields with gaps and lambdas", [=, &place] {
    po::solver<float, Place> solver(place, of, {.strided_fields = true});
    po::fields<float, Place> fields{.rhs = rhs->all(), .solution = solution->all()};
    fields.rhs_layout = fields.solution_layout = layout;
    solver.solve(fields, 2);
    auto const first = solution->contents();
    fields.lambda = lambdas->all();
    solver.solve(fields);
    return together(first, solution->contents());
  });
  return all;
}

/// A solver that is made, and one that is there; by an engine, or of its own choice.
template <class Place, class... Twin>
void add_solver(scenarios& all, Place& place, warpfold::poisson::problem const& of, Twin... twin) {
  namespace po = warpfold::poisson;
  using solver = po::solver<float, Place>;
  std::size_t size = of.batch;
  for (auto const& along : of.axes) size *= along.points;
  auto const rhs = array_of<float>(place, rough_values<float>(size, 6));
  auto const solution = array_of<float>(place, size), slope = array_of<float>(place, size);
  auto const solve = [=](solver& with) {
    po::fields<float, Place> fields{.rhs = rhs->all(), .solution = solution->all()};
    if (of.gradient) fields.gradient[1] = slope->all();
    with.solve(fields);
    return together(solution->contents(), slope->contents());
  };
  auto const kept = std::make_shared<solver>(place, of, twin...);
  std::string const engine(kept->engine_name()),
      name = engine + ", first axis of " + std::to_string(of.axes[0].points);
  bool const is_twins = engine != "fused" && engine != "compiled";
  all.add(
      "solver made: " + name,
      [=, &place] {
        solver made(place, of, twin...);
        return solve(made);
      },
      is_twins);
  all.add(
      "solver: " + name, [=] { return solve(*kept); }, is_twins);
}

/// One of each kind of axis and symbol.
inline std::vector<warpfold::poisson::problem> some_boxes() {
  namespace po = warpfold::poisson;
  constexpr auto periodic = po::boundary::periodic, dirichlet = po::boundary::dirichlet,
                 neumann = po::boundary::neumann;
  constexpr auto cells = po::grid::cells;
  return {{.axes = {{64}, {64}}},
          {.axes = {{16, 1, dirichlet, dirichlet, cells}, {24, 1, neumann, neumann, cells}},
           .symbol = po::symbol::second_order,
           .batch = 2},
          {.axes = {{12}, {15, 1, dirichlet, neumann}}, .gradient = true},
          {.axes = {{8}, {10, 1, neumann, neumann}, {17, 1, periodic, periodic}},
           .gauge = po::gauge::first_point}};
}

} // namespace test
