#pragma once
// Contracts on the price at expiry and their derivatives by likelihood ratios: of the price's
// density, not of the payoff, which may jump.
//
// Given the path of variances the logarithm of the price at expiry is normal: a step adds root z to
// it, and what does not depend on z. With
//   A = sum of root z,  B = sum of root^2
// it is mean + A, and B is its variance. The mean is u + r T - q T + ..., u being the logarithm of
// the spot; the rest depends on neither spot nor rate r nor dividend yield q. A payoff's derivative
// is the mean of payoff times score, the density's derivative over the density (M. Broadie,
// P. Glasserman, Estimating security price derivatives using simulation, Management Science 42,
// 1996; P. Glasserman, Monte Carlo Methods in Financial Engineering, 2003, section 7.3):
//   in u       A / B = s
//   in u twice s^2 - 1 / B
//   spot S     s / S,  twice  (s^2 - 1 / B - s) / S^2
//   r, q       T s and -T s;  r also discounts: -T
// A parallel shift of Black and Scholes's volatility moves B by dB = 2 times its integral, and the
// mean by -dB / 2. A normal density has half its second derivative in the mean as the one in its
// variance: dB (s^2 - 1 / B - s) / 2, which is the gamma's times S^2 dB / 2.

#include "pricing/paths/variance_paths.hpp"
#include "row_group.hpp"

#include <warpfold/detail/random/elementary.hpp>

#include <cmath>

namespace warpfold::inline v0::pricing {

/// A model of a price and its variance that adds up A and B, of the binary logarithm.
template <class T>
struct score_model {
  using value_type = T;
  using own_step = variance_step<T>;
  using word = detail::bits_of<T>;
  static constexpr int normals = 1, uniforms = 1;
  struct state : variance_model<T>::state {
    T moved, spread; ///< A, B
  };

  variance_model<T> model;

  WARPFOLD_HOST_DEVICE state start() const { return {model.start(), T{0}, T{0}}; }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  step(state& path, T const (&z)[1], word const (&words)[1], own_step const& now) const {
    auto const next = model.template advance<drawn_root<T>>(path, z[0], words, now);
    path.moved = std::fma(next.root, z[0], path.moved);
    path.spread = std::fma(next.root, next.root, path.spread);
  }
};

template <class T>
struct score_group : row_group<T> {
  T volatility[row_group<T>::results]; ///< its integral until a contract's expiry

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {this->values, this};
  }
};

template <class T>
struct score_group<T>::payoff_type {
  static constexpr int results = row_group<T>::results;
  using early_payoff = void;
  using book_payoff = typename contract_group<T>::payoff_type;
  using memory = typename book_payoff::memory;

  int count;
  score_group const* group;

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(State const& path) const {
    return group->book.payoff().start(path);
  }
  template <class State, class Step, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(memory& seen, State const& path,
                                                           Step const& now, Pay pay) const {
    auto const& book = group->book;
    book_payoff const of_prices{book.count, false, book.how, &book};
    of_prices.observe(seen, path, now, [&](int place, T worth) {
      constexpr T log2_e = T(1.4426950408889634);
      int const k = seen.next;
      T const inverse = log2_e * detail::rounded_reciprocal(path.spread); // 1 / (B ln 2)
      T const score = inverse * path.moved;
      T const second = std::fma(score, score, std::fma(-log2_e, inverse, -score));
      auto const put = [&](int row, T result) {
        int const first = group->first[row];
        if (first >= 0) pay(first + place, result, worth > 0);
      };
      T const by_spot = worth * group->inverse_spot, by_time = worth * group->years[k];
      put(result_rows::volatility, worth * group->volatility[k] * second);
      put(result_rows::rate, by_time * (score - 1));
      put(result_rows::dividend_yield, -by_time * score);
      put(result_rows::spot, by_spot * score);
      put(result_rows::value, worth);
      put(result_rows::gamma, by_spot * group->inverse_spot * second);
    });
  }
};

} // namespace warpfold::inline v0::pricing
