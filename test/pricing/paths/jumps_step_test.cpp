// One step of a price that jumps: the number of jumps that words stand for, the moments that a step
// has to have, and the addresses of its numbers.

#include "pricing/paths/jump_steps.hpp"
#include "pricing/paths/jumps.hpp"

namespace jumps_step_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;
using pricing::jump_model;
using pricing::jump_step;
using warpfold::detail::bits_of;

/// The probability of more than n jumps, of which so many are expected.
long double above(int n, long double expected) {
  long double sum = 0;
  for (int k = n + 60; k > n; --k)
    sum += std::exp(k * std::log(expected) - std::lgamma(k + 1.0L) - expected);
  return sum;
}

TEST_CASE_TEMPLATE("the number of a step's jumps is Poisson's", T, float, double) {
  constexpr int digits = std::numeric_limits<bits_of<T>>::digits;
  for (double const expected : {1e-12, 1e-7, 1. / 252, 0.1, 0.5, 1., 1 + 1e-9}) {
    CAPTURE(expected);
    jump_step<T> step{};
    pricing::put_jumps(step, {1, -0.1, 0.2}, expected);
    int wrong = 0;
    for (int n = 0; n < jump_step<T>::words; ++n) {
      long double const exact = std::ldexp(above(n, expected), digits);
      wrong += std::abs(step.more[n] - exact) <= 0.5000001L + 4e-16L * exact ? 0 : 1;
      if (step.more[n] == 0) continue;
      wrong += step.jumps_of(step.more[n]) <= T(n) ? 0 : 1;
      wrong += step.jumps_of(step.more[n] - 1) >= T(n + 1) ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(step.more[jump_step<T>::words - 1] == 0);
    CHECK(step.jumps_of(~bits_of<T>{0}) == 0);
  }
}

/// A step's move of ln(price / forward), given its number of jumps: c + d z.
struct move {
  double c, d;
};

/// Calls use(probability, move) for all numbers of jumps, with one word for the variance.
template <class T, class Use>
void for_each_number(jump_step<T> const& step, double v, bits_of<T> of_variance, Use use) {
  constexpr int digits = std::numeric_limits<bits_of<T>>::digits;
  jump_model<T> const model{static_cast<T>(v)};
  double below = 1;
  for (int n = 0; n < jump_step<T>::words; ++n) {
    double const rest = std::ldexp(static_cast<double>(step.more[n]), -digits);
    bits_of<T> const words[] = {of_variance, n > 0 ? step.more[n - 1] - 1 : ~bits_of<T>{0}};
    auto const after = [&](T z) {
      auto state = model.start();
      T const normals[] = {z};
      model.step(state, normals, words, step);
      return std::log(2.) * static_cast<double>(state.log_price);
    };
    double const up = after(1), down = after(-1);
    use(below - rest, move{(up + down) / 2, (up - down) / 2});
    if (rest == 0) return;
    below = rest;
  }
}

TEST_CASE_TEMPLATE("a step of Merton's model has the moments", T, float, double) {
  double const unit = std::numeric_limits<T>::epsilon();
  for (jumps const& of : {jumps{1, -0.1, 0.15}, jumps{4, 0.05, 0}, jumps{0.3, 0, 0.6},
                          jumps{0.01, -0.7, 0.2}, jumps{1, -1000, 0}})
    for (double const h : {1. / 252, 0.125, 0.25}) {
      CAPTURE(of.intensity);
      CAPTURE(h);
      double const v = 0.2, expected = of.intensity * h;
      jump_step<T> step{};
      pricing::put<T>(step, pricing::curve(v * v), 0, h);
      pricing::put_jumps(step, of, expected);
      double price = 0, mean = 0, square = 0;
      for_each_number<T>(step, 0, 0, [&](double probability, move const& by) {
        price += probability * std::exp(by.c + by.d * by.d / 2);
        mean += probability * by.c;
        square += probability * (by.c * by.c + by.d * by.d);
      });
      double const of_jumps = of.mean * of.mean + of.deviation * of.deviation;
      double const drift =
          -v * v * h / 2 - expected * std::expm1(of.mean + of.deviation * of.deviation / 2);
      double const exact_mean = drift + expected * of.mean;
      double const exact_square = v * v * h + expected * of_jumps + exact_mean * exact_mean;
      CHECK(price == doctest::Approx(1).epsilon(20 * unit));
      CHECK(std::abs(mean - exact_mean) <= 20 * unit * (1 + std::abs(of.mean)));
      CHECK(std::abs(square - exact_square) <= 100 * unit * (1 + of_jumps));
    }
}

TEST_CASE_TEMPLATE("a step of Bates's model is a martingale", T, float, double) {
  constexpr int parts = 1 << 12;
  constexpr auto width = static_cast<bits_of<T>>(~bits_of<T>{0} / parts + 1);
  for (heston const& model : {bates, bates_of(lewis, {3, 0.05, 0.1}),
                              bates_of(heston_of(0.04, 0.5, 0.04, 1, -0.9), {0.1, -0.5, 0.3})})
    for (double const h : {1. / 252, 0.125})
      for (double const v : {0., 0.003, 0.04, 0.3}) {
        CAPTURE(model.jumps.intensity);
        CAPTURE(h);
        CAPTURE(v);
        jump_step<T> step{};
        pricing::put<T>(step, model, 0, h);
        pricing::put_jumps(step, model.jumps, model.jumps.intensity * h);
        double price = 0;
        for (int i = 0; i < parts; ++i)
          for_each_number<T>(step, v, static_cast<bits_of<T>>(i) * width + width / 2,
                             [&](double probability, move const& by) {
                               price += probability * std::exp(by.c + by.d * by.d / 2) / parts;
                             });
        CHECK(std::abs(price - 1) < 1e-3);
      }
}

/// The price after path p's steps, of the normals and uniforms at its addresses.
template <class T, class Model>
double walked(Model const& model, wf::detail::path_plan const& plan, std::uint64_t p,
              bool mirrored = false) {
  using namespace wf::detail;
  constexpr int per_block = 16 / sizeof(T);
  pricing::jumping<Model> const law{model};
  auto const steps = pricing::steps_of<T>(law, plan);
  auto const walk = pricing::paths_of<T>(law);
  auto const rounded = [](std::size_t n) { return (n + per_block - 1) / per_block * per_block; };
  std::size_t const count = steps.size();
  auto state = walk.start();
  address const of_uniforms{plan.numbers.seed, plan.numbers.stream + (std::uint64_t{1} << 63)};
  for (std::size_t j = 0; j < count; ++j) {
    double const z = test::normal_of<T>(plan.numbers, p * rounded(count) + j);
    T const normal[] = {static_cast<T>(mirrored ? -z : z)};
    bits_of<T> words[2];
    for (std::size_t k = 0; k < 2; ++k) {
      std::uint64_t const at = p * rounded(2 * count) + 2 * j + k;
      auto const w = random_words(of_uniforms, at / per_block);
      if constexpr (sizeof(T) == 4) words[k] = w.of[at % 4];
      else words[k] = two_words(w.of[2 * (at % 2)], w.of[2 * (at % 2) + 1]);
      if (mirrored) words[k] = ~words[k];
    }
    walk.step(state, normal, words, steps[j]);
  }
  return 100 * std::exp2(static_cast<double>(state.log_price + steps.back().growth));
}

EVERY_PLACE_OF("the numbers of a path that jumps have their addresses", T, float, double) {
  contract const forward{0, 1, settlement::forward};
  double const end[] = {1}, near = 20 * std::numeric_limits<T>::epsilon();
  auto const check = [&](auto const& model) {
    double const discount = std::exp(-model.rate.integral(1));
    for (int const steps : {5, 6, 11, 12}) { // not more jumps than steps
      CAPTURE(steps);
      simulation_options options{
          .times = end, .longest_step = 1. / steps, .seed = 0x123456789abcdef, .stream = 77};
      auto const plan = wf::detail::plan_paths(options);
      double sum = 0, mirrored = 0;
      for (std::uint64_t p = 0; p < 4; ++p) {
        sum += discount * walked<T>(model, plan, p);
        mirrored += discount * walked<T>(model, plan, p, true);
        auto const pairs = static_cast<double>(p + 1);
        options.paths = p + 1;
        options.antithetic = false;
        CHECK(simulated<T>(place, model, forward, options).value ==
              doctest::Approx(sum / pairs).epsilon(near));
        options.paths = 2 * (p + 1);
        options.antithetic = true;
        CHECK(simulated<T>(place, model, forward, options).value ==
              doctest::Approx((sum + mirrored) / (2 * pairs)).epsilon(near));
      }
    }
  };
  check(merton_of(0.2, {5, -0.1, 0.15}));
  check(bates_of(lewis, {4.5, 0.05, 0.1}));
}

} // namespace jumps_step_test
