// Grids of volatilities, and Dupire's local volatility of a surface.

#include "pricing/paths/local_volatility.hpp"

#include <doctest/doctest.h>

#include <random>

namespace local_volatility_grid_test {

using namespace test::contracts;
namespace pricing = warpfold::pricing;
using pricing::arbitrage;
using pricing::dupire;

TEST_CASE("a grid is linear between nodes and constant beyond") {
  volatility_grid const grid =
      grid_of({1, 3}, {-1, 0, 2}, [](double t, double k) { return 0.1 * t + 0.01 * k * k; });
  CHECK(grid.times().size() == 2);
  CHECK(grid.log_moneyness().size() == 3);
  CHECK(grid.values()[5] == doctest::Approx(0.34));
  for (double const t : {1., 3.})
    for (double const k : {-1., 0., 2.}) CHECK(grid.at(t, k) == 0.1 * t + 0.01 * k * k);
  CHECK(grid.at(2, 1) == doctest::Approx(0.2 + 0.02));
  CHECK(grid.at(1.5, -0.75) == doctest::Approx(0.15 + 0.0075));
  CHECK(grid.at(0, 0) == grid.at(1, 0));
  CHECK(grid.at(1e300, 1e300) == grid.at(3, 2));
  CHECK(grid.at(-1, -1e300) == grid.at(1, -1));
  CHECK(constant(0.3).at(7, -2) == 0.3);
}

TEST_CASE("Dupire's volatility of a surface without a smile") {
  auto const times = early_times(25), ks = evenly(-1, 1, 9);
  auto const check = [&](pricing::dupire_surface const& got, auto expected, double near) {
    CHECK(got.violations.empty());
    CHECK(got.calendar + got.butterfly == 0);
    for (double const t : times)
      for (double const k : ks)
        CHECK(got.grid.at(t, k) == doctest::Approx(expected(t)).epsilon(near));
  };
  auto const flat = grid_of(times, ks, [](double, double) { return 0.3; });
  check(
      dupire({times, ks, flat.values()}), [](double) { return 0.3; }, 1e-9);
  check(
      dupire([](double t, double) { return 0.09 * t; }, times, ks), [](double) { return 0.3; },
      1e-7);
  // w = 0.02 t + 0.03 t^2 is a parabola through 0, which both forms have exactly.
  auto const w = [](double t, double) { return 0.02 * t + 0.03 * t * t; };
  auto const local = [](double t) { return std::sqrt(0.02 + 0.06 * t); };
  auto const bent = grid_of(times, ks, [&](double t, double k) { return std::sqrt(w(t, k) / t); });
  check(dupire({times, ks, bent.values()}), local, 1e-9);
  check(dupire(w, times, ks), local, 1e-7);
  // One node.
  double const one[] = {2}, middle[] = {0}, value[] = {0.25};
  CHECK(dupire({one, middle, value}).grid.at(1, 5) == doctest::Approx(0.25));
}

/// Gatheral's formula with the derivatives of the surface by hand.
double exact_volatility(ssvi const& of, double t, double k) {
  double const theta = 0.04 * t, root = std::sqrt(theta * (1 + theta)), phi = of.eta / root;
  double const x = phi * k + of.rho, s = std::sqrt(x * x + 1 - of.rho * of.rho);
  double const w = of(t, k), by_k = theta * phi / 2 * (of.rho + x / s);
  double const twice = theta * phi * phi / 2 * (1 - of.rho * of.rho) / (s * s * s);
  double const phi_by_theta = -of.eta * (1 + 2 * theta) / (2 * root * root * root);
  double const by_t = 0.04 * (w / theta + theta * k * phi_by_theta / 2 * (of.rho + x / s));
  double const density =
      1 - k / w * by_k + 0.25 * (-0.25 - 1 / w + k * k / (w * w)) * by_k * by_k + twice / 2;
  return std::sqrt(by_t / density);
}

TEST_CASE("Dupire's volatility of an arbitrage-free surface") {
  auto const ks = evenly(-1.5, 1.5, 241);
  for (ssvi const& of : {ssvi{}, ssvi{0.3, 0.7}, ssvi{-0.8, 1.05}}) {
    auto const times = early_times(25);
    auto const implied =
        grid_of(times, ks, [&](double t, double k) { return of.volatility(t, k); });
    auto const by_function = dupire(of, times, ks);
    auto const by_nodes = dupire({times, ks, implied.values()});
    CHECK(by_function.violations.empty());
    CHECK(by_nodes.violations.empty());
    for (std::size_t i = 0; i < times.size(); ++i)
      for (std::size_t j = 0; j < ks.size(); ++j) {
        double const t = times[i], k = ks[j], exact = exact_volatility(of, t, k);
        CHECK(by_function.grid.at(t, k) == doctest::Approx(exact).epsilon(1e-5));
        // Splines and parabolas, away from the ends, and where nodes are close to a deviation.
        if (i > 4 && i + 1 < times.size() && std::abs(k) < 1)
          CHECK(by_nodes.grid.at(t, k) == doctest::Approx(exact).epsilon(0.02));
      }
  }
}

TEST_CASE("surfaces with arbitrage are reported, and their volatility is bounded") {
  std::vector<double> const times{0.5, 1, 1.5, 2}, ks{-0.2, -0.1, 0, 0.1, 0.2};
  // Total variance falls from time 1 to 1.5, at k = 0.1 alone.
  auto implied = grid_of(times, ks, [](double, double) { return 0.2; });
  std::vector<double> values(implied.values().begin(), implied.values().end());
  values[2 * 5 + 3] = 0.2 * std::sqrt(0.9 / 1.5); // less than 0.04 at time 1
  auto const falling = dupire({times, ks, values}, {.least = 0.07, .most = 1.5});
  CHECK(falling.calendar == 1);
  CHECK(falling.violations.size() == falling.calendar + falling.butterfly);
  bool found = false;
  for (auto const& one : falling.violations)
    if (one.kind == arbitrage::calendar) {
      found = true;
      CHECK(one.time == 1.5);
      CHECK(one.log_moneyness == 0.1);
    }
  CHECK(found);
  for (double const v : falling.grid.values()) CHECK((v >= 0.07 && v <= 1.5));
  // A function that falls everywhere from 1 on.
  auto const after = dupire([](double t, double) { return t < 1 ? 0.04 * t : 0.08 - 0.04 * t; },
                            std::vector{0.5, 1.2, 1.5}, ks, {.least = 0.03});
  CHECK(after.calendar == 10);
  CHECK(after.butterfly == 0);
  CHECK(after.violations[0].time == 1.2);
  CHECK(after.violations[0].log_moneyness == -0.2);
  CHECK(after.grid.at(1.2, 0) == 0.03);
  CHECK(after.grid.at(0.5, 0) == doctest::Approx(0.2));
  // And one that hardly does.
  auto const slow =
      dupire([](double t, double) { return 0.04 - 1e-6 * t; }, times, ks, {.least = 0.03});
  CHECK(slow.calendar == times.size() * ks.size());
  for (double const v : slow.grid.values()) CHECK(v == 0.03);
  // At the last time a parabola would fall, where the variance does not.
  std::vector<double> const two{1, 2}, middle{0}, quotes{std::sqrt(0.08), std::sqrt(0.045)};
  auto const slowing = dupire({two, middle, quotes}); // total variances of 0.08 and 0.09
  CHECK(slowing.calendar == 0);
  CHECK(slowing.grid.at(2, 0) == doctest::Approx(0.1));
  // A smile that bends too much: J. Gatheral's and A. Jacquier's example of A. Vogt, whose density
  // is negative at log-moneyness from about 0.6 to 1.2.
  auto const vogt = [](double t, double k) {
    double const a = -0.0410, b = 0.1331, rho = 0.3060, m = 0.3586, sigma = 0.4153, x = k - m;
    return t * (a + b * (rho * x + std::sqrt(x * x + sigma * sigma)));
  };
  auto const wide = evenly(-1.5, 1.5, 61);
  auto const bent = dupire(vogt, std::vector{1.}, wide, {.most = 0.9});
  CHECK(bent.calendar == 0);
  CHECK(bent.butterfly == bent.violations.size());
  CHECK(bent.butterfly > 5);
  for (auto const& one : bent.violations) {
    CHECK(one.kind == arbitrage::butterfly);
    CHECK((one.log_moneyness > 0.5 && one.log_moneyness < 1.3));
    CHECK(bent.grid.at(1, one.log_moneyness) == 0.9);
  }
  // And from nodes.
  auto const nodes = grid_of({1}, wide, [&](double t, double k) { return std::sqrt(vogt(t, k)); });
  auto const of_nodes = dupire({nodes.times(), wide, nodes.values()});
  CHECK(of_nodes.butterfly >= bent.butterfly - 1);
  CHECK(of_nodes.butterfly <= bent.butterfly + 1);
}

} // namespace local_volatility_grid_test
