// The door of options with early exercise on correlated assets: checks the arguments, makes rights
// and the constants of dates, and chooses the backend.

#include "basket_rights.hpp"
#include "exercise_checks.hpp"
#include "pricing/baskets/basket_checks.hpp"
#include "pricing/baskets/basket_steps.hpp"
#include "pricing/model_books.hpp"
#include "pricing/paths/growth.hpp"

#include <warpfold/pricing/basket_exercise.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

constexpr std::size_t most_assets = 8;

struct basket_exercise_plan : exercise_plan {
  correlation_factor factor;
};

template <class T, class Results>
basket_exercise_plan checked_plan(basket const& model, std::span<bermudan_basket_option const> book,
                                  Results results, simulation_options const& options) {
  basket_exercise_plan plan{plan_exercise(options), {}};
  plan.factor = checked_basket(model, most_assets);
  divide_at_volatilities(model, plan.book.paths);
  check_options(plan, "model.assets[0].rate", model.assets[0].rate, book, results,
                [&](std::size_t i) {
                  check_selection(i, book[i].selection);
                  check_weights(detail::text("book[", i, "].weights"), book[i].selection,
                                book[i].weights, model.assets.size());
                });
  return plan;
}

template <class T>
std::vector<basket_date<T>> dates_of(basket const& model, std::vector<double> const& times) {
  std::vector<basket_date<T>> dates;
  curve const& rate = model.assets[0].rate;
  for (double const time : times) {
    double growth = 0, deviation = 0; // of a mean asset
    for (black_scholes const& asset : model.assets) {
      double const of = std::exp(pricing::growth(asset, time));
      double const variance = variance_of(asset).integral(time);
      growth += of / static_cast<double>(model.assets.size());
      // Where tails make the deviation, prices near the mean matter all the same.
      deviation += of * std::sqrt(std::expm1(std::min(variance, 1.))) /
                   static_cast<double>(model.assets.size());
    }
    dates.push_back({static_cast<T>(std::exp(-rate.integral(time))), static_cast<T>(growth),
                     // Regressors are not divided by a deviation that is only rounding.
                     static_cast<T>(deviation > 1e-5 * growth ? 1 / deviation : 0)});
    check_constants({dates.back().discount, dates.back().growth, dates.back().per_deviation},
                    "a time");
  }
  return dates;
}

/// The unit of an option's payments: its largest absolute weight times spot, or its product.
double unit_of(basket const& model, bermudan_basket_option const& of) {
  if (of.selection == selection::weighted_product)
    return std::exp2(log2_product(model, of.weights));
  double largest = 0;
  for (std::size_t i = 0; i < of.weights.size(); ++i)
    largest = std::max(largest, std::abs(of.weights[i] * model.assets[i].spot));
  return largest > 0 ? largest : 1;
}

/// An option's right; `last` is the number of its expiry.
template <class T, int capacity>
basket_right<T, capacity> right_of(basket const& model, bermudan_basket_option const& of,
                                   std::span<int const> order, int first, int last) {
  double const unit = unit_of(model, of);
  bool const is_product = of.selection == selection::weighted_product;
  double const power = is_product ? *std::ranges::max_element(of.weights) : 0;
  double const worst = of.selection == selection::worst_of ? -1 : 1;
  basket_right<T, capacity> right{};
  right.unit = static_cast<T>(unit);
  std::vector<double> weights; // other than 0
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto const asset = static_cast<std::size_t>(order[i]);
    double const weight = is_product ? of.weights[asset] / power
                                     : worst * of.weights[asset] * model.assets[asset].spot / unit;
    if (weight == 0) continue;
    right.weights[i] = static_cast<T>(weight);
    if (right.weights[i] == 0) // but it is selected from
      right.weights[i] = std::copysign(std::numeric_limits<T>::min(), static_cast<T>(weight));
    weights.push_back(weight);
    sum += weight;
  }
  if (weights.empty()) weights = {0}; // it pays always the same
  auto const count = static_cast<double>(weights.size());
  std::sort(weights.rbegin(), weights.rend());
  double const sign = of.kind == option_kind::put ? -1 : 1;
  right.sign = static_cast<T>(sign * worst);
  right.constant = static_cast<T>(-sign * of.strike / unit);
  right.share = static_cast<T>(1 / count);
  right.sums = of.selection == selection::weighted_sum || is_product;
  right.power = static_cast<T>(power);
  right.selected_start = static_cast<T>(is_product   ? 1 / (sum * power)
                                        : right.sums ? sum
                                                     : weights[0]);
  right.first_start = static_cast<T>(weights[0]);
  right.second_start = static_cast<T>(weights[weights.size() > 1 ? 1 : 0]);
  right.mean_start = static_cast<T>(sum / count);
  right.first = first;
  right.last = last;
  return right;
}

/// Writes estimates to memory of the place.
template <class T, int capacity, class Place>
void simulate_on(Place& place, basket const& model, std::span<bermudan_basket_option const> book,
                 basket_exercise_plan const& plan, exercise_estimate* results, bool blocking,
                 path_sharing* sharing) {
  basket_exercise<T, capacity> problem{
      model_of<T, capacity>(plan.factor),
      steps_of<T, capacity>(model, plan.factor.order, plan.book.paths),
      dates_of<T>(model, plan.times),
      {},
      plan.regression_paths};
  check_range<T, capacity>(model, book, plan.factor, problem.steps);
  for (std::size_t i = 0; i < book.size(); ++i)
    check_strike_range<T>(i, book[i].strike, unit_of(model, book[i]));
  for_each_simulation(plan.book, [&](std::size_t first, std::size_t count,
                                     detail::path_plan const& paths, auto const&) {
    problem.rights.clear();
    for (std::size_t i = first; i < first + count; ++i)
      problem.rights.push_back(right_of<T, capacity>(model, book[i], plan.factor.order,
                                                     first_date(plan, i, book[i].first_exercise),
                                                     plan.book.expiries[i]));
    for (auto& right : problem.rights) right.how = paths.how;
    simulate_exercise(place, paths, problem, results + first, blocking, sharing);
  });
}
template <class T, class Place>
void simulate_checked(Place& place, basket const& model,
                      std::span<bermudan_basket_option const> book,
                      basket_exercise_plan const& plan, exercise_estimate* results, bool blocking,
                      path_sharing* sharing) {
  if (model.assets.size() <= 4)
    simulate_on<T, 4>(place, model, book, plan, results, blocking, sharing);
  else simulate_on<T, most_assets>(place, model, book, plan, results, blocking, sharing);
}

} // namespace

WARPFOLD_DEFINE_MODEL_BOOK(float, basket, bermudan_basket_option, exercise_estimate)
WARPFOLD_DEFINE_MODEL_BOOK(double, basket, bermudan_basket_option, exercise_estimate)

} // namespace warpfold::inline v0::pricing
