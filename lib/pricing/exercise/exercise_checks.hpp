#pragma once
// Shared by the doors of options with early exercise: checks and dates.

#include "pricing/paths/contract_checks.hpp"

#include <warpfold/detail/pricing/exercise/exercise_plan.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A checked simulation.
struct exercise_plan {
  contract_plan book;
  std::vector<double> times; ///< that options see
  std::int64_t regression_paths;
};

/// Checks the options of a simulation, and plans its paths; its times are not there yet.
inline exercise_plan plan_exercise(simulation_options const& options) {
  exercise_plan plan{};
  plan.regression_paths = detail::regression_paths_of(options);
  plan.book.paths = detail::plan_paths(options);
  return plan;
}

/// Checks a book of options with early exercise, and takes the times that they see from the plan.
/// check(i) refuses what else makes no option.
template <class Option, class Results, class Check>
void check_options(exercise_plan& plan, std::string_view rate_name, curve const& rate,
                   std::span<Option const> book, Results results, Check check) {
  plan.times = detail::observed_times(plan.book.paths);
  check_book(plan.book, rate_name, rate, book, results, [&](std::size_t i, auto const& seen) {
    Option const& of = book[i];
    if (of.kind > option_kind::put)
      refuse_contract(i, "kind", static_cast<int>(of.kind), "call or put");
    if (!std::isfinite(of.strike)) refuse_contract(i, "strike", of.strike, "finite numbers");
    check(i);
    int const last = checked_time(i, of.expiry, seen);
    if (!(of.first_exercise >= 0) || !(of.first_exercise <= of.expiry * (1 + 1e-9)))
      refuse_contract(i, "first_exercise", of.first_exercise, "a time from 0 to the expiry");
    return last;
  });
}

/// The first date of exercise of option i.
inline int first_date(exercise_plan const& plan, std::size_t i, double first_exercise) {
  auto const begin =
      std::lower_bound(plan.times.begin(), plan.times.end(), first_exercise * (1 - 1e-9));
  return std::min(static_cast<int>(begin - plan.times.begin()), plan.book.expiries[i]);
}

/// Refuses constants `of` something that are finite in double but not in T.
template <class T>
void check_constants(std::initializer_list<T> constants, char const* of) {
  for (T const x : constants)
    if (!std::isfinite(x))
      detail::refuse("model", std::string("infinite constants of ") + of, numbers_of<T>);
}

} // namespace warpfold::inline v0::pricing
