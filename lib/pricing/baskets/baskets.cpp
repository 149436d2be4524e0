// The door of contracts on correlated assets: checks the arguments, forms groups of contracts, and
// chooses the backend.

#include "basket_backend.hpp"
#include "basket_checks.hpp"
#include "basket_steps.hpp"
#include "pricing/model_books.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace warpfold::inline v0::pricing {

using detail::refuse, detail::text;

namespace {

// ---- checks -------------------------------------------------------------------------------------

int checked_expiry(std::size_t i, basket_contract const& of, std::size_t assets,
                   std::vector<double> const& seen) {
  check_settlement(i, of.settlement);
  check_selection(i, of.selection);
  if (of.measure != measure::price && of.measure != measure::arithmetic_average)
    refuse_contract(i, "measure", static_cast<int>(of.measure), "price or arithmetic_average");
  if (of.selection == selection::weighted_product && of.measure != measure::price)
    refuse_contract(i, "measure", "arithmetic_average with weighted_product", "price");
  check_weights(text("book[", i, "].weights"), of.selection, of.weights, assets);
  if (!std::isfinite(of.strike)) refuse_contract(i, "strike", of.strike, "finite numbers");
  return checked_time(i, of.expiry, seen);
}

constexpr std::size_t most_assets = 16;

struct basket_plan {
  correlation_factor factor;
  contract_plan contracts;
};

template <class T, class Results>
basket_plan checked_plan(basket const& model, std::span<basket_contract const> book,
                         Results results, simulation_options const& options) {
  if (options.sampling == sampling::sobol)
    refuse("options.sampling", "sobol with several normals a step", "philox");
  basket_plan plan{{}, {detail::plan_paths(options), {}, {}}};
  plan.factor = checked_basket(model, most_assets);
  divide_at_volatilities(model, plan.contracts.paths);
  check_book(plan.contracts, "model.assets[0].rate", model.assets[0].rate, book, results,
             [&](std::size_t i, auto const& seen) {
               return checked_expiry(i, book[i], model.assets.size(), seen);
             });
  return plan;
}

// ---- contracts ----------------------------------------------------------------------------------

/// Contracts first ... first + count - 1 of a book.
template <class T, int capacity>
basket_group<T, capacity> group_of(basket const& model, std::span<basket_contract const> book,
                                   basket_plan const& plan, std::size_t first, std::size_t count) {
  basket_group<T, capacity> group{};
  group.count = static_cast<int>(count);
  group.how = plan.contracts.paths.how;
  auto const& expiries = plan.contracts.expiries;
  auto const order = order_of_expiries(std::span(expiries).subspan(first, count));
  for (std::size_t k = 0; k < count; ++k) {
    auto const number = first + static_cast<std::size_t>(order[k]);
    basket_contract const& one = book[number];
    group.expiry[k] = expiries[number];
    group.place[k] = order[k];
    group.on[k] = one.selection;
    group.averaged[k] = one.measure == measure::arithmetic_average;
    group.averages = group.averages || group.averaged[k];
    group.strike[k] = static_cast<T>(one.strike);
    settle(group, k, one.settlement);
    int const fixings = group.averaged[k] ? expiries[number] + 1 : 1;
    bool const is_product = one.selection == selection::weighted_product;
    group.product[k] = static_cast<T>(is_product ? std::exp2(log2_product(model, one.weights)) : 0);
    for (std::size_t i = 0; i < plan.factor.order.size(); ++i) {
      auto const asset = static_cast<std::size_t>(plan.factor.order[i]);
      double const of_price = one.weights[asset] * (is_product ? 1 : model.assets[asset].spot);
      group.weights[k][i] = static_cast<T>(of_price / fixings);
    }
  }
  return group;
}

/// Writes estimates to memory of the place.
template <class T, int capacity, class Place>
void simulate_on(Place& place, basket const& model, std::span<basket_contract const> book,
                 basket_plan const& plan, estimate* results, bool blocking, path_sharing* sharing) {
  constexpr std::size_t size = basket_group<T, capacity>::size;
  basket_problems<T, capacity> problems;
  problems.model = model_of<T, capacity>(plan.factor);
  problems.steps = steps_of<T, capacity>(model, plan.factor.order, plan.contracts.paths);
  check_range<T, capacity>(model, book, plan.factor, problems.steps);
  for_each_simulation(plan.contracts, [&](std::size_t first, std::size_t count, auto const& paths,
                                          auto const& finish) {
    problems.all.clear();
    for (std::size_t i = first; i < first + count; i += size)
      problems.all.push_back(
          group_of<T, capacity>(model, book, plan, i, std::min(size, first + count - i)));
    simulate_baskets(place, paths, problems, finish, results + first, blocking, sharing);
  });
}
template <class T, class Place>
void simulate_checked(Place& place, basket const& model, std::span<basket_contract const> book,
                      basket_plan const& plan, estimate* results, bool blocking,
                      path_sharing* sharing) {
  std::size_t const n = model.assets.size();
  if (n <= 2) simulate_on<T, 2>(place, model, book, plan, results, blocking, sharing);
  else if (n <= 4) simulate_on<T, 4>(place, model, book, plan, results, blocking, sharing);
  else if (n <= 8) simulate_on<T, 8>(place, model, book, plan, results, blocking, sharing);
  else simulate_on<T, most_assets>(place, model, book, plan, results, blocking, sharing);
}

} // namespace

WARPFOLD_DEFINE_MODEL_BOOK(float, basket, basket_contract, estimate)
WARPFOLD_DEFINE_MODEL_BOOK(double, basket, basket_contract, estimate)

} // namespace warpfold::inline v0::pricing
