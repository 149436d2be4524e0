// The door of options with early exercise: checks the arguments, integrates curves into the
// constants of steps and dates, and chooses the backend.

#include "exercise_checks.hpp"
#include "exercise_rights.hpp"
#include "pricing/model_books.hpp"
#include "pricing/paths/growth.hpp"
#include "pricing/paths/step_checks.hpp"
#include "pricing/paths/variance_steps.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

template <class T, class Results>
exercise_plan checked_plan(auto const& model, std::span<bermudan_option const> book,
                           Results results, simulation_options const& options) {
  exercise_plan plan = plan_exercise(options);
  check_model(model);
  check_options(plan, "model.rate", model.rate, book, results, [&](std::size_t i) {
    if (book[i].strike < 0)
      refuse_contract(i, "strike", book[i].strike, "finite numbers from 0 on");
  });
  return plan;
}

// ---- constants of steps and dates ---------------------------------------------------------------

/// Mean and variance of the instantaneous variance, and its mean integral from 0.
struct variance_moments {
  double mean, variance, integral;
};
variance_moments moments(curve const& variance, double time) {
  return {0, 0, variance.integral(time)};
}
/// J. C. Cox, J. E. Ingersoll, S. A. Ross, A theory of the term structure of interest rates, 1985.
variance_moments moments(heston const& model, double time) {
  double const decay = std::exp(-model.reversion * time);
  double const span =
      model.reversion * time > 1e-12 ? (1 - decay) / model.reversion : time; // of mean reversion
  double const squared = model.vol_of_vol * model.vol_of_vol * span;
  return {model.mean + (model.variance - model.mean) * decay,
          squared * (model.variance * decay + model.mean * model.reversion * span / 2),
          model.mean * time + (model.variance - model.mean) * span};
}

template <class T, class Model>
std::vector<exercise_date<T>> dates_of(Model const& model, std::vector<double> const& times) {
  // Regressors are not divided by a deviation that is only rounding.
  auto const inverse = [](double deviation, double mean) {
    return static_cast<T>(deviation > 1e-5 * mean ? 1 / deviation : 0);
  };
  auto const& variance = variance_of(model);
  std::vector<exercise_date<T>> dates;
  for (double const time : times) {
    double const mean = std::exp(growth(model, time));
    variance_moments const at = moments(variance, time);
    // Where tails make the deviation, prices near the mean matter all the same.
    double const deviation = mean * std::sqrt(std::expm1(std::min(at.integral, 1.)));
    dates.push_back({static_cast<T>(std::exp(-model.rate.integral(time))), static_cast<T>(mean),
                     inverse(deviation, mean), static_cast<T>(at.mean),
                     inverse(std::sqrt(std::max(at.variance, 0.)), at.mean)});
  }
  return dates;
}

template <class T>
lognormal_exercise<T> problem_of(black_scholes const& model, exercise_plan const& plan) {
  return {{},
          lognormal_steps<T>(model, plan.book.paths),
          dates_of<T>(model, plan.times),
          {},
          plan.regression_paths};
}
template <class T>
variance_exercise<T> problem_of(heston const& model, exercise_plan const& plan) {
  return {{static_cast<T>(model.variance)},
          steps_of<T>(model, plan.book.paths),
          dates_of<T>(model, plan.times),
          {},
          plan.regression_paths};
}

/// Refuses what is finite in double but not in T.
template <class Exercise>
void check_range(Exercise const& all) {
  using T = detail::value_of_model<typename Exercise::model_type>;
  auto const check = [](std::initializer_list<T> constants, char const* of) {
    check_constants(constants, of);
  };
  for (auto const& step : all.steps) {
    if constexpr (requires { step.drift; }) check({step.deviation, step.drift}, "a step");
    else
      check({step.decay, step.pull, step.spread, step.spread_0, step.k0, step.k1, step.k2, step.k3,
             step.k4, step.k5, step.a, step.growth},
            "a step");
  }
  for (auto const& date : all.dates)
    check({date.discount, date.price_mean, date.per_price, date.variance_mean, date.per_variance},
          "a time");
}

template <class T, class Place, class Model>
void simulate_checked(Place& place, Model const& model, std::span<bermudan_option const> book,
                      exercise_plan const& plan, exercise_estimate* results, bool blocking,
                      path_sharing* sharing) {
  auto problem = problem_of<T>(model, plan);
  check_spot_range<T>("model", model.spot);
  check_range(problem);
  for (double const time : plan.times) check_forward<T>(model.spot, growth_until<T>(model, time));
  for (std::size_t i = 0; i < book.size(); ++i)
    check_strike_range<T>(i, book[i].strike, model.spot);
  for_each_simulation(plan.book, [&](std::size_t first, std::size_t count,
                                     detail::path_plan const& paths, auto const&) {
    problem.rights.clear();
    for (std::size_t i = first; i < first + count; ++i) {
      auto const sign = book[i].kind == option_kind::put ? T{-1} : T{1};
      problem.rights.push_back(
          {sign, -sign * static_cast<T>(book[i].strike / model.spot), static_cast<T>(model.spot),
           first_date(plan, i, book[i].first_exercise), plan.book.expiries[i], paths.how});
    }
    simulate_exercise(place, paths, problem, results + first, blocking, sharing);
  });
}

} // namespace

WARPFOLD_DEFINE_MODEL_BOOK(float, black_scholes, bermudan_option, exercise_estimate)
WARPFOLD_DEFINE_MODEL_BOOK(double, black_scholes, bermudan_option, exercise_estimate)
WARPFOLD_DEFINE_MODEL_BOOK(float, heston, bermudan_option, exercise_estimate)
WARPFOLD_DEFINE_MODEL_BOOK(double, heston, bermudan_option, exercise_estimate)

} // namespace warpfold::inline v0::pricing
