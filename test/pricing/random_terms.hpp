#pragma once
// Random European options, one by one.

#include <warpfold/pricing/option.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace test {

/// Random options: those of a desk, and of all widths from 0.001 to 10 down to prices of 1e-30.
template <class T>
class random_terms {
public:
  explicit random_terms(unsigned seed) : random_{seed} {}

  /// The CUDA course's ranges, some with a dividend yield.
  warpfold::pricing::option<T> ordinary() {
    return {cast(uniform(5, 30)),     cast(uniform(1, 100)),     cast(uniform(0.25, 10)),
            cast(uniform(0.05, 0.6)), cast(uniform(-0.01, 0.1)), cast(yield(0.06))};
  }
  /// Total volatility from 0.001 to 10; a spot up to 12 standard deviations from the strike. The
  /// rates' part of log(A / B) is at most 100 times the total volatility.
  warpfold::pricing::option<T> wide() {
    double const root = even(0.001, 10), time = even(0.003, 30), spot = even(0.01, 1e4);
    double const most = std::min(0.1, 50 * root / time);
    double const rate = uniform(-most / 3, most), dividends = yield(most);
    double const y = uniform(-12, 12), x = (y + (y > 0 ? root : -root) / 2) * root;
    double const strike = spot * std::exp((rate - dividends) * time - x);
    return {cast(spot), cast(std::clamp(strike, 1e-8, 1e9)),
            cast(time), cast(root / std::sqrt(time)),
            cast(rate), cast(dividends)};
  }

private:
  static T cast(double x) { return static_cast<T>(x); }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>{low, high}(random_);
  }
  double even(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  double yield(double most) { return random_() % 2 == 0 ? 0 : uniform(-most / 3, most); }
  std::mt19937_64 random_;
};

} // namespace test
