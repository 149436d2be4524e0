// Steps of a local volatility: rows against their grids, and moments of a step, integrated over its
// normal number.

#include "pricing/paths/local_steps.hpp"
#include "pricing/paths/local_volatility.hpp"

#include <doctest/doctest.h>

#include <numbers>

namespace local_volatility_step_test {

using namespace test::contracts;
namespace pricing = warpfold::pricing;
using warpfold::detail::bits_of;

template <class T>
std::vector<pricing::local_step<T>> steps_of(local_volatility const& model, double h, int count) {
  return pricing::steps_of<T>(
      model, wf::detail::plan_paths({.paths = 1, .steps = count, .horizon = h * count}));
}

/// Means of the price after a step, over the one before, and of powers of what that differs from 1.
struct step_means {
  double price, square, cube;
};
template <class T>
step_means means_of(pricing::local_step<T> const& step, double y) {
  step_means sum{};
  double weights = 0;
  for (double z = -9; z <= 9; z += 1. / 64) {
    typename pricing::local_model<T>::state path{static_cast<T>(y * std::numbers::log2e)};
    double const before = static_cast<double>(path.log_price);
    T const normal[] = {static_cast<T>(z)};
    pricing::local_model<T>{}.step(path, normal, step);
    double const move = std::exp2(static_cast<double>(path.log_price) - before) - 1;
    double const weight = std::exp(-z * z / 2);
    weights += weight;
    sum.price += weight * (1 + move);
    sum.square += weight * move * move;
    sum.cube += weight * move * move * move;
  }
  return {sum.price / weights, sum.square / weights, sum.cube / weights};
}

// In Cox's model the price's variance over h is delta^2 S h, and its third central moment
// 3/2 delta^4 S h^2, with delta = 2.
TEST_CASE_TEMPLATE("a step has the diffusion's first three moments", T, float, double) {
  double const unit = std::numeric_limits<T>::epsilon();
  double before = 0;
  for (double const h : {1. / 6, 1. / 12, 1. / 24}) {
    CAPTURE(h);
    auto const steps = steps_of<T>(cev(801), h, 6);
    double worst = 0;
    for (double const y : {-0.3, -0.1, 0., 0.15, 0.3}) {
      CAPTURE(y);
      auto const got = means_of(steps[5], y);
      double const spot = 100 * std::exp(y), square = 4 * h / spot, cube = 24 * h * h / spot / spot;
      CHECK(std::abs(got.price - 1) < 1e-8 + 2 * unit);
      CHECK(std::abs(got.square / square - 1) < 0.2 * h * h + 100 * unit);
      CHECK(std::abs(got.cube / cube - 1) < 0.5 * h + 100 * unit / square);
      worst = std::max(worst, std::abs(got.square / square - 1));
    }
    // The error is of second order, but for what a row's cells add.
    if (before > 0 && sizeof(T) == 8) CHECK(worst < before / 3 + 3e-5);
    before = worst;
  }
}

// For any grid, even where rows are cut off or rise too steeply.
TEST_CASE_TEMPLATE("a step is a martingale for any grid", T, float, double) {
  auto const cliff =
      grid_of({0}, {-1, -0.01, 0.01, 1}, [](double, double k) { return k < 0 ? 0.1 : 0.9; });
  auto const spike =
      grid_of({0}, {-0.02, 0, 0.02}, [](double, double k) { return k == 0 ? 1. : 0.; });
  auto const steep = grid_of({0}, evenly(-2, 2, 5), [](double, double k) { return 2.5 - k; });
  for (volatility_grid const& grid : {cliff, spike, steep, constant(0), constant(3)})
    for (double const h : {1e-6, 1. / 252, 1. / 12, 1.}) {
      CAPTURE(h);
      auto const steps = steps_of<T>({100, 0, 0, grid}, h, 5);
      for (auto const& step : steps)
        for (double const y : {-3., -0.5, -0.011, 0., 0.003, 0.5, 3.})
          CHECK(std::abs(means_of(step, y).price - 1) <
                1e-4 + 20 * std::numeric_limits<T>::epsilon());
    }
}

TEST_CASE_TEMPLATE("rows are the grid's volatility", T, float, double) {
  double const unit = std::numeric_limits<T>::epsilon(), h = 1e-5; // where nothing else counts
  auto const model = ordinary_local();
  std::vector<double> times;
  for (double const time : {0.01, 0.1, 0.4, 0.8}) {
    times.push_back(time);
    times.push_back(time + h);
  }
  auto const steps =
      pricing::steps_of<T>(model, wf::detail::plan_paths({.paths = 1, .times = times}));
  auto const volatility = [&](std::size_t j, double y) {
    return std::sqrt(means_of(steps[j], y).square / h);
  };
  double const near = 100 * unit / std::sqrt(h);
  for (std::size_t j = 1; j < steps.size(); j += 2)
    for (double const deviations : {-3., -1., -0.2, 0., 1.3, 4.}) {
      CAPTURE(j);
      CAPTURE(deviations);
      double const time = times[j - 1], y = 0.2 * std::sqrt(time) * deviations;
      // Cells are a ninth of a deviation; nodes bend the volatility within them.
      CHECK(volatility(j, y) == doctest::Approx(model.grid.at(time, y)).epsilon(2e-3 + near));
    }
  // Beyond the outer nodes too.
  CHECK(volatility(7, -2) == doctest::Approx(model.grid.at(0.8, -0.8)).epsilon(1e-3 + near));
  CHECK(volatility(7, 2) == doctest::Approx(model.grid.at(0.8, 0.6)).epsilon(1e-3 + near));
}

TEST_CASE_TEMPLATE("a volatility of time alone is integrated", T, float, double) {
  // Rises from 10 to 30 % between times 0.5 and 1.5.
  auto const grid = grid_of({0.5, 1.5}, {0}, [](double t, double) { return 0.2 * t; });
  for (auto const& [from, to, integral] :
       {std::array{0., 0.5, 0.005}, std::array{0.5, 1.5, 0.04 * (1.5 * 1.5 * 1.5 - 0.125) / 3},
        std::array{0.25, 2., 0.0025 + 0.04 * (1.5 * 1.5 * 1.5 - 0.125) / 3 + 0.045}}) {
    std::vector<double> const times{from, to};
    auto const steps = pricing::steps_of<T>(
        local_volatility{100, 0, 0, grid},
        wf::detail::plan_paths({.paths = 1, .times = std::span(times).subspan(from > 0 ? 0 : 1)}));
    auto const& cell = steps.back().row[62];
    CHECK(static_cast<double>(cell.middle) ==
          doctest::Approx(std::sqrt(integral) * std::numbers::log2e)
              .epsilon(2 * std::numeric_limits<T>::epsilon()));
    for (auto const& one : steps.back().row) {
      CHECK(one.middle == cell.middle);
      CHECK(one.rise == 0);
    }
  }
}

TEST_CASE_TEMPLATE("moves from any place, on and beyond a row", T, float, double) {
  auto const steps = steps_of<T>(ordinary_local(), 0.1, 8);
  for (T const x : {T(0), T(-1e30), T(1e30), T(-3), T(3), std::numeric_limits<T>::denorm_min()}) {
    typename pricing::local_model<T>::state path{x};
    T const normal[] = {T(0.3)};
    pricing::local_model<T>{}.step(path, normal, steps[7]);
    CHECK(std::isfinite(path.log_price));
    CHECK(std::abs(path.log_price - x) < 1);
  }
}

} // namespace local_volatility_step_test
