#pragma once
// Paths of a price whose variance moves: the same bits on both places.
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
//
// Given their number n, jumps are a normal number of mean n mu and variance n delta^2 (R. C. Merton
// 1976; D. S. Bates 1996). So is the rest of the move, given v and w: one z makes both.

#include <warpfold/detail/pricing/path_step.hpp>
#include <warpfold/detail/random/elementary.hpp>
#include <warpfold/detail/random/inverse_normal.hpp>

#include <cmath>
#include <type_traits>

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

/// The constants of a step with jumps, at most one of which is expected; for the binary logarithm
/// of the price too.
template <class T>
struct alignas(16) jump_step : variance_step<T> {
  using word = detail::bits_of<T>;
  /// Thresholds, and a 0 at the end: more jumps are less likely than half a unit of a word.
  static constexpr int words = sizeof(T) == 4 ? 13 : 21;

  T jump_mean, jump_square; ///< mean and variance of a jump
  T compensator;            ///< minus the logarithm of the expected factor of all jumps
  word more[words];         ///< words below more[n] stand for more than n jumps

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T jumps_of(word w) const {
    T number{0};
#ifdef __CUDA_ARCH__
    WARPFOLD_UNROLL_BY(1)
    for (int n = 0; w < more[n]; ++n) number += 1;
#else // none is above the one before it
    WARPFOLD_UNROLL_EVERYWHERE
    for (word const of : more) number += w < of ? T{1} : T{0};
#endif
    return number;
  }
};
static_assert(sizeof(jump_step<float>) == 128 && sizeof(jump_step<double>) == 304);

/// The next variance.
template <class T>
struct drawn_variance {
  T variance;
  T excess;      ///< over its mean
  T rest;        ///< R
  bool corrects; ///< the mean M is finite
};
/// A drawn variance, with the standard deviation of the price's binary logarithm given both
/// variances.
template <class T>
struct drawn_root : drawn_variance<T> {
  T root;
};

/// A model of a price and its variance. With jumps a step takes another word, for their number.
template <class T, bool with_jumps = false>
struct variance_model {
  using value_type = T;
  using own_step = std::conditional_t<with_jumps, jump_step<T>, variance_step<T>>;
  using word = detail::bits_of<T>;
  static constexpr int normals = 1, uniforms = with_jumps ? 2 : 1;
  struct state {
    T log_price; ///< log2(price / forward)
    T variance;
  };

  T variance; ///< at the start

  WARPFOLD_HOST_DEVICE state start() const { return {T{0}, variance}; }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  step(state& path, T const (&z)[1], word const (&words)[uniforms], own_step const& now) const {
    advance<drawn_variance<T>>(path, z[0], words, now);
  }

  /// Takes the step. Returns what it has drawn, with what else `Drawn` has.
  template <class Drawn>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Drawn advance(state& path, T z,
                                                            word const (&words)[uniforms],
                                                            own_step const& now) const {
    T const v = path.variance, m = std::fma(now.decay, v, now.pull);
    Drawn next = drawn_as<Drawn>(m);
    if (now.spread + now.spread_0 > 0)
      next = draw<Drawn>(words[0], m, std::fma(now.spread, v, now.spread_0), now.a);
    T const of_mean = std::fma(now.k3, v, std::fma(now.k4, m, now.k5));
    T integral = std::fma(now.k3, v, std::fma(now.k4, next.variance, now.k5));
    T const exact = std::fma(now.k2, next.excess, -std::fma(half_ln2, of_mean, next.rest * log2_e));
    T const plain = std::fma(now.k2, next.variance, std::fma(now.k1, v, now.k0));
    [[maybe_unused]] T jumped{0};
    if constexpr (with_jumps) {
      T const number = now.jumps_of(words[1]);
      integral = std::fma(number, now.jump_square, integral);
      jumped = std::fma(number, now.jump_mean, now.compensator);
    }
    T const root = detail::rounded_root(larger(integral, least_root));
    // A price that does not move stays where it is, to the bit.
    path.log_price +=
        std::fma(integral > least_root ? root : T{0}, z, next.corrects ? exact : plain);
    if constexpr (with_jumps) path.log_price += jumped;
    path.variance = next.variance;
    if constexpr (has_root<Drawn>) next.root = root;
    return next;
  }

private:
  static constexpr bool is_float = sizeof(T) == 4;
  static constexpr T log2_e = T(1.4426950408889634), half_ln2 = T(0.34657359027997265);
  /// What roots and reciprocals of detail/random/elementary.hpp still take.
  static constexpr T least_root = is_float ? T(0x1p-96) : T(0x1p-800);
  static constexpr T least = is_float ? T(0x1p-120) : T(0x1p-990);

  template <class Drawn>
  static constexpr bool has_root = requires(Drawn next) {
    next.root;
  };
  template <class Drawn>
  static constexpr bool has_slopes = requires(Drawn next) {
    next.by_mean;
  };

  /// A variance that is its mean.
  template <class Drawn>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static Drawn drawn_as(T m) {
    Drawn next{};
    next.variance = m;
    next.corrects = true;
    return next;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T larger(T x, T y) { return x > y ? x : y; }
  /// -ln(x), for x = 1 + f: near 1 as accurate as f is.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T minus_log(T x, T f) {
    auto const split = detail::split_exponent(x);
    return detail::minus_log(split.exponent == 0 ? f : split.mantissa - 1, split.exponent);
  }

  /// The uniform number is 1 - u, u being the word's fraction: near 1 as exact as near 0.
  template <class Drawn>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static Drawn draw(word w, T m, T s2, T a_price) {
    Drawn next;
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
      if constexpr (has_slopes<Drawn>) {
        // a^2 - 2 m a + s2 / 2 = 0, so with i = 1 / b^2 a has the slopes -i and i (1 + b^2) / 4 m.
        T const i = detail::rounded_reciprocal(squares - 1), inverse_b = b * i;
        T const of_a = sum * (normal - inverse_b); // that of w in a, at a given mean
        next.by_mean = std::fma(-i, of_a, normal * inverse_b);
        next.by_square = T(0.25) * i * squares * inverse_m * of_a;
      }
    } else {
      T const u = detail::word_fraction<T>::of(w), mean = T(0.5) * (ratio + m);
      T const tail = u * mean * inverse_m; // p is 1 - m / mean
      T const inside = tail < 1 ? tail : T{1};
      next.variance = mean * minus_log(inside, inside - 1);
      next.excess = next.variance - m;
      scale = mean;
      if constexpr (has_slopes<Drawn>) {
        // e has the slopes 1 - e / m and 1 / 2 m.
        T const part = mean * inverse_m, of_mean = minus_log(inside, inside - 1) - 1;
        bool const positive = tail < 1;
        next.by_mean = positive ? (T{1} - part) * (of_mean - 1) : T{-1};
        next.by_square = positive ? T(0.5) * inverse_m * of_mean : T{0};
      }
    }
    // ln M is A a b^2 / (1 - 2 A a) - ln(1 - 2 A a) / 2, or ln(1 + A m / (1 - A mean)).
    T const product = a_price * scale, of_mean = a_price * m, divisor = T{1} - product;
    next.corrects = divisor > 0;
    T const inverse = detail::rounded_reciprocal(larger(divisor, least));
    T const f = quadratic ? -product : of_mean * inverse;
    T const rest =
        quadratic ? T(0.5) * product * std::fma(T(2), of_mean, T(-1)) * inverse : -of_mean;
    next.rest = std::fma(quadratic ? T(0.5) : T(-1), minus_log(T{1} + f, f), rest);
    if constexpr (has_slopes<Drawn>) {
      T const over = product * inverse; // 1 / divisor - 1
      T const whole = quadratic ? T{1} : detail::rounded_reciprocal(larger(T{1} + f, least));
      T const part = inverse * whole, a_part = a_price * inverse;
      next.rest_by_mean = a_price * over * (quadratic ? -over : T{1} - part);
      next.rest_by_square = T(0.5) * a_part * a_price * part;
      next.rest_by_a = quadratic ? over * std::fma(m - T(0.5) * scale, over + 2, T(0.5) * scale)
                                 : m * std::fma(inverse, part, T(-1));
      next.mean = m;
      next.square = s2;
    }
    return next;
  }
};

template <class T>
using jump_model = variance_model<T, true>;

} // namespace warpfold::inline v0::pricing
