// One step with its derivatives, against differences of steps with moved parameters in double.

#include "pricing/greeks/tangent_steps.hpp"
#include "pricing/paths/contracts.hpp"

#include <doctest/doctest.h>

#include <random>

namespace pathwise_step_test {

using namespace test::contracts;
namespace pricing = warpfold::pricing;

constexpr double heston::*members[] = {&heston::variance, &heston::reversion, &heston::mean,
                                       &heston::vol_of_vol, &heston::correlation};

/// The binary logarithm of the price, and the variance.
struct ends {
  double price, variance;
};
/// After a step of length h.
ends after(heston const& model, double h, double z, std::uint64_t word) {
  pricing::variance_step<double> step{};
  pricing::put(step, model, 0, h);
  auto const walked = pricing::paths_of<double>(model);
  auto state = walked.start();
  double const normals[] = {z};
  std::uint64_t const words[] = {word};
  walked.step(state, normals, words, step);
  return {state.log_price, state.variance};
}
template <class T>
auto after_with_derivatives(heston const& model, double h, double z, std::uint64_t word) {
  using bits = warpfold::detail::bits_of<T>;
  pricing::tangent_step<T> step{};
  pricing::put(static_cast<pricing::variance_step<T>&>(step), model, 0, h);
  pricing::put_slopes(step, model, 0, h);
  auto const walked = pricing::tangents_of<T>(model);
  auto state = walked.start();
  T const normals[] = {static_cast<T>(z)};
  bits const words[] = {static_cast<bits>(word >> (64 - 8 * sizeof(T)))};
  walked.step(state, normals, words, step);
  return state;
}

TEST_CASE_TEMPLATE("a step's derivatives are its differences", T, float, double) {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal;
  for (heston const& of : {ordinary, lewis, heston_of(0.0175, 1.5768, 0.0398, 0.5751, -0.5711),
                           heston_of(0.09, 1, 0.09, 1, -0.3), heston_of(0.04, 1.5, 0.05, 1e-3, 0.7),
                           heston_of(0.04, 1e-4, 0.05, 0.3, 0.2)})
    for (double const h : {1. / 252, 1. / 16, 1.}) {
      CAPTURE(of.vol_of_vol);
      CAPTURE(h);
      constexpr int draws = 500;
      int prices[5]{}, variances[5]{}; // that differ
      for (int draw = 0; draw < draws; ++draw) {
        heston model = of;
        model.variance *= std::exp(2 * normal(random));
        double const z = static_cast<float>(normal(random));
        std::uint64_t const word = (random() >> 32 << 32) | 1U << 31; // a float's, in the middle
        auto const got = after_with_derivatives<T>(model, h, z, word);
        for (int i = 0; i < 5; ++i) {
          heston up = model, down = model;
          double const bump = 1e-4 * std::abs(model.*members[i]);
          up.*members[i] += bump;
          down.*members[i] -= bump;
          auto const a = after(up, h, z, word), b = after(down, h, z, word);
          auto const differs = [&](double x, double exact) {
            return !(std::abs(x - exact) < 5e-3 * std::abs(exact) + 2e-4);
          };
          prices[i] += differs(got.log_price_by[i], (a.price - b.price) / (2 * bump));
          double const slope = i < 4 ? got.variance_by[i] : T{0};
          variances[i] += differs(slope, (a.variance - b.variance) / (2 * bump));
        }
      }
      // Steps that change their branch between the two, or reach 0.
      for (int i = 0; i < 5; ++i) {
        CAPTURE(i);
        CHECK(prices[i] <= draws / 100);
        CHECK(variances[i] <= draws / 100);
      }
    }
}

} // namespace pathwise_step_test
