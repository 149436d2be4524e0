#pragma once
// Contracts as a payoff of a simulation: the same bits on both places unless powers are native.
//
// A model's state has log_price, the binary logarithm of the price over its forward. A step has
// `growth`, the binary logarithm of the forward over the spot at its end, and `observation`, the
// number of that time among those that contracts see, or -1.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/pricing/contracts.hpp>

#include <cmath>

namespace warpfold::inline v0::pricing {

/// Contracts of a book, in the order of their expiries.
template <class T>
struct contract_group {
  using element = T;
  /// As many as a block has shared memory for, of a round's values (below 48 KiB).
  static constexpr int size = sizeof(T) == 4 ? 64 : 32;
  /// Binary logarithms of prices over the spot are cut off there.
  static constexpr T most_growth = detail::most_growth<T>;

  int count;
  bool averages; ///< some contract looks at more than the price at expiry
  bits how;      ///< of powers
  T spot;
  int expiry[size]; ///< the number of the observation
  int place[size];  ///< in the book, less that of the group's first
  measure on[size];
  T scale[size];               ///< makes the measure of a sum over the times
  T slope[size];               ///< -1 for puts; of digitals, which pay 1, 2 or -2
  T strike[size], least[size]; ///< the payoff is at least that: 0, or minus infinity

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {count, averages, how, this};
  }
};

/// They pay on the way, when they expire.
template <class T>
struct contract_group<T>::payoff_type {
  static constexpr int results = size;
  using early_payoff = void;

  int count;
  bool averages;
  bits how;
  contract_group const* group;

  struct memory {
    int next, due;           ///< contract, and its expiry
    T before;                ///< binary logarithm of the price over the spot
    T sum, log_sum, squares; ///< of price / spot, its logarithms, their squared differences
  };

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(State const&) const {
    return {0, group->expiry[0], T{0}, T{0}, T{0}, T{0}};
  }
  template <class State, class Step, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(memory& seen, State const& path,
                                                           Step const& now, Pay pay) const {
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
      T const difference = group->slope[k] * (measured(seen, price, k) - group->strike[k]);
      T const above = std::abs(group->slope[k]) > 1 ? T{1} : difference;
      pay(group->place[k], difference > group->least[k] ? above : group->least[k]);
      ++seen.next;
      seen.due = seen.next < count ? group->expiry[seen.next] : -1;
    }
  }

private:
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T bounded_power(T x) const {
    return detail::bounded_power_of_two(x, how);
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
