// One step of Heston's model, integrated over its uniform number: the moments that it has to have.

#include "pricing/paths/contracts.hpp"
#include "pricing/paths/variance_steps.hpp"

#include <doctest/doctest.h>

#include <random>

namespace contracts_step_test {

using namespace test::contracts;
namespace pricing = warpfold::pricing;
using warpfold::detail::bits_of;

/// Means over the uniform number, at the middles of equal parts.
struct step_means {
  double variance, square, price; ///< of the next variance, its square, and price over forward
  int exponential, negative;      ///< parts in which the next variance is 0, or below
};

constexpr int parts = 1 << 14;

/// Calls use(up, down) for words in the middles of equal parts: the states after a step from v, for
/// normals of 1 and -1.
template <class T, class Use>
void for_each_word(pricing::variance_step<T> const& step, double v, Use use) {
  constexpr auto width = static_cast<bits_of<T>>(~bits_of<T>{0} / parts + 1);
  pricing::variance_model<T> const model{static_cast<T>(v)};
  for (int i = 0; i < parts; ++i) {
    bits_of<T> const words[] = {static_cast<bits_of<T>>(i) * width + width / 2};
    auto const after = [&](T z) {
      auto state = model.start();
      T const normals[] = {z};
      model.step(state, normals, words, step);
      return state;
    };
    use(after(1), after(-1));
  }
}

template <class T>
step_means means_of(pricing::variance_step<T> const& step, double v) {
  step_means sum{};
  for_each_word<T>(step, v, [&](auto const& up, auto const& down) {
    sum.negative += up.variance < 0 ? 1 : 0;
    double const w = static_cast<double>(up.variance), ln2 = std::log(2.);
    // The price's logarithm is c + d z.
    double const c = ln2 * (static_cast<double>(up.log_price) + down.log_price) / 2;
    double const d = ln2 * (static_cast<double>(up.log_price) - down.log_price) / 2;
    sum.variance += w / parts;
    sum.square += w * w / parts;
    sum.price += std::exp(c + d * d / 2) / parts;
    sum.exponential += w == 0 ? 1 : 0;
  });
  return sum;
}

TEST_CASE_TEMPLATE("a step has the variance's moments and is a martingale", T, float, double) {
  double const unit = std::numeric_limits<T>::epsilon();
  int exponential = 0, quadratic = 0;
  for (heston const& model :
       {lewis, ordinary, heston_of(0.04, 0.5, 0.04, 1, -0.9), heston_of(0.04, 0, 0.04, 0.3, 0.2),
        heston_of(0.04, 2, 0, 0.8, -1), heston_of(0.04, 1.5, 0.05, 1e-3, -0.7),
        heston_of(0.04, 1.5, 0.05, 2e-5, 0.7), heston_of(0.04, 200, 0.04, 1, -0.9),
        heston_of(0.04, 1000, 0.04, 2, -0.5)})
    for (double const h : {1. / 252, 0.125, 1.})
      for (double const v : {0., 1e-6, 0.003, 0.04, 0.5}) {
        CAPTURE(model.vol_of_vol);
        CAPTURE(model.correlation);
        CAPTURE(h);
        CAPTURE(v);
        pricing::variance_step<T> step{};
        pricing::put(step, model, 0, h);
        auto const got = means_of(step, v);
        CHECK(got.negative == 0);
        double const decay = std::exp(-model.reversion * h);
        double const span = model.reversion > 0 ? (1 - decay) / model.reversion : h;
        double const noise = model.vol_of_vol * model.vol_of_vol;
        double const mean = model.mean + (v - model.mean) * decay;
        double const variance =
            noise * span * (v * decay + model.mean * model.reversion * span / 2);
        // Parts at the ends are cut short; there is next to nothing else of a variance that is
        // nearly always 0.
        double const deviation = std::sqrt(variance);
        bool const even = variance < 50 * mean * mean;
        CHECK(std::abs(got.variance - mean) <=
              (even ? 3e-4 : 0.05) * (mean + deviation) + 10 * unit * mean);
        if (even)
          CHECK(std::abs(got.square - mean * mean - variance) <=
                0.02 * variance + 50 * unit * mean * mean);
        bool const corrects = step.a < 0 || h < 0.2;
        if (corrects) CHECK(std::abs(got.price - 1) < 3e-4 + 20 * unit);
        ++(got.exponential > 0 ? exponential : quadratic);
      }
  CHECK(exponential > 20);
  CHECK(quadratic > 40);
}

// Where the martingale correction does not exist a step is Andersen's plain one, with K0 to K2.
TEST_CASE_TEMPLATE("a step without a martingale correction", T, float, double) {
  auto const model = heston_of(0.09, 0.3, 0.09, 1, 0.8);
  double const h = 4, v = 4.8, near = sizeof(T) == 4 ? 7e-7 : 2e-15;
  pricing::variance_step<T> step{};
  pricing::put(step, model, 0, h);
  double const slope = model.correlation / model.vol_of_vol;
  double const half = h / 2 * (model.reversion * slope - 0.5);
  double const k0 = -slope * model.reversion * model.mean * h, k1 = half - slope, k2 = half + slope;
  int wrong = 0;
  for_each_word<T>(step, v, [&](auto const& up, auto const& down) {
    double const w = static_cast<double>(up.variance), plain = k0 + k1 * v + k2 * w;
    double const got = std::log(2.) * (static_cast<double>(up.log_price) + down.log_price) / 2;
    double const scale = std::abs(k0) + std::abs(k1 * v) + std::abs(k2 * w);
    wrong += std::abs(got - plain) <= near * scale ? 0 : 1;
  });
  CHECK(wrong == 0);
}

// Variances so small that their reciprocals are not finite.
TEST_CASE_TEMPLATE("a step of next to no variance", T, float, double) {
  double const least = sizeof(T) == 4 ? 1e-36 : 1e-297;
  for (double const vol_of_vol : {1e-5, 1e-3, 1.})
    for (double const v : {0., least, 100 * least}) {
      CAPTURE(vol_of_vol);
      CAPTURE(v);
      pricing::variance_step<T> step{};
      pricing::put(step, heston_of(v, 0.5, v, vol_of_vol, -0.9), 0, 1);
      int wrong = 0;
      for_each_word<T>(step, v, [&](auto const& up, auto const& down) {
        bool const right = up.variance >= 0 && up.variance < 1e-3 &&
                           std::abs(up.log_price) < 1e-3 && std::abs(down.log_price) < 1e-3;
        wrong += right ? 0 : 1;
      });
      CHECK(wrong == 0);
    }
}

// Corrections take logarithms of numbers near 1 and far above.
TEST_CASE_TEMPLATE("logarithms of a step are accurate above 1 too", T, float, double) {
  unsigned const seed = 12;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::uniform_real_distribution<double> power(-20, 60);
  double const near = 3 * std::numeric_limits<T>::epsilon();
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    auto const f = static_cast<T>(std::exp2(i % 2 == 0 ? power(random) : -power(random) / 3));
    auto const x = T{1} + f;
    auto const split = warpfold::detail::split_exponent(x);
    bool const is_near = split.exponent == 0;
    T const got = warpfold::detail::minus_log(is_near ? f : split.mantissa - 1, split.exponent);
    double const exact =
        is_near ? std::log1p(static_cast<double>(f)) : std::log(static_cast<double>(x));
    wrong += std::abs(static_cast<double>(got) + exact) <= near * exact ? 0 : 1;
  }
  CHECK(wrong == 0);
}

/// The forward over the spot after p's steps, of the normals and uniforms at a path's addresses.
template <class T>
double walked(heston const& model, wf::detail::path_plan const& plan, std::uint64_t p) {
  using namespace wf::detail;
  constexpr int per_block = 16 / sizeof(T);
  auto const steps = pricing::steps_of<T>(model, plan);
  auto const count = steps.size(), m = (count + per_block - 1) / per_block * per_block;
  pricing::variance_model<T> const walk{static_cast<T>(model.variance)};
  auto state = walk.start();
  address const of_uniforms{plan.numbers.seed, plan.numbers.stream + (std::uint64_t{1} << 63)};
  for (std::size_t j = 0; j < count; ++j) {
    std::uint64_t const at = p * m + j;
    T const normal[] = {static_cast<T>(test::normal_of<T>(plan.numbers, at))};
    auto const w = random_words(of_uniforms, at / per_block);
    bits_of<T> words[1];
    if constexpr (sizeof(T) == 4) words[0] = w.of[at % 4];
    else words[0] = two_words(w.of[2 * (at % 2)], w.of[2 * (at % 2) + 1]);
    walk.step(state, normal, words, steps[j]);
  }
  return std::exp2(static_cast<double>(state.log_price + steps.back().growth));
}

EVERY_PLACE_OF("the numbers of a path have their addresses", T, float, double) {
  contract const forward{0, 1, settlement::forward};
  double const end[] = {1};
  for (heston const& model : {lewis, heston_of(0.04, 0.5, 0.04, 1, -0.9)})
    for (int const steps : {1, 2, 4, 5, 11}) {
      CAPTURE(steps);
      simulation_options const options{
          .times = end, .longest_step = 1. / steps, .seed = 0x123456789abcdef, .stream = 77};
      auto const plan = wf::detail::plan_paths(options);
      double sum = 0;
      double const discount = std::exp(-model.rate.integral(1));
      for (std::uint64_t p = 0; p < 4; ++p) {
        sum += 100 * discount * walked<T>(model, plan, p);
        auto some = options;
        some.paths = p + 1;
        double const near = 20 * std::numeric_limits<T>::epsilon();
        CHECK(test::contracts::simulated<T>(place, model, forward, some).value ==
              doctest::Approx(sum / static_cast<double>(p + 1)).epsilon(near));
      }
    }
}

} // namespace contracts_step_test
