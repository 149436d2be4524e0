#pragma once
// Options with early exercise on one asset: the same bits on both places.

#include "pricing/paths/contract_payoff.hpp"
#include "pricing/paths/lognormal_paths.hpp"
#include "pricing/paths/variance_paths.hpp"

#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/exercise/exercise_plan.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>

namespace warpfold::inline v0::pricing {

/// The values that rights look at: the price over the spot,
template <class T>
struct kept_price {
  T price;
};
/// and the variance.
template <class T>
struct kept_variance : kept_price<T> {
  T variance;
};

/// Constants of a date. Regressors are standardised: (value - mean) / deviation.
template <class T>
struct alignas(4 * sizeof(T)) exercise_date {
  T discount;              ///< from 0
  T price_mean, per_price; ///< of the price over the spot: its mean, and 1 / deviation
  T variance_mean, per_variance;
};

/// The decision at date j of an option whose dates of exercise are first ... last.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE detail::exercise_decision exercise_at(int j, int first,
                                                                                  int last) {
  if (j < first || j > last) return detail::exercise_decision::never;
  return j == last ? detail::exercise_decision::wherever_it_pays
                   : detail::exercise_decision::regression;
}

/// A call or put on the price of a model.
template <class T, class Model>
struct alignas(4 * sizeof(T)) price_right {
  static constexpr bool has_variance = requires(typename Model::state of) { of.variance; };
  static constexpr int basis = has_variance ? 7 : 4;
  using kept = std::conditional_t<has_variance, kept_variance<T>, kept_price<T>>;
  using date = exercise_date<T>;

  T sign, constant; ///< it pays sign (price / spot) + constant
  T unit;           ///< of payments: the spot
  int first, last;  ///< dates of exercise
  bits how;         ///< of powers

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE detail::exercise_decision when(int j, int) const {
    return exercise_at(j, first, last);
  }
  template <class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE kept keep(typename Model::state const& path,
                                                        Step const& now) const {
    T log_price = path.log_price;
    if constexpr (has_variance) log_price += now.growth;
    T const price = detail::bounded_power_of_two(log_price, how);
    if constexpr (has_variance) return {{price}, path.variance};
    else return {price};
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T exercise(kept const& of) const {
    return std::fma(sign, of.price, constant);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  regressors(kept const& of, date const& now, T (&to)[basis], bool counts = true) const {
    T const standard = (of.price - now.price_mean) * now.per_price;
    T const x = counts ? standard : T{0}, square = x * x; // powers of 0 are 0
    to[0] = counts ? T{1} : T{0};
    to[1] = x;
    to[2] = square;
    to[3] = square * x;
    if constexpr (has_variance) {
      T const deviation = (of.variance - now.variance_mean) * now.per_variance;
      T const v = counts ? deviation : T{0};
      to[4] = v;
      to[5] = v * v;
      to[6] = x * v;
    }
  }
};

template <class T>
using lognormal_exercise =
    detail::exercise_problem<lognormal_model<T>, price_right<T, lognormal_model<T>>,
                             lognormal_step<T>>;
template <class T>
using variance_exercise =
    detail::exercise_problem<variance_model<T>, price_right<T, variance_model<T>>,
                             variance_step<T>>;

/// Writes estimates to memory of the place. A gpu enqueues, and its workspace grows if `blocking`.
/// `sharing` is null where nobody else prices paths, too.
template <class Exercise>
void simulate_exercise(gpu& place, detail::path_plan const& plan, Exercise const& all,
                       exercise_estimate* results, bool blocking, path_sharing* sharing);
template <class Exercise>
void simulate_exercise(host const& place, detail::path_plan const& plan, Exercise const& all,
                       exercise_estimate* results, bool, path_sharing* sharing);

} // namespace warpfold::inline v0::pricing

#define WARPFOLD_EXERCISE_OF_float_price(use) use(lognormal_exercise<float>)
#define WARPFOLD_EXERCISE_OF_double_price(use) use(lognormal_exercise<double>)
#define WARPFOLD_EXERCISE_OF_float_variance(use) use(variance_exercise<float>)
#define WARPFOLD_EXERCISE_OF_double_variance(use) use(variance_exercise<double>)
