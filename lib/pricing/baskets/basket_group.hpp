#pragma once
// Contracts on correlated prices as a payoff of a simulation: the same bits on both places unless
// powers are native.

#include "basket_paths.hpp"

#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/pricing/baskets.hpp>

#include <limits>

namespace warpfold::inline v0::pricing {

/// Contracts of a book, in the order of their expiries.
template <class T, int capacity>
struct basket_group {
  using element = T;
  /// As many as a block has shared memory for, of a round's values (below 48 KiB).
  static constexpr int size = sizeof(T) == 4 ? 64 : 32;
  /// Binary logarithms of prices over the spot are cut off there.
  static constexpr T most_growth = detail::most_growth<T>;

  int count;
  bool averages;    ///< some contract looks at more than the prices at expiry
  bits how;         ///< of powers
  int expiry[size]; ///< the number of the observation
  int place[size];  ///< in the book, less that of the group's first
  selection on[size];
  bool averaged[size];         ///< the contract is on sums over the times
  T slope[size];               ///< -1 for puts; of digitals, which pay 1, 2 or -2
  T strike[size], least[size]; ///< the payoff is at least that: 0, or minus infinity
  /// Weights of prices over spots: weight times spot, for sums over the number of times; in the
  /// order of the model's factor. For weighted_product the weights alone, which are exponents.
  T weights[size][capacity];
  T product[size]; ///< weighted_product's at the start

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {count, averages, how, this};
  }
};

/// They pay on the way, when they expire.
template <class T, int capacity>
struct basket_group<T, capacity>::payoff_type {
  static constexpr int results = size;
  using early_payoff = void;
  using path_state = typename basket_model<T, capacity>::state;

  int count;
  bool averages;
  bits how;
  basket_group const* group;

  struct memory {
    int next, due;    ///< contract, and its expiry
    T sums[capacity]; ///< of prices over spots
  };

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(path_state const&) const {
    return {0, group->expiry[0], {}};
  }
  template <class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(memory& seen, path_state const& path,
                                                           basket_step<T, capacity> const& now,
                                                           Pay pay) const {
    if (!averages && seen.due != now.observation) return;
    T prices[capacity]; // over spots
    WARPFOLD_UNROLL
    for (int i = 0; i < capacity; ++i) {
      prices[i] = detail::bounded_power_of_two(path.log_price[i] + now.growth[i], how);
      seen.sums[i] += prices[i];
    }
    while (seen.due == now.observation) {
      int const k = seen.next;
      T const found = group->on[k] == selection::weighted_product ? product(k, path, now)
                                                                  : selected(k, prices, seen.sums);
      T const difference = group->slope[k] * (found - group->strike[k]);
      T const above = std::abs(group->slope[k]) > 1 ? T{1} : difference;
      pay(group->place[k], difference > group->least[k] ? above : group->least[k]);
      ++seen.next;
      seen.due = seen.next < count ? group->expiry[seen.next] : -1;
    }
  }

private:
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T product(int k, path_state const& path,
                                                        basket_step<T, capacity> const& now) const {
    T exponent = 0;
    WARPFOLD_UNROLL
    for (int i = 0; i < capacity; ++i)
      exponent = std::fma(group->weights[k][i], path.log_price[i] + now.growth[i], exponent);
    return group->product[k] * detail::bounded_power_of_two(exponent, how);
  }

  static constexpr T infinite = std::numeric_limits<T>::infinity();

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T selected(int k, T const (&prices)[capacity],
                                                         T const (&sums)[capacity]) const {
    bool const averaged = group->averaged[k];
    selection const on = group->on[k];
    T const* const weights = group->weights[k];
    T found = on == selection::worst_of ? infinite : T{0};
    WARPFOLD_UNROLL
    for (int i = 0; i < capacity; ++i) {
      T const weight = weights[i], price = averaged ? sums[i] : prices[i];
      if (on == selection::weighted_sum) {
        found = std::fma(weight, price, found);
      } else { // weights are not negative, so that 0 is below all others
        T const worth = weight * price;
        bool const takes = on == selection::best_of ? worth > found : weight > 0 && worth < found;
        found = takes ? worth : found;
      }
    }
    return found;
  }
};

} // namespace warpfold::inline v0::pricing
