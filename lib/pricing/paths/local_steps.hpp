#pragma once
// Rows of a local volatility for the steps of a simulation, in double.
//
// In a step of length h from y = ln(price / forward), with g the squared volatility, M the
// martingale part of y's move and G = E(integral of g), the move has to second order in h
//   the variance G - c and the third central moment 3 c, where c = Cov(integral of g, M).
// Both follow from g after half a step, where y is normal with variance g h / 2 about y - g h / 4:
// at its mean and sqrt(3) deviations from it (Gauss and Hermite's rule of three points). This needs
// no derivatives, which grids do not have. The step has these moments with q = c / (G - c) and
// B^2 = G - c - q^2 / 2, and q then is B dB/dy to first order: the row's own slope.

#include "growth.hpp"
#include "local_paths.hpp"

#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/local_volatility.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace warpfold::inline v0::pricing {

/// Squared volatilities over a step: linear, as volatilities, in ln(price / forward).
class local_slice {
public:
  explicit local_slice(volatility_grid const& grid)
      : grid_{grid}, at_(grid.log_moneyness()), volatilities_(at_.size()) {}

  /// Takes the root mean square over the times from `before` to `time`.
  void move_to(double before, double time) {
    auto const times = grid_.times();
    std::vector<double> ends{before}; // of pieces on which the volatility is linear in time
    for (double const node : times)
      if (node > before && node < time) ends.push_back(node);
    ends.push_back(time);
    for (std::size_t k = 0; k < at_.size(); ++k) {
      double sum = 0, a = of_node(k, ends[0]);
      for (std::size_t i = 1; i < ends.size(); ++i) {
        double const b = of_node(k, ends[i]);
        sum += (a * a + a * b + b * b) / 3 * (ends[i] - ends[i - 1]);
        a = b;
      }
      volatilities_[k] = time > before ? std::sqrt(sum / (time - before)) : a;
    }
  }
  /// The squared volatility; `cursor` is where it was found last, which is near.
  double square(double y, std::size_t& cursor) const {
    std::size_t const last = at_.size() - 1;
    while (cursor < last && at_[cursor] < y) ++cursor;
    while (cursor > 0 && at_[cursor - 1] >= y) --cursor;
    double value = volatilities_[cursor];
    if (cursor > 0 && y < at_[cursor])
      value +=
          (y - at_[cursor]) / (at_[cursor] - at_[cursor - 1]) * (value - volatilities_[cursor - 1]);
    return value * value;
  }
  /// The largest square at or below y = 0, and at or above.
  double largest(bool above) const {
    std::size_t cursor = 0;
    double most = square(0, cursor);
    for (std::size_t k = 0; k < at_.size(); ++k)
      if (above ? at_[k] > 0 : at_[k] < 0)
        most = std::max(most, volatilities_[k] * volatilities_[k]);
    return most;
  }
  /// The outer nodes.
  double lowest() const { return at_.front(); }
  double highest() const { return at_.back(); }

private:
  double of_node(std::size_t k, double time) const { return grid_.at(time, at_[k]); }

  volatility_grid const& grid_;
  std::span<double const> at_;
  std::vector<double> volatilities_;
};

/// How far paths may have come: variances of their largest moves to either side, integrated.
struct local_reach {
  static constexpr double deviations = 7; ///< one in 10^12 goes further, one way or the other
  static constexpr double least = 1e-6;   ///< of a row's width
  double below = 0, above = 0;

  void add(local_slice const& slice, double length) {
    below += slice.largest(false) * length;
    above += slice.largest(true) * length;
  }
  double low(local_slice const& slice) const {
    return std::max(-deviations * std::sqrt(below) - std::max(below, above) / 2, slice.lowest());
  }
  double width(local_slice const& slice) const {
    double const high = std::min(deviations * std::sqrt(above), slice.highest());
    return std::max(high - low(slice), least);
  }
};

/// Bounds of q for a B, with which powers of q that a step leaves out change the mean of the price
/// by less than 1e-4, and moves are not more skew than squares of normals can be.
inline double most_q(double b) { return std::min({0.125, 0.5 * b, std::cbrt(1e-4 / (b * b))}); }

/// B of G and c.
inline double deviation_of(double total, double covariance) {
  if (!(total > 0)) return 0;
  double const most = total * most_q(std::sqrt(total));
  double const c = std::clamp(covariance, -most, most), q = c / (total - c);
  return std::sqrt(total - c - q * q / 2);
}

/// Fills B over a row of a step of length h from `low` on, which is `width` wide.
template <class T>
void fill_row(local_step<T>& step, local_slice const& slice, double h, double low, double width) {
  constexpr int cells = local_step<T>::cells;
  double const root3 = std::numbers::sqrt3, log2_e = std::numbers::log2e, cell = width / cells;
  std::size_t cursors[4]{};
  double ends[cells + 1];
  for (int i = 0; i <= cells; ++i) {
    double const y = low + cell * i, g = slice.square(y, cursors[0]);
    double const deviation = std::sqrt(g * h / 2), middle = y - g * h / 4;
    double const at_middle = slice.square(middle, cursors[1]);
    double const down = slice.square(middle - root3 * deviation, cursors[2]);
    double const up = slice.square(middle + root3 * deviation, cursors[3]);
    ends[i] =
        deviation_of(h * (4 * at_middle + down + up) / 6, h * deviation * root3 * (up - down) / 6);
  }
  step.scale = static_cast<T>(1 / (cell * log2_e));
  step.first = static_cast<T>(-low / cell - 0.5);
  for (int i = 0; i < cells; ++i) {
    double const larger = std::max(ends[i], ends[i + 1]);
    double const most_rise = larger > 0 ? most_q(larger) * cell / larger : 0;
    step.row[i] = {
        static_cast<T>((ends[i] + ends[i + 1]) / 2 * log2_e),
        static_cast<T>(std::clamp(ends[i + 1] - ends[i], -most_rise, most_rise) * log2_e)};
  }
}

template <class T>
local_model<T> paths_of(local_volatility const&) {
  return {};
}

template <class T>
std::vector<local_step<T>> steps_of(local_volatility const& model, detail::path_plan const& plan) {
  std::vector<local_step<T>> steps(plan.times.size());
  local_slice slice(model.grid);
  local_reach reach;
  double before = 0;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    double const time = plan.times[j];
    slice.move_to(before, time);
    fill_row(steps[j], slice, time - before, reach.low(slice), reach.width(slice));
    steps[j].growth = growth_until<T>(model, time);
    steps[j].observation = plan.observations[j];
    reach.add(slice, time - before);
    before = time;
  }
  return steps;
}

/// True if the move of a step is, and those of all steps together.
template <class T>
bool is_finite(local_model<T> const&, local_step<T> const& step) {
  return std::isfinite(step.scale) && std::isfinite(step.first) &&
         std::ranges::all_of(step.row, [](auto const& cell) {
           T const enough = std::abs(cell.middle) + T(16); // normal numbers are below 9
           return std::isfinite(enough * enough * T(0x1p21)) && std::isfinite(cell.rise);
         });
}

} // namespace warpfold::inline v0::pricing
