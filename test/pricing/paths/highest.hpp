#pragma once
// A model and a payoff of the user's own, for the tests of several files.

#include <warpfold/pricing/simulate.cuh>

#include <cmath>

namespace test {

using warpfold::pricing::path_step;
using warpfold::pricing::path_value;

template <class T>
struct walk {
  using value_type = T;
  WARPFOLD_HOST_DEVICE T start() const { return T{0}; }
  WARPFOLD_HOST_DEVICE void step(T& w, T z, path_step<T> const& now) const {
    w = std::fma(now.root, z, w);
  }
};

/// The highest of a walk's places and the start, with the square of its end as a control, and
/// whether it ends above 1.
template <class T>
struct highest {
  static constexpr int results = 2;
  double variance, factor;

  WARPFOLD_HOST_DEVICE T start(T) const { return T{0}; }
  WARPFOLD_HOST_DEVICE void observe(T& high, T w, path_step<T> const&) const {
    high = w > high ? w : high;
  }
  WARPFOLD_HOST_DEVICE path_value<T> value(T high, T w, int k) const {
    return k == 0 ? path_value<T>{high, w * w} : path_value<T>{w > 1 ? T{1} : T{0}, T{0}};
  }
  double discount(int k) const { return k == 0 ? factor : 1; }
  double control_mean(int k) const { return k == 0 ? variance : 0; }
};

} // namespace test
