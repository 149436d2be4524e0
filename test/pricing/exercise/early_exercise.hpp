#pragma once
// Shared by the tests of options with early exercise.

#include "pricing/paths/contracts.hpp"

#include <warpfold/pricing/early_exercise.hpp>

namespace test::early {

using namespace test::contracts;
namespace pricing = warpfold::pricing;
using pricing::bermudan_option;
using pricing::black_scholes;
using pricing::exercise_estimate;
using pricing::option_kind;

/// The results of a book.
template <class T, class Place, class Model>
std::vector<exercise_estimate> priced(Place& place, Model const& model,
                                      std::vector<bermudan_option> const& book,
                                      simulation_options const& options) {
  std::vector<exercise_estimate> results(book.size());
  pricing::simulate<T>(place, model, book, results, options);
  return results;
}
template <class T, class Place, class Model>
exercise_estimate priced(Place& place, Model const& model, bermudan_option const& one,
                         simulation_options const& options) {
  return priced<T>(place, model, std::vector{one}, options)[0];
}

inline bool same_result(exercise_estimate const& a, exercise_estimate const& b) {
  return same_estimate(a.price, b.price) && same_bits(a.in_sample, b.in_sample) &&
         a.regressions == b.regressions && a.least_rank == b.least_rank;
}
inline bool same_results(std::vector<exercise_estimate> const& a,
                         std::vector<exercise_estimate> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_result);
}

/// Prices by rules that are not the best are low by up to `loss`.
inline void check_price(exercise_estimate const& of, double exact, double loss = 0.005,
                        double scale = 1) {
  CAPTURE(exact);
  CHECK(scale * of.price.value > exact - loss - 4 * scale * of.price.standard_error);
  CHECK(scale * of.price.value < exact + 4 * scale * of.price.standard_error);
  CHECK(std::abs(scale * of.in_sample - exact) < loss + 5 * scale * of.price.standard_error);
}

} // namespace test::early
