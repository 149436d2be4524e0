#pragma once
// Contracts and their derivatives along paths that have their own (tangent_paths.hpp).
//
// A payoff's derivative is that of its measure where it is in the money, and 0 elsewhere. Measures
// are sums over times, so theirs are sums too:
//   price               d S = S d log S
//   arithmetic average  sum of S d log S
//   geometric average   the average times the mean of d log S
//   realized variance   sum of 2 r d r, r being the logarithmic returns
// In the spot d log S is 1 / spot at all times, in the rate it is the time.

#include "row_group.hpp"
#include "tangent_paths.hpp"

#include <numbers>
#include <type_traits>

namespace warpfold::inline v0::pricing {

template <class T, bool averages>
struct pathwise_group : row_group<T> {
  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {this->values, this};
  }
};

template <class T, bool averages>
struct pathwise_group<T, averages>::payoff_type {
  static constexpr int results = row_group<T>::results;
  using early_payoff = void;
  using plain_memory = typename contract_group<T>::payoff_type::memory;
  static constexpr int parameters = tangent_model<T>::parameters, time = parameters;

  int count;
  pathwise_group const* group;

  /// Sums over the times, for every parameter and the rate.
  struct sums {
    T before[parameters + 1]; ///< of the logarithm of the price
    T price[parameters + 1], logarithm[parameters + 1], square[parameters + 1];
  };
  struct nothing {};
  struct memory {
    plain_memory plain;
    [[no_unique_address]] std::conditional_t<averages, sums, nothing> by;
  };

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(State const& path) const {
    return {group->book.payoff().start(path), {}};
  }
  template <class State, class Step, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(memory& seen, State const& path,
                                                           Step const& now, Pay pay) const {
    auto const& book = group->book;
    T const log_price = path.log_price + now.growth;
    if constexpr (averages) {
      if (book.averages) add_up(seen, path, now, log_price);
    }
    book.payoff().observe(seen.plain, path, now, [&](int place, T worth) {
      constexpr T ln2 = std::numbers::ln2_v<T>;
      int const k = seen.plain.next;
      measure const on = book.on[k];
      T measured = book.spot * power_of(log_price), factor = ln2 * measured;
      if constexpr (averages) {
        T const scale = book.scale[k];
        if (on == measure::arithmetic_average) measured = seen.plain.sum * scale;
        if (on == measure::geometric_average)
          measured = book.spot * power_of(seen.plain.log_sum * scale);
        if (on == measure::arithmetic_average) factor = ln2 * scale;
        if (on == measure::geometric_average) factor = ln2 * scale * measured;
        if (on == measure::realized_variance) factor = 2 * scale;
      }
      bool const in_the_money = worth > book.least[k];
      factor = in_the_money ? book.slope[k] * factor : T{0};
      auto const by = [&](int i) {
        T slope = slope_of(path, now, i);
        if constexpr (averages) {
          if (on == measure::arithmetic_average) slope = seen.by.price[i];
          if (on == measure::geometric_average) slope = seen.by.logarithm[i];
          if (on == measure::realized_variance) slope = seen.by.square[i];
        }
        return factor * slope;
      };
      auto const put = [&](int row, T derivative) {
        int const first = group->first[row];
        if (first >= 0) pay(first + place, derivative, worth > 0);
      };
      WARPFOLD_UNROLL
      for (int i = 0; i < parameters; ++i) put(i, by(i));
      T const in_rate = by(time);
      put(result_rows::rate, std::fma(-group->years[k], worth, in_rate));
      put(result_rows::dividend_yield, -in_rate);
      T const part = on == measure::realized_variance || !in_the_money ? T{0} : book.slope[k];
      put(result_rows::spot, part * measured * group->inverse_spot);
      put(result_rows::value, worth);
    });
  }

private:
  template <class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add_up(memory& seen, State const& path,
                                                          Step const& now, T log_price) const {
    T const move = log_price - seen.plain.before, power = power_of(log_price);
    WARPFOLD_UNROLL
    for (int i = 0; i <= parameters; ++i) {
      T const slope = slope_of(path, now, i);
      seen.by.square[i] = std::fma(move, slope - seen.by.before[i], seen.by.square[i]);
      seen.by.before[i] = slope;
      seen.by.logarithm[i] += slope;
      seen.by.price[i] = std::fma(power, slope, seen.by.price[i]);
    }
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T power_of(T x) const {
    return detail::bounded_power_of_two(x, group->book.how);
  }
  template <class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T slope_of(State const& path, Step const& now,
                                                                int i) {
    return i == time ? now.time : path.log_price_by[i];
  }
};

} // namespace warpfold::inline v0::pricing
