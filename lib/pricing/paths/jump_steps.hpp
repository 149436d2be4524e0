#pragma once
// The constants of steps of a price that jumps.

#include "variance_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A model with its jumps.
template <class Model>
struct jumping {
  Model const& model;
  double spot = model.spot;
};

template <class T, class Model>
jump_model<T> paths_of(jumping<Model> const& of) {
  return {paths_of<T>(of.model).variance};
}

/// What jumps, of which so many are expected, add to a step. Their number is made from a word: it
/// is Poisson's to half a unit of a float's word (double: 1e-16), and the compensator is that of
/// what was made of it.
template <class T>
void put_jumps(jump_step<T>& step, jumps const& of, double expected) {
  constexpr int digits = std::numeric_limits<typename jump_step<T>::word>::digits;
  constexpr int far = jump_step<T>::words + 16; // what is left is below a double's last digit
  double likely[far];                           // exactly n jumps
  likely[0] = std::exp(-expected);
  for (int n = 1; n < far; ++n) likely[n] = likely[n - 1] * expected / n;
  double above[far]{}; // more than n
  for (int n = far - 1; n > 0; --n) above[n - 1] = above[n] + likely[n];

  double const square = of.deviation * of.deviation;
  double const factor = std::exp(of.mean + square / 2), excess = std::expm1(of.mean + square / 2);
  double rise = 0, of_more = excess; // of the expected factor, and what a jump adds to n others
  for (int n = 0; n + 1 < jump_step<T>::words; ++n) {
    double const words = std::floor(std::ldexp(above[n], digits) + 0.5);
    step.more[n] = static_cast<typename jump_step<T>::word>(words);
    if (words > 0) rise += std::ldexp(words, -digits) * of_more;
    of_more *= factor;
  }
  step.compensator = static_cast<T>(-std::log1p(rise) * std::numbers::log2e);
  step.jump_mean = static_cast<T>(of.mean * std::numbers::log2e);
  step.jump_square = static_cast<T>(square * std::numbers::log2e * std::numbers::log2e);
}

template <class T, class Model>
std::vector<jump_step<T>> steps_of(jumping<Model> const& of, detail::path_plan const& plan) {
  auto const without = steps_of<T>(of.model, plan);
  std::vector<jump_step<T>> steps(without.size());
  double before = 0;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    static_cast<variance_step<T>&>(steps[j]) = without[j];
    put_jumps(steps[j], of.model.jumps, of.model.jumps.intensity * (plan.times[j] - before));
    before = plan.times[j];
  }
  return steps;
}

/// True if the constants of a step are, and the start.
template <class T>
bool is_finite(jump_model<T> const& model, jump_step<T> const& step) {
  T const constants[] = {step.jump_mean, step.jump_square, step.compensator};
  return is_finite<T>(variance_model<T>{model.variance}, step) &&
         std::ranges::all_of(constants, [](T x) { return std::isfinite(x); });
}

} // namespace warpfold::inline v0::pricing
