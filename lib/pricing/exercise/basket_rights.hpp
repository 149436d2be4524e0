#pragma once
// Options with early exercise on correlated assets: the same bits on both places.

#include "exercise_rights.hpp"
#include "pricing/baskets/basket_group.hpp"

#include <warpfold/detail/random/normals.hpp>

namespace warpfold::inline v0::pricing {

/// Constants of a date. Regressors are standardised by those of a mean asset.
template <class T>
struct basket_date {
  T discount;              ///< from 0
  T growth, per_deviation; ///< of prices over spots: their mean, and 1 / deviation
};

/// A call or put on what is selected from weighted prices.
template <class T, int capacity>
struct alignas(4 * sizeof(T)) basket_right {
  static constexpr int basis = 11;
  /// Prices over spots, in the order of the model's factor.
  struct kept {
    T prices[capacity];
  };
  using date = basket_date<T>;

  T unit; ///< of payments: the largest absolute weight times spot, or the product at the spots
  /// Weight times spot, in units: negative for worst_of, which makes the smallest price the largest
  /// number. For a product the weights over the largest.
  T weights[capacity];
  T sign, constant; ///< it pays sign selected + constant
  T share;          ///< 1 / number of assets with a weight other than 0
  /// At the start: the number selected, the largest two, and the mean.
  T selected_start, first_start, second_start, mean_start;
  bool sums;       ///< it selects the sum or a product, not the largest
  int first, last; ///< dates of exercise
  bits how;        ///< of powers
  T power;         ///< the largest weight of a product; else 0

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE detail::exercise_decision when(int j, int) const {
    return exercise_at(j, first, last);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE kept
  keep(typename basket_model<T, capacity>::state const& path,
       basket_step<T, capacity> const& now) const {
    kept all;
    WARPFOLD_UNROLL
    for (int i = 0; i < capacity; ++i)
      all.prices[i] = detail::bounded_power_of_two(path.log_price[i] + now.growth[i], how);
    return all;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T exercise(kept const& of) const {
    return std::fma(sign, numbers_of(of).selected, constant);
  }
  /// h: the number selected, x and y: the largest two, m: the mean. Those that depend on others
  /// come after them, and are left out. The largest is h itself unless a sum is selected: products
  /// of three factors then take its place.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void regressors(kept const& of, date const& now,
                                                              T (&to)[basis]) const {
    numbers const all = numbers_of(of);
    auto const standardised = [&](T number, T start) {
      return std::fma(-start, now.growth, number) * now.per_deviation;
    };
    // A product varies as its weights' sum, which its start undoes.
    T const h =
        standardised(power > 0 ? all.selected * selected_start : all.selected, selected_start);
    T const x = standardised(all.largest, first_start), y = standardised(all.next, second_start);
    T const m = standardised(all.sum * share, mean_start), square = h * h;
    to[0] = T{1};
    to[1] = h;
    to[2] = square;
    to[3] = square * h;
    to[4] = y;
    to[5] = x * y;
    to[6] = y * y;
    to[7] = sums ? x : square * y;
    to[8] = sums ? x * x : h * to[6];
    to[9] = m;
    to[10] = m * m;
  }

  /// Numbers that weighted prices make.
  struct numbers {
    T selected, largest, next, sum;
  };
  /// `largest` and `next`: the two largest with a weight other than 0; equal if there is one.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE numbers numbers_of(kept const& of) const {
    constexpr T none = -static_cast<T>(__builtin_huge_val());
    T largest = none, next = none, sum = 0;
    WARPFOLD_UNROLL
    for (int i = 0; i < capacity; ++i) {
      T const here = weights[i] != 0 ? weights[i] * of.prices[i] : none;
      next = here > largest ? largest : here > next ? here : next;
      largest = here > largest ? here : largest;
      sum = std::fma(weights[i], of.prices[i], sum);
    }
    largest = largest > none ? largest : T{0};
    next = next > none ? next : largest;
    return {power > 0 ? product_of(of) : sums ? sum : largest, largest, next, sum};
  }

private:
  /// The product of prices over spots to the power of weights.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T product_of(kept const& of) const {
    T exponent = 0;
    WARPFOLD_UNROLL
    for (int i = 0; i < capacity; ++i)
      exponent = std::fma(weights[i], binary_logarithm(of.prices[i]), exponent);
    exponent *= power;
    return detail::bounded_power_of_two(exponent);
  }
  /// The binary logarithm of a price, which is not negative.
  WARPFOLD_HOST_DEVICE WARPFOLD_RARE static T binary_logarithm(T price) {
    constexpr T least = sizeof(T) == 4 ? T(0x1p-126) : T(0x1p-1022);
    auto const split = detail::split_exponent(price > least ? price : least);
    return T(-1.4426950408889634) * detail::minus_log(split.mantissa - 1, split.exponent);
  }
};

template <class T, int capacity>
using basket_exercise =
    detail::exercise_problem<basket_model<T, capacity>, basket_right<T, capacity>,
                             basket_step<T, capacity>>;
template <class T>
using basket_exercise_4 = basket_exercise<T, 4>;
template <class T>
using basket_exercise_8 = basket_exercise<T, 8>;

} // namespace warpfold::inline v0::pricing

#define WARPFOLD_EXERCISE_OF_float_basket(use)                                                     \
  use(basket_exercise_4<float>) use(basket_exercise_8<float>)
#define WARPFOLD_EXERCISE_OF_double_basket(use)                                                    \
  use(basket_exercise_4<double>) use(basket_exercise_8<double>)
