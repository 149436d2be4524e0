#pragma once
// Rows of a local volatility for the steps of a simulation, in double.
//
// In a step of length h from y = ln(price / forward), with g the squared volatility, M the
// martingale part of y's move and G = E(integral of g), the move has to second order in h
//   the variance G - c and the third central moment 3 c, where c = Cov(integral of g, M).
// Half way y is normal with variance g h / 2 about y - g h / 4. The volatility at that time, at the
// mean and sqrt(3) deviations from it (Gauss and Hermite's rule of three points), gives c, and by
// how much G is above the integral at y, which is exact. This needs no derivatives, which grids do
// not have. The step has these moments with q = c / (G - c) and B^2 = G - c - q^2 / 2, and q then
// is B dB/dy to first order: the row's own slope.

#include "growth.hpp"
#include "local_paths.hpp"

#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/local_volatility.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace warpfold::inline v0::pricing {

/// Volatilities as a function of y = ln(price / forward): linear between nodes, constant beyond.
class local_smile {
public:
  local_smile(std::span<double const> nodes, std::vector<double> volatilities)
      : at_{nodes}, volatilities_(std::move(volatilities)), slopes_(nodes.size()) {
    for (std::size_t k = 1; k < at_.size(); ++k)
      slopes_[k] = (volatilities_[k] - volatilities_[k - 1]) / (at_[k] - at_[k - 1]);
  }

  /// The squared volatility; `cursor` is where it was found last, which is near.
  double square(double y, std::size_t& cursor) const {
    std::size_t const last = at_.size() - 1;
    while (cursor < last && at_[cursor] < y) ++cursor;
    while (cursor > 0 && at_[cursor - 1] >= y) --cursor;
    double const value =
        volatilities_[cursor] + slopes_[cursor] * std::min(y - at_[cursor], 0.); // 0 before all
    return value * value;
  }
  /// The outer nodes.
  double lowest() const { return at_.front(); }
  double highest() const { return at_.back(); }

private:
  std::span<double const> at_;
  std::vector<double> volatilities_, slopes_; ///< the latter of the pieces before the nodes
};

/// The volatilities of a grid's nodes at a time.
inline std::vector<double> volatilities_at(volatility_grid const& grid, double time) {
  auto const times = grid.times(), values = grid.values();
  std::size_t const columns = grid.log_moneyness().size();
  auto const after =
      static_cast<std::size_t>(std::ranges::upper_bound(times, time) - times.begin());
  std::size_t const i = after > 0 ? after - 1 : 0, j = std::min(after, times.size() - 1);
  double const share = i < j ? (time - times[i]) / (times[j] - times[i]) : 0;
  std::vector<double> all(columns);
  for (std::size_t k = 0; k < columns; ++k)
    all[k] = std::lerp(values[i * columns + k], values[j * columns + k], share);
  return all;
}

/// Their root mean squares over the times from `before` to `time`.
inline std::vector<double> mean_volatilities(volatility_grid const& grid, double before,
                                             double time) {
  std::vector<double> first = volatilities_at(grid, before), sum(first.size());
  if (!(time > before)) return first;
  auto const add_until = [&](double end) { // volatilities are linear in time until then
    auto const last = volatilities_at(grid, end);
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] += (first[k] * first[k] + first[k] * last[k] + last[k] * last[k]) * (end - before);
    first = last;
    before = end;
  };
  double const length = time - before;
  for (double const node : grid.times())
    if (node > before && node < time) add_until(node);
  add_until(time);
  for (double& of : sum) of = std::sqrt(of / (3 * length));
  return sum;
}

/// A grid's volatilities over a step: the root mean square, and those at half time.
struct local_slice {
  local_smile mean, half;

  local_slice(volatility_grid const& grid, double before, double time)
      : mean(grid.log_moneyness(), mean_volatilities(grid, before, time)),
        half(grid.log_moneyness(), volatilities_at(grid, (before + time) / 2)) {}
};

/// How far paths come, but for one in 10^8: as far as one whose Brownian motion is six deviations
/// away at all times, and as one whose variance began late. Beyond the outer nodes rows go no
/// further than they must, to be flat there.
class local_reach {
public:
  double low(local_smile const& smile, double h) const {
    return std::max(low_, smile.lowest() - margin(smile, smile.lowest(), h));
  }
  double width(local_smile const& smile, double h) const {
    constexpr double least = 1e-6; // where nothing has moved yet
    double const end = std::min(high_, smile.highest() + margin(smile, smile.highest(), h));
    return std::max(end - low(smile, h), least);
  }
  void move(local_smile const& smile, double before, double time) {
    std::size_t cursor = 0;
    double const h = time - before, far = 6 * (std::sqrt(time) - std::sqrt(before));
    double const up = smile.square(high_, cursor), down = smile.square(low_, cursor);
    high_ += std::max(farther(above_, up * h), std::sqrt(up) * far);
    low_ -= std::max(farther(below_, down * h), std::sqrt(down) * far) + down * h / 2;
  }

private:
  /// As far from an outer node as a step of length h looks, and two cells.
  static double margin(local_smile const& smile, double node, double h) {
    std::size_t cursor = 0;
    double const g = smile.square(node, cursor);
    double const seen = std::numbers::sqrt3 * std::sqrt(g * h / 2) + g * h / 4;
    return 1.05 * seen + 0.02 * (smile.highest() - smile.lowest());
  }
  /// Six deviations more, of a path whose variance grows by `more`.
  static double farther(double& variance, double more) {
    double const root = std::sqrt(variance);
    variance += more;
    return 6 * (std::sqrt(variance) - root);
  }

  double low_ = 0, high_ = 0, below_ = 0, above_ = 0; ///< and the variances of paths that far
};

/// Bounds of q for a B, with which powers of q that a step leaves out change the mean of the price
/// by less than 1e-4, and moves are not more skew than squares of normals can be.
inline double most_q(double b) {
  double const most = std::min(0.125, 0.5 * b);
  return most * most * most * b * b <= 1e-4 ? most : std::cbrt(1e-4 / (b * b));
}

/// B of G and c.
inline double deviation_of(double total, double covariance) {
  if (total == 0) return 0;
  double const most = total * most_q(std::sqrt(total));
  double const c = std::clamp(covariance, -most, most), q = c / (total - c);
  return std::sqrt(total - c - q * q / 2);
}

/// Moves values of a curve at equidistant places so that the lines between them are off by nothing
/// in the mean: by a twelfth of the second differences.
template <std::size_t count>
void take_chords(double (&values)[count]) {
  double before = values[0];
  for (std::size_t i = 1; i + 1 < count; ++i) {
    double const here = values[i], bend = before - 2 * here + values[i + 1];
    values[i] = std::max(here - bend / 12, 0.);
    before = here;
  }
}

/// Fills B over a row of a step of length h from `low` on, which is `width` wide.
template <class T>
void fill_row(local_step<T>& step, local_slice const& slice, double h, double low, double width) {
  constexpr int cells = local_step<T>::cells;
  double const root3 = std::numbers::sqrt3, log2_e = std::numbers::log2e, cell = width / cells;
  std::size_t cursors[4]{};
  double ends[cells + 1];
  for (int i = 0; i <= cells; ++i) {
    double const y = low + cell * i, mean = slice.mean.square(y, cursors[0]);
    double const g = slice.half.square(y, cursors[0]);
    double const deviation = std::sqrt(g * h / 2), middle = y - g * h / 4;
    double const at_middle = slice.half.square(middle, cursors[1]);
    double const down = slice.half.square(middle - root3 * deviation, cursors[2]);
    double const up = slice.half.square(middle + root3 * deviation, cursors[3]);
    double const total = mean + ((4 * at_middle + down + up) / 6 - g);
    ends[i] = deviation_of(h * std::max(total, mean / 4), h * deviation * root3 * (up - down) / 6);
  }
  take_chords(ends);
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
  local_reach reach;
  double before = 0;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    double const time = plan.times[j];
    local_slice const slice(model.grid, before, time);
    double const h = time - before;
    fill_row(steps[j], slice, h, reach.low(slice.mean, h), reach.width(slice.mean, h));
    steps[j].growth = growth_until<T>(model, time);
    steps[j].observation = plan.observations[j];
    reach.move(slice.mean, before, time);
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
