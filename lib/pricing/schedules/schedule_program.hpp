#pragma once
// Products with a schedule as programs that paths run: the same bits on both places.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <cstddef>

namespace warpfold::inline v0::pricing {

/// The parts of a row that mean something.
enum schedule_part : int {
  part_calls = 1,
  part_coupons = 2,
  part_memory = 4,
  part_returns = 8,
  part_extremes = 16
};

/// A date of a program. Levels are of the model's price over its start; payments are discounted.
template <class T>
struct schedule_row {
  struct alignas(4 * sizeof(T)) event {
    int parts, observation;
    T call_level, call_payment, knock_in_level;
  };
  struct alignas(4 * sizeof(T)) coupon {
    T level, amount, discount;
  };
  struct alignas(4 * sizeof(T)) bounded_return {
    T weight, floor, cap;
  };
  event at;
  coupon pays;
  bounded_return adds;
};

/// What a path has of a product.
template <class T>
struct schedule_state {
  T paid, missed, returns, low, high, last;
  bool called, knocked_in;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static schedule_state start() {
    return {T{0}, T{0}, T{0}, T{1}, T{1}, T{1}, false, false};
  }

  /// A date, for a product that was not called.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(schedule_row<T> const& now, T level) {
    int const parts = now.at.parts;
    if (parts & part_extremes) {
      low = level < low ? level : low;
      high = level > high ? level : high;
    }
    if (parts & part_returns) {
      T const change = level / last - T{1};
      T const above = change > now.adds.floor ? change : now.adds.floor;
      returns += now.adds.weight * (above < now.adds.cap ? above : now.adds.cap);
    }
    last = level;
    knocked_in = knocked_in || level < now.at.knock_in_level;
    if (parts & part_coupons) {
      bool const pays = level >= now.pays.level;
      T const due = now.pays.amount + missed;
      paid = pays ? paid + now.pays.discount * due : paid;
      missed = pays || !(parts & part_memory) ? T{0} : due;
    }
    if (parts & part_calls) {
      called = level >= now.at.call_level;
      paid = called ? paid + now.at.call_payment : paid;
    }
  }
};

/// A payment at the end, discounted.
template <class T>
struct schedule_end {
  quantity of, less;
  T amount, participation, strike, floor, cap;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T value(quantity which,
                                                             schedule_state<T> const& path) {
    if (which == quantity::one) return T{1};
    if (which == quantity::level) return path.last;
    if (which == quantity::low) return path.low;
    return which == quantity::high ? path.high : path.returns;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T worth(schedule_state<T> const& path) const {
    T const x = value(of, path) - strike * value(less, path);
    T const above = x > floor ? x : floor;
    return amount + participation * (above < cap ? above : cap);
  }
};

/// A product's ends: not knocked in, and knocked in.
template <class T>
struct schedule_ends {
  schedule_end<T> of[2];
};

/// The price of a model with one asset, over its start.
struct asset_index {
  template <class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto level(State const& path, Step const& now) const {
    using T = decltype(path.log_price);
    constexpr T most = sizeof(T) == 4 ? T(126) : T(1022);
    T log_price = path.log_price;
    if constexpr (requires { now.growth; }) log_price += now.growth;
    return detail::portable_power_of_two(log_price < most ? log_price : most);
  }
};

/// The price that is selected from a basket's, over its start.
template <class T, int capacity>
struct selected_index {
  selection on;
  T weights[capacity]; ///< of prices over spots, in the order of the factor

  template <class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T level(State const& path, Step const& now) const {
    constexpr T most = sizeof(T) == 4 ? T(126) : T(1022);
    T found = T{0};
    bool any = false;
    WARPFOLD_UNROLL
    for (int i = 0; i < capacity; ++i) {
      if (!(weights[i] > 0)) continue;
      T const x = path.log_price[i] + now.growth[i];
      T const price = detail::portable_power_of_two(x < most ? x : most),
              worth = weights[i] * price;
      if (on == selection::weighted_sum) found = std::fma(weights[i], price, found);
      else if (!any || (on == selection::best_of ? worth > found : worth < found)) found = worth;
      any = true;
    }
    return found;
  }
};

/// A group of products: what lies at its beginning. Starts of the products' rows in each window of
/// observations, and the rows, follow.
template <class T, class Index>
struct alignas(4 * sizeof(T)) schedule_group {
  using element = T;
  /// Products, and observations that a path keeps before programs run.
  static constexpr int size = 32, window = 32;

  int count;
  int windows, observations; ///< up to the last that a product looks at
  int starts, rows;          ///< where they begin, in bytes from here
  Index index;
  schedule_ends<T> ends[size];

  template <class What>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE What const* at(int bytes) const {
    return reinterpret_cast<What const*>(reinterpret_cast<std::byte const*>(this) + bytes);
  }

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const { return {count, this}; }
};

/// Programs run when a window is full, one after the other, with a state in registers.
template <class T, class Index>
struct schedule_group<T, Index>::payoff_type {
  static constexpr int results = size;
  using early_payoff = void;

  int count;
  schedule_group const* group;

  struct memory {
    T levels[window];
    schedule_state<T> states[size]; ///< between windows

    WARPFOLD_HOST_DEVICE memory() {} // written before it is read
  };

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(State const&) const {
    return {};
  }
  template <class State, class Step, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(memory& seen, State const& path,
                                                           Step const& now, Pay pay) const {
    int const number = now.observation, within = number % window;
    if (number >= group->observations) return;
    seen.levels[within] = group->index.level(path, now);
    if (within == window - 1 || number == group->observations - 1) run(seen, number / window, pay);
  }

private:
  template <class Pay> // once in a kernel, and not at every step of a chunk
  WARPFOLD_HOST_DEVICE WARPFOLD_NOINLINE void run(memory& seen, int number, Pay pay) const {
    int const windows = group->windows;
    auto const* const starts = group->template at<int>(group->starts);
    auto const* const rows = group->template at<schedule_row<T>>(group->rows);
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < count; ++k) {
      int const* const of = starts + k * (windows + 1);
      int const end = of[number + 1];
      if (of[number] == of[windows]) continue; // it has ended
      auto state = number == 0 ? schedule_state<T>::start() : seen.states[k];
      WARPFOLD_UNROLL_BY(1)
      for (int r = of[number]; r < end && !state.called; ++r)
        state.meet(rows[r], seen.levels[rows[r].at.observation % window]);
      if (end == of[windows]) {
        T const at_end = group->ends[k].of[state.knocked_in ? 1 : 0].worth(state);
        pay(k, state.called ? state.paid : state.paid + at_end);
      } else {
        seen.states[k] = state;
      }
    }
  }
};

} // namespace warpfold::inline v0::pricing
