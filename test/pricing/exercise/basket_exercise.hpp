#pragma once
// Shared by the tests of early exercise on correlated assets.

#include "pricing/baskets/baskets.hpp"
#include "pricing/exercise/early_exercise.hpp"

#include <warpfold/pricing/basket_exercise.hpp>

namespace test::basket_exercise {

namespace pricing = warpfold::pricing;
using namespace test::baskets;
using pricing::bermudan_basket_option;
using pricing::exercise_estimate;
using pricing::option_kind;
using test::early::check_price;
using test::early::same_result;
using test::early::same_results;
using owned_options = owned_book_of<bermudan_basket_option>;

/// The results of a book.
template <class T, class Place>
std::vector<exercise_estimate> priced(Place& place, pricing::basket const& model,
                                      std::vector<bermudan_basket_option> const& book,
                                      simulation_options const& options) {
  std::vector<exercise_estimate> results(book.size());
  pricing::simulate<T>(place, model, book, results, options);
  return results;
}
template <class T, class Place>
exercise_estimate priced(Place& place, pricing::basket const& model,
                         bermudan_basket_option const& one, simulation_options const& options) {
  return priced<T>(place, model, std::vector{one}, options)[0];
}

/// n equal assets, all pairs with the same correlation.
inline owned_basket equal_basket(std::size_t n, black_scholes const& asset, double correlation) {
  return {std::vector(n, asset), equal_correlation(n, correlation)};
}

/// Options of every kind on n assets, at all of `times`.
inline owned_options every_option(std::size_t n, std::size_t size,
                                  std::vector<double> const& times) {
  owned_options book;
  auto const contracts = every_contract(n, size, times);
  for (std::size_t i = 0; i < size; ++i) {
    basket_contract const& of = contracts.contracts[i];
    book.add(contracts.weights[i], {.strike = of.strike,
                                    .expiry = of.expiry,
                                    .kind = i / 3 % 2 == 0 ? option_kind::put : option_kind::call,
                                    .first_exercise = i % 5 == 0 ? times[0] : 0,
                                    .selection = of.selection});
  }
  return book;
}

} // namespace test::basket_exercise
