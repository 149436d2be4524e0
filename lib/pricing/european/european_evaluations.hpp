#pragma once
// Sums of paths that have their variance reduced, and of those that give Greeks. One path or two
// that are antithetic make a sample, whose quantities are means over them; drifted paths carry
// their likelihood ratio as a weight.

#include "european_paths.hpp"

namespace warpfold::inline v0::pricing {

struct path_variation {
  static constexpr std::uint32_t most_per_thread = 1;

  bool antithetic, importance;
  bits how; ///< of powers

  WARPFOLD_HOST_DEVICE int paths() const { return antithetic ? 2 : 1; }
  template <int sums>
  WARPFOLD_HOST_DEVICE void close(option_kind, double (&)[sums], std::uint64_t, std::uint64_t paths,
                                  std::uint64_t negative, std::uint64_t& paying) const {
    paying = paths - negative;
  }
};

/// The deviations d that paths drift over are no more than this: squares of payoffs times weights,
/// about exp(-d^2), would underflow. Here they have digits if the option's deviation is 0.002 or
/// more.
template <class T>
inline constexpr double most_deviations = sizeof(T) == 4 ? 9 : 26;
/// Powers of two from this one on are infinite.
template <class T>
inline constexpr double end_of_exponents = sizeof(T) == 4 ? 128 : 1024;

/// How paths of an option drift: their normals by `shift`, and their weights are
/// 2^(weight + weight_slope z).
template <class T>
struct drifted_terms {
  T a, b;
  T sign; ///< 1 for a call, -1 for a put
  T shift, weight, weight_slope;
};

template <class T>
WARPFOLD_HOST_DEVICE drifted_terms<T> drifted_terms_of(option_kind kind, option_scale const& scale,
                                                       bool importance) {
  constexpr double log2_e = 1.4426950408889634;
  double const sign = kind == option_kind::call ? 1 : -1;
  // Standard deviations from where most paths end to where they begin to pay; and then on to where
  // payoff times density is largest, as far as the payoff is linear. A call's payoff grows
  // exponentially, and so that place is at least the deviation away.
  double const reach = -sign * scale.a / scale.b, slope = reach - sign * scale.deviation / 2;
  double const peak = reach + (sqrt(slope * slope + 4) - slope) / 2;
  double const growth = kind == option_kind::call ? scale.deviation : 0;
  // Final prices stay finite five deviations beyond the drift.
  double const room = (end_of_exponents<T> - scale.a) / scale.b - 5;
  double const drift = growth > peak ? (growth < room ? growth : room) : peak;
  bool const drifts = importance && (reach > 2 || growth > 2) && reach <= most_deviations<T> &&
                      growth <= most_deviations<T> && drift > 0;
  T const shift = static_cast<T>(drifts ? sign * drift : 0);
  double const exact = shift;
  return {static_cast<T>(scale.a + scale.b * exact),
          static_cast<T>(scale.b),
          static_cast<T>(sign),
          shift,
          static_cast<T>(-exact * exact / 2 * log2_e),
          static_cast<T>(-exact * log2_e)};
}

/// A path of a normal number: the final price over the strike, what that is worth, and its weight.
template <class T>
struct drifted_path {
  T price, worth, weight;
};
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE drifted_path<T>
path_of(drifted_terms<T> const& of, T z, path_variation const& variation) {
  T const price = exp2_or_nan(std::fma(of.b, z, of.a), variation.how);
  T weight{1};
  if (variation.importance)
    weight = exp2_or_nan(std::fma(of.weight_slope, z, of.weight), variation.how);
  return {price, std::fma(of.sign, price, -of.sign), weight};
}

/// Calls use(path, its normal, its share of the sample) for the paths of a sample, and counts those
/// that do not pay.
template <class T, class Use>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
visit_paths(drifted_terms<T> const& of, T z, path_variation how, std::uint32_t& negative, Use use) {
  bool const exists = z == z;
  T const safe = exists ? z : T(0);
  auto const add = [&](T at, T share) {
    auto const path = path_of(of, at, how);
    negative += exists ? sign_bit(path.worth) : 0;
    use(path, at + of.shift, share * path.weight);
  };
  T const share = exists ? (how.antithetic ? T(0.5) : T(1)) : T(0);
  add(safe, share);
  if (how.antithetic) add(-safe, share);
}

/// The payoff and a control variate: what the final price is worth more or less than the strike,
/// less its expectation. Sums: of the one, of the other, each with its squares, and of products.
template <class T>
struct reduced_evaluation : path_variation {
  static constexpr int sums = 6;
  struct terms {
    drifted_terms<T> path;
    T center; ///< of the control
  };
  bool control;

  /// The control's expectation, of the terms as they are rounded.
  WARPFOLD_HOST_DEVICE static double expected(drifted_terms<T> const& of) {
    constexpr double ln2 = 0.69314718055994531;
    auto const mean = [](double shift, double slope) {
      return exp2_or_infinity(shift + ln2 * slope * slope / 2);
    };
    double const weight = of.weight, slope = of.weight_slope;
    return of.sign * (mean(of.a + weight, of.b + slope) - mean(weight, slope));
  }
  WARPFOLD_HOST_DEVICE terms terms_of(option_kind kind, option_scale const& scale) const {
    auto const path = drifted_terms_of<T>(kind, scale, importance);
    return {path, static_cast<T>(expected(path))};
  }
  template <class At>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add(terms const& of, T z, At at,
                                                       std::uint32_t& negative) const {
    T quantities[2] = {};
    path_variation const& variation = *this;
    visit_paths(of.path, z, variation, negative, [&](drifted_path<T> const& path, T, T share) {
      quantities[0] = std::fma(share, larger(path.worth, T(0)), quantities[0]);
      quantities[1] = std::fma(share, path.worth, quantities[1]);
    });
    T const payoff = quantities[0], off = z == z ? quantities[1] - of.center : T(0);
    at(0) += payoff;
    at(1) = std::fma(payoff, payoff, at(1));
    at(2) += off;
    at(3) = std::fma(off, off, at(3));
    at(4) = std::fma(payoff, off, at(4));
  }
  template <class Put>
  WARPFOLD_HOST_DEVICE void finish(option_kind kind, option<T> const&, option_scale const& scale,
                                   sampled const& all, Put put) const {
    double const factor = scale.unit * scale.discount;
    auto const of = terms_of(kind, scale);
    // Drifted paths do not go where the control's expectation lies.
    if (!control || of.path.shift != 0 || all.samples < 3) return put(0, all.mean(0, factor));
    double const n = static_cast<double>(all.samples);
    double const payoff = all.sums[0] / n, off = all.sums[2] / n;
    double const together = all.sums[4] - payoff * all.sums[2];
    double const spread = all.sums[3] - off * all.sums[2];
    double const slope = spread > 0 ? together / spread : 0;
    double const rest = expected(of.path) - double{of.center};
    double const variance = (all.sums[1] - payoff * all.sums[0] - slope * together) / (n - 2);
    put(0, detail::estimate_of(payoff - slope * (off - rest), variance, all.samples, factor,
                               all.quantile, all.paths, all.paying));
  }
};

/// The payoff and seven quantities of which the Greeks are multiples.
template <class T>
struct greeks_evaluation : path_variation {
  static constexpr int quantities_count = 8;
  static constexpr int sums = 2 * quantities_count;
  struct terms {
    drifted_terms<T> path;
    T deviation;
  };
  WARPFOLD_HOST_DEVICE terms terms_of(option_kind kind, option_scale const& scale) const {
    return {drifted_terms_of<T>(kind, scale, importance), static_cast<T>(scale.deviation)};
  }
  template <class At>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add(terms const& of, T z, At at,
                                                       std::uint32_t& negative) const {
    T all[quantities_count] = {};
    visit_paths(of.path, z, *this, negative, [&](drifted_path<T> const& path, T y, T share) {
      T const payoff = larger(path.worth, T(0)), pays = path.worth > 0 ? of.path.sign : T(0);
      T const less = y - of.deviation, price = pays * path.price;
      T const parts[quantities_count] = {payoff,
                                         price,
                                         price * less,
                                         pays,
                                         pays * y,
                                         payoff * y,
                                         payoff * std::fma(y, less, T(-1)),
                                         payoff * less};
      WARPFOLD_UNROLL
      for (int k = 0; k < quantities_count; ++k) all[k] = std::fma(share, parts[k], all[k]);
    });
    WARPFOLD_UNROLL
    for (int k = 0; k < quantities_count; ++k) {
      at(2 * k) += all[k];
      at(2 * k + 1) = std::fma(all[k], all[k], at(2 * k + 1));
    }
  }
  template <class Put>
  WARPFOLD_HOST_DEVICE void finish(option_kind, option<T> const& of, option_scale const& scale,
                                   sampled const& all, Put put) const {
    double const unit = scale.unit * scale.discount, spot = of.spot, expiry = of.expiry;
    double const w = scale.deviation;
    put(0, all.mean(0, unit));
    put(1, all.mean(2, spot > 0 ? unit / spot : simulated_nan<double>));
    put(2, all.mean(4, unit * sqrt(expiry)));
    put(3, all.mean(6, unit * expiry));
    // Without randomness there is no density, and so no likelihood ratio.
    double const ratio = w > 0 && spot > 0 ? unit : simulated_nan<double>;
    put(4, all.mean(8, ratio / (spot * spot * w)));
    put(5, all.mean(10, ratio / (spot * w)));
    put(6, all.mean(12, ratio / double{of.volatility}));
    put(7, all.mean(14, ratio * expiry / w));
    put(8, all.mean(12, ratio / (spot * spot * w * w)));
  }
};

} // namespace warpfold::inline v0::pricing
