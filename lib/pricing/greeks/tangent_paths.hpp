#pragma once
// Paths of a price and its variance with their derivatives in the model's parameters: the same bits
// on both places.
//
// A step draws the next variance w of a law with mean m and variance s2, by numbers that do not
// move (variance_paths.hpp). So dw = W_m dm + W_s ds2, and with m and s2 linear in v
//   dw = G dv + W_m m' + W_s s2',  G = W_m decay + W_s spread,
// where a prime is a derivative at a given v. The logarithm of the price moves by
//   C dv + M m' + S s2' + k2' (w - m - dR/dA) + ...
// for the same C, M, S of all parameters. M. Broadie, P. Glasserman (Estimating security price
// derivatives using simulation, Management Science 42, 1996) call it the pathwise method.

#include "pricing/paths/variance_paths.hpp"

namespace warpfold::inline v0::pricing {

/// The next variance with the derivatives of its excess in its mean and its variance, and those of
/// R. Where vol_of_vol is small K2 is large, and the excess is small.
template <class T>
struct drawn_slopes : drawn_root<T> {
  T mean, square; ///< m, s2
  T by_mean, by_square;
  T rest_by_mean, rest_by_square, rest_by_a;
};

/// The constants of a step, and their derivatives.
template <class T>
struct alignas(16) tangent_step : variance_step<T> {
  T time;        ///< its end, times log2(e): the derivative of `growth` in the rate
  T root, drift; ///< of Black and Scholes's model: the move's derivative is root z + drift
  T pull_of_mean, spread_0_of_mean;
  T decay_of_speed, pull_of_speed, spread_of_speed, spread_0_of_speed; ///< in the reversion
  T k2_of_speed, k2_of_vol, k2_of_correlation;
  T k3_of_correlation; ///< and that of k4, times log2(e); the three above are not
};
static_assert(sizeof(tangent_step<float>) == 128 && sizeof(tangent_step<double>) == 224);

/// A model of a price and its variance, with derivatives.
template <class T>
struct tangent_model {
  using value_type = T;
  using own_step = tangent_step<T>;
  using word = detail::bits_of<T>;
  static constexpr int normals = 1, uniforms = 1;
  /// The volatility of Black and Scholes's model; variance, reversion, mean, vol_of_vol and
  /// correlation of Heston's.
  static constexpr int parameters = 5;
  struct state : variance_model<T>::state {
    T variance_by[4];           ///< the correlation moves no variance
    T log_price_by[parameters]; ///< of the binary logarithm
  };

  variance_model<T> model;
  T two_over_vol; ///< 2 / vol_of_vol

  WARPFOLD_HOST_DEVICE state start() const { return {model.start(), {T{1}}, {}}; }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  step(state& path, T const (&z)[1], word const (&words)[1], own_step const& now) const {
    T const v = path.variance;
    auto const next = model.template advance<drawn_slopes<T>>(path, z[0], words, now);
    auto& dv = path.variance_by;
    auto& dx = path.log_price_by;
    if (!(now.spread + now.spread_0 > 0)) { // the variance does not move, or time does not
      dx[0] += std::fma(now.root, z[0], now.drift);
      return;
    }
    constexpr T half_ln2 = T(0.34657359027997265), log2_e = T(1.4426950408889634);
    T const by_integral = T(0.5) * z[0] * detail::rounded_reciprocal(next.root);
    T const next_by_mean = T{1} + next.by_mean, pulled = now.k4 * by_integral;
    T const by_mean = std::fma(
        now.k2, next.by_mean,
        std::fma(pulled, next_by_mean, -std::fma(log2_e, next.rest_by_mean, half_ln2 * now.k4)));
    T const by_square = std::fma(now.k2 + pulled, next.by_square, -log2_e * next.rest_by_square);
    T const by_variance = std::fma(
        by_mean, now.decay, std::fma(by_square, now.spread, now.k3 * (by_integral - half_ln2)));
    T const growth = std::fma(next_by_mean, now.decay, next.by_square * now.spread);
    T const by_k2 = log2_e * (next.excess - next.rest_by_a);
    // A parameter whose derivatives of m and s2 at a given v are these.
    auto const move = [&](int i, T of_mean, T of_square) {
      dx[i] += std::fma(by_variance, dv[i], std::fma(by_mean, of_mean, by_square * of_square));
      dv[i] = std::fma(growth, dv[i], std::fma(next_by_mean, of_mean, next.by_square * of_square));
    };
    dx[0] = std::fma(by_variance, dv[0], dx[0]);
    dv[0] *= growth;
    move(1, std::fma(now.decay_of_speed, v, now.pull_of_speed),
         std::fma(now.spread_of_speed, v, now.spread_0_of_speed));
    dx[1] = std::fma(now.k2_of_speed, by_k2, dx[1]);
    move(2, now.pull_of_mean, now.spread_0_of_mean);
    T const of_square = two_over_vol * next.square;
    dx[3] += std::fma(by_variance, dv[3], std::fma(by_square, of_square, now.k2_of_vol * by_k2));
    dv[3] = std::fma(growth, dv[3], next.by_square * of_square);
    T const by_k3 = std::fma(log2_e * by_integral, v + next.variance,
                             T(-0.5) * (next.rest_by_a + v + next.mean));
    dx[4] = std::fma(now.k2_of_correlation, by_k2, std::fma(now.k3_of_correlation, by_k3, dx[4]));
  }
};

} // namespace warpfold::inline v0::pricing
