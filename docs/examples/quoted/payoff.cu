// [example]
#include <warpfold/pricing/simulate.cuh>

#include <cmath>
#include <cstdio>

namespace pricing = warpfold::pricing;
using model = pricing::geometric_brownian_motion<float>;

/// A cliquet: pays the sum of its months' returns, each at least -2 % and at most 3 %, but no less
/// than 0. What it would pay without the last condition is its control variate.
struct cliquet {
  double rate, monthly; ///< and the mean of a month's return

  struct seen {
    float price, sum;
  };
  WARPFOLD_HOST_DEVICE seen start(model::state const& now) const { return {now.price, 0}; }
  WARPFOLD_HOST_DEVICE void observe(seen& all, model::state const& now,
                                    pricing::path_step<float> const&) const {
    float const gain = now.price / all.price - 1;
    all.sum += gain < -0.02F ? -0.02F : gain > 0.03F ? 0.03F : gain;
    all.price = now.price;
  }
  WARPFOLD_HOST_DEVICE pricing::path_value<float> value(seen const& all,
                                                        model::state const&) const {
    return {all.sum > 0 ? all.sum : 0, all.sum};
  }
  double discount() const { return std::exp(-rate); }
  double control_mean() const { return 12 * monthly; }
};

/// The mean of a month's return: its floor and two calls on the price, bought and sold.
double mean_return(double rate, double volatility) {
  auto const call = [&](double strike) {
    double const forward = std::exp(rate / 12), deviation = volatility * std::sqrt(1. / 12);
    double const d = std::log(forward / strike) / deviation + deviation / 2;
    auto const normal = [](double x) { return std::erfc(-x / std::sqrt(2.)) / 2; };
    return forward * normal(d) - strike * normal(d - deviation);
  };
  return -0.02 + call(0.98) - call(1.03);
}

int main() {
  double const rate = 0.04, volatility = 0.2;
  model const prices({100, 100, 1, volatility, rate, 0}); // spot, strike, expiry, ...
  cliquet const payoff{rate, mean_return(rate, volatility)};
  warpfold::any_place place = warpfold::default_place(); // a gpu, or the host
  auto const simulate = [&](bool control) {
    auto const one = std::visit(
        [&](auto& here) {
          return pricing::simulate(here, prices, payoff,
                                   {.paths = 1 << 18, .steps = 12, .control_variate = control});
        },
        place);
    std::printf("%s control: %.5f, 95 %% from %.5f to %.5f\n", control ? "with" : "without",
                one.value, one.lower, one.upper);
    return one;
  };
  auto const plain = simulate(false), controlled = simulate(true);
  bool const meet = plain.lower < controlled.upper && controlled.lower < plain.upper;
  return meet && controlled.standard_error < 0.6 * plain.standard_error ? 0 : 1;
}
// [example]
