#pragma once
// Paths of a price whose variance moves, and contracts as a payoff of a simulation: the same bits
// on both places but for powers of two in float.
//
// A step of Heston's model from a variance v. With m and s2 the mean and variance of the next one,
// w, and its expected excess over them, QE-M (L. Andersen 2008) takes w from a distribution with
// these moments:
//   s2 <= 1.5 m^2: w = a (b + Z)^2, Z normal
//   else:          w = 0 with probability p, else exponential with mean e
// and the logarithm of the price over its forward moves by
//   K0 + K1 v + K2 w + sqrt(K3 v + K4 w) z,
// where K0* = -ln M - (K1 + K3 / 2) v for K0 makes the price a martingale, with
// M = E exp(A w), A = K2 + K4 / 2. For small vol_of_vol A is large. So it is written with w - m and
// R = ln M - A m, which are small then: the move is
//   K2 (w - m) - R - (K3 v + K4 m) / 2 + sqrt(K3 v + K4 w) z.

#include <warpfold/detail/pricing/path_step.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/pricing/contracts.hpp>

#include <cmath>

namespace warpfold::inline v0::pricing {

/// The constants of a step. Those of the price are for its binary logarithm: k0, k1, k2 are
/// Andersen's times log2(e), k3 and k4 times log2(e)^2, as is k5, a variance that does not depend
/// on v.
template <class T>
struct alignas(16) variance_step {
  T decay, pull;      ///< m = decay v + pull
  T spread, spread_0; ///< s2 = spread v + spread_0; both are 0 where the variance does not vary
  T k0, k1, k2, k3, k4, k5;
  T a;             ///< A
  T growth;        ///< of the forward until the step's end: log2(forward / spot)
  int observation; ///< the number of this time among those that contracts see, or -1

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool observed() const { return observation >= 0; }
};

/// A model of a price and its variance.
template <class T>
struct variance_model {
  using value_type = T;
  using word = detail::bits_of<T>;
  static constexpr int normals = 1, uniforms = 1;
  struct state {
    T log_price; ///< log2(price / forward)
    T variance;
  };

  T variance; ///< at the start

  WARPFOLD_HOST_DEVICE state start() const { return {T{0}, variance}; }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  step(state& path, T const (&z)[1], word const (&words)[1], variance_step<T> const& now) const {
    T const v = path.variance, m = std::fma(now.decay, v, now.pull);
    drawn next{m, T{0}, T{0}, true};
    if (now.spread + now.spread_0 > 0)
      next = draw(words[0], m, std::fma(now.spread, v, now.spread_0), now.a);
    T const of_mean = std::fma(now.k3, v, std::fma(now.k4, m, now.k5));
    T const integral = std::fma(now.k3, v, std::fma(now.k4, next.variance, now.k5));
    T const exact = std::fma(now.k2, next.excess, -std::fma(half_ln2, of_mean, next.rest * log2_e));
    T const plain = std::fma(now.k2, next.variance, std::fma(now.k1, v, now.k0));
    path.log_price += std::fma(detail::rounded_root(larger(integral, least_root)), z[0],
                               next.corrects ? exact : plain);
    path.variance = next.variance;
  }

private:
  static constexpr bool is_float = sizeof(T) == 4;
  static constexpr T log2_e = T(1.4426950408889634), half_ln2 = T(0.34657359027997265);
  /// What roots and reciprocals of detail/random/elementary.hpp still take.
  static constexpr T least_root = is_float ? T(0x1p-96) : T(0x1p-800);
  static constexpr T least = is_float ? T(0x1p-120) : T(0x1p-990);

  /// The next variance.
  struct drawn {
    T variance;
    T excess;      ///< over its mean
    T rest;        ///< R
    bool corrects; ///< the mean M is finite
  };

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T larger(T x, T y) { return x > y ? x : y; }
  /// -ln(x), for x = 1 + f: near 1 as accurate as f is.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T minus_log(T x, T f) {
    auto const split = detail::split_exponent(x);
    return detail::minus_log(split.exponent == 0 ? f : split.mantissa - 1, split.exponent);
  }

  /// The uniform number is 1 - u, u being the word's fraction: near 1 as exact as near 0.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static drawn draw(word w, T m, T s2, T a_price) {
    drawn next;
    T const inverse_m = detail::rounded_reciprocal(larger(m, least));
    T const ratio = s2 * inverse_m; // s2 / m
    bool const quadratic = ratio <= T(1.5) * m && m > least;
    T scale; // M is finite if A scale < 1
    if (quadratic) {
      // With r = 2 m^2 / s2, b^2 is r - 1 + sqrt(r (r - 1)), and a is m / (1 + b^2).
      constexpr T least_ratio = is_float ? T(0x1p-48) : T(0x1p-100);
      T const r = 2 * m * detail::rounded_reciprocal(larger(ratio, larger(least_ratio * m, least)));
      T const squares = r + detail::rounded_root(std::fma(r, r, -r)); // 1 + b^2
      T const a = m * detail::rounded_reciprocal(squares), b = detail::rounded_root(squares - 1);
      T const normal = detail::inverse_normal_of_word<T>(~w), sum = b + normal;
      next.variance = a * sum * sum;
      next.excess = a * std::fma(normal, b + sum, T(-1));
      scale = 2 * a;
    } else {
      T const u = detail::word_fraction<T>::of(w), mean = T(0.5) * (ratio + m);
      T const tail = u * mean * inverse_m; // p is 1 - m / mean
      T const inside = tail < 1 ? tail : T{1};
      next.variance = mean * minus_log(inside, inside - 1);
      next.excess = next.variance - m;
      scale = mean;
    }
    // ln M is A a b^2 / (1 - 2 A a) - ln(1 - 2 A a) / 2, or ln(1 + A m / (1 - A mean)).
    T const product = a_price * scale, of_mean = a_price * m, divisor = T{1} - product;
    next.corrects = divisor > 0;
    T const inverse = detail::rounded_reciprocal(larger(divisor, least));
    T const f = quadratic ? -product : of_mean * inverse;
    T const rest =
        quadratic ? T(0.5) * product * std::fma(T(2), of_mean, T(-1)) * inverse : -of_mean;
    next.rest = std::fma(quadratic ? T(0.5) : T(-1), minus_log(T{1} + f, f), rest);
    return next;
  }
};

/// Contracts of a book, in the order of their expiries.
template <class T>
struct contract_group {
  using element = T;
  /// As many as a block has shared memory for, of a round's values (below 48 KiB).
  static constexpr int size = sizeof(T) == 4 ? 64 : 32;
  /// Binary logarithms of prices over the spot are cut off there.
  static constexpr T most_growth = sizeof(T) == 4 ? T(126) : T(1022);

  int count;
  bool averages; ///< some contract looks at more than the price at expiry
  T spot;
  int expiry[size]; ///< the number of the observation
  int place[size];  ///< in the book, less that of the group's first
  measure on[size];
  T scale[size];               ///< makes the measure of a sum over the times
  T sign[size];                ///< -1 for puts
  T strike[size], least[size]; ///< the payoff is at least that: 0, or minus infinity

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {count, averages, this};
  }
};

/// They pay on the way, when they expire.
template <class T>
struct contract_group<T>::payoff_type {
  static constexpr int results = size;
  using early_payoff = void;
  using path_state = typename variance_model<T>::state;

  int count;
  bool averages;
  contract_group const* group;

  struct memory {
    int next, due;           ///< contract, and its expiry
    T before;                ///< binary logarithm of the price over the spot
    T sum, log_sum, squares; ///< of price / spot, its logarithms, their squared differences
  };

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(path_state const&) const {
    return {0, group->expiry[0], T{0}, T{0}, T{0}, T{0}};
  }
  template <class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  observe(memory& seen, path_state const& path, variance_step<T> const& now, Pay pay) const {
    T const log_price = path.log_price + now.growth;
    if (averages) {
      T const move = log_price - seen.before;
      seen.before = log_price;
      seen.squares = std::fma(move, move, seen.squares);
      seen.log_sum += log_price;
      seen.sum += bounded_power(log_price);
    }
    if (seen.due != now.observation) return;
    T const price = group->spot * bounded_power(log_price);
    while (seen.due == now.observation) {
      int const k = seen.next;
      T const difference = group->sign[k] * (measured(seen, price, k) - group->strike[k]);
      pay(group->place[k], difference > group->least[k] ? difference : group->least[k]);
      ++seen.next;
      seen.due = seen.next < count ? group->expiry[seen.next] : -1;
    }
  }

private:
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T bounded_power(T x) {
    return detail::power_of_two(x < most_growth ? x : most_growth);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T measured(memory const& seen, T price, int k) const {
    measure const on = group->on[k];
    if (on == measure::price) return price;
    if (on == measure::arithmetic_average) return seen.sum * group->scale[k];
    if (on == measure::realized_variance) return seen.squares * group->scale[k];
    return group->spot * bounded_power(seen.log_sum * group->scale[k]);
  }
};

} // namespace warpfold::inline v0::pricing
