#pragma once
// Which runs the wanted Greeks need, and how they are combined.

#include "bumped_models.hpp"
#include "difference_body.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/pricing/greeks.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace warpfold::inline v0::pricing {

/// Calls use(name, results, parameter, order) for every derivative.
template <class Span, class Use>
void for_each_greek(greek_spans<Span> const& of, Use use) {
  use("results.delta", of.delta, parameter::spot, 1);
  use("results.gamma", of.gamma, parameter::spot, 2);
  use("results.vega", of.vega, parameter::volatility, 1);
  use("results.rho", of.rho, parameter::rate, 1);
  use("results.dividend_rho", of.dividend_rho, parameter::dividend_yield, 1);
  use("results.variance", of.variance, parameter::variance, 1);
  use("results.reversion", of.reversion, parameter::reversion, 1);
  use("results.mean", of.mean, parameter::mean, 1);
  use("results.vol_of_vol", of.vol_of_vol, parameter::vol_of_vol, 1);
  use("results.correlation", of.correlation, parameter::correlation, 1);
}

/// Checks the results: each empty or of the book's size, apart from the others, and one of the
/// model's. Checks the bumps that they need.
template <class Model, class Span>
void check_greeks(greek_spans<Span> const& of, std::size_t size, bumps const& sizes) {
  using detail::refuse, detail::text;
  struct output {
    char const* name;
    Span of;
  };
  std::vector<output> all;
  auto const check_output = [&](char const* name, Span to) {
    if (to.empty()) return;
    if (to.size() != size)
      refuse(name, text(to.size(), " elements"), text(size, ", as the book has, or 0"));
    detail::check_elements(name, to.data(), to.size());
    for (output const& other : all)
      if (detail::share_memory(to.data(), to.size_bytes(), other.of.data(), other.of.size_bytes()))
        refuse(name, text("overlaps ", other.name), "memory of its own");
    all.push_back({name, to});
  };
  check_output("results.value", of.value);
  for_each_greek(of, [&](char const* name, Span to, parameter in, int) {
    if (to.empty()) return;
    if (!has_parameter<Model>(in))
      refuse(name, text(to.size(), " elements"),
             std::same_as<Model, heston>
                 ? "none: Heston's model has variance, reversion, mean, vol_of_vol, correlation"
                 : "none: a parameter of Heston's model");
    check_output(name, to);
    if (sizes.method != greek_method::bumps) return;
    double const bump = bump_of(sizes, in);
    bool const is_part = in == parameter::spot;
    if (!(bump > 0) || !std::isfinite(bump) || (is_part && bump >= 1))
      refuse(bump_name(in), bump, is_part ? "numbers between 0 and 1" : "finite numbers above 0");
  });
  if (sizes.method > greek_method::likelihood_ratio)
    refuse("sizes.method", static_cast<int>(sizes.method), "bumps, pathwise or likelihood_ratio");
  if (sizes.sticky > sticky::price)
    refuse("sizes.sticky", static_cast<int>(sizes.sticky), "moneyness or price");
  if (all.empty() && size > 0) refuse("results", "nothing wanted", "one result or more");
}

/// Runs, and the differences of the wanted derivatives in their order.
template <class Model>
struct greek_plan {
  std::vector<Model> models; ///< moved ones: a run each
  bool with_model = false;   ///< the last run is one more, of the model itself
  std::vector<difference> differences;
};

/// The number that differences give the model itself, until that of the other runs is known.
inline constexpr int last_run = -1;

/// A derivative from models that were moved by `up` and by `down`, one of which may be 0: those are
/// not. Their runs are number `first` and the next one, as far as they are.
inline difference derivative(double up, double down, int first) {
  double const width = up - down, weight = 1 / width;
  if (up != 0 && down != 0) return {2, {first, first + 1}, {weight, -weight}};
  if (up != 0) return {2, {first, last_run}, {weight, -weight}};
  return {2, {last_run, first}, {weight, -weight}};
}
inline difference second_derivative(double up, double down, int first) {
  double const scale = 2 / (up - down);
  return {3, {first, last_run, first + 1}, {scale / up, -scale / up + scale / down, -scale / down}};
}

template <class T, class Model, class Span>
greek_plan<Model> plan_greeks(Model const& model, greek_spans<Span> const& wanted,
                              bumps const& sizes) {
  greek_plan<Model> plan;
  plan.with_model = !wanted.value.empty();
  parameter before{};
  int first = 0;
  double up = 0, down = 0;
  for_each_greek(wanted, [&](char const*, Span to, parameter in, int order) {
    if (to.empty()) return;
    if (plan.differences.empty() || in != before) { // else it shares the runs of the one before
      before = in;
      first = static_cast<int>(plan.models.size());
      auto const moved = [&](double bump) {
        Model other = model;
        double const far = move<T>(other, in, bump, sizes.sticky);
        if (far != 0) plan.models.push_back(other);
        return far;
      };
      double const bump = bump_of(sizes, in);
      constexpr double least = sizeof(T) == 4 ? 1e-5 : 1e-10;
      if (in == parameter::spot && bump < least)
        detail::refuse(bump_name(in), bump,
                       detail::text("numbers from ", least, " on: a spot is rounded"));
      up = moved(bump);
      down = moved(-bump);
      if (up == 0 && down == 0)
        detail::refuse(bump_name(in), bump, "bumps that leave the model's domain on one side only");
    }
    plan.differences.push_back(order == 1 ? derivative(up, down, first)
                                          : second_derivative(up, down, first));
    if (order == 2 || up == 0 || down == 0) plan.with_model = true;
  });
  for (difference& one : plan.differences)
    for (int& run : one.run)
      if (run == last_run) run = static_cast<int>(plan.models.size());
  return plan;
}

} // namespace warpfold::inline v0::pricing
