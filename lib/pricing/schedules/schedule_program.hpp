#pragma once
// Products with a schedule as programs that paths run: the same bits on both places.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <cstddef>

namespace warpfold::inline v0::pricing {

/// Passes over a program's rows.
enum schedule_part : int {
  part_calls = 1,
  part_coupons = 2,
  part_memory = 4, ///< coupons pay missed ones, too
  part_knock_ins = 8,
  part_returns = 16,
  part_extremes = 32
};

/// Four dates of a program. Levels are of the model's price over its start. Where there are fewer,
/// the last date stands again, with nothing that happens.
template <class T>
struct schedule_quad {
  template <class Number>
  struct alignas(4 * sizeof(Number)) four {
    Number of[4];
  };
  four<int> at;                     ///< numbers of observations in their window
  four<T> call_level, call_payment; ///< payments at calls are discounted
  four<T> coupon_level, coupon, discount;
  four<T> knock_in_level;
  four<T> weight, floor, cap; ///< of returns
};

/// What a path has of a product.
template <class T>
struct schedule_state {
  T paid, missed, returns, low, high, last;
  bool called, knocked_in;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static schedule_state start() {
    return {T{0}, T{0}, T{0}, T{1}, T{1}, T{1}, false, false};
  }

  /// Dates of a window, for a product that was not called before. Only coupons have to know which
  /// dates come before a call: all else is for products that are not called.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(int parts, schedule_quad<T> const* first,
                                                        schedule_quad<T> const* last_quad,
                                                        T const* levels) {
    auto const for_each = [&](auto use) {
      WARPFOLD_UNROLL_BY(1)
      for (auto const* quad = first; quad != last_quad; ++quad) {
        auto const at = quad->at;
        typename schedule_quad<T>::template four<T> const now{
            {levels[at.of[0]], levels[at.of[1]], levels[at.of[2]], levels[at.of[3]]}};
        use(*quad, now.of, 4 * static_cast<int>(quad - first));
      }
    };
    constexpr int never = 0x7fffffff;
    int call = never; // number of the date
    if (parts & part_calls)
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], int number) {
        auto const level = quad.call_level;
        int const within = now[0] >= level.of[0]   ? 0
                           : now[1] >= level.of[1] ? 1
                           : now[2] >= level.of[2] ? 2
                           : now[3] >= level.of[3] ? 3
                                                   : never;
        call = call == never && within != never ? number + within : call;
      });
    if (parts & part_coupons)
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], int number) {
        auto const level = quad.coupon_level, coupon = quad.coupon, discount = quad.discount;
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) {
          bool const pays = now[i] >= level.of[i] && number + i <= call;
          T const due = coupon.of[i] + missed;
          paid = pays ? paid + discount.of[i] * due : paid;
          missed = pays || !(parts & part_memory) ? T{0} : due;
        }
      });
    called = call != never;
    if (called) paid += first[call / 4].call_payment.of[call % 4];
    if (parts & part_knock_ins)
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], int) {
        auto const level = quad.knock_in_level;
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) knocked_in = knocked_in || now[i] < level.of[i];
      });
    if (parts & part_extremes)
      for_each([&](schedule_quad<T> const&, T const(&now)[4], int) {
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) {
          low = now[i] < low ? now[i] : low;
          high = now[i] > high ? now[i] : high;
        }
      });
    if (parts & part_returns)
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], int) {
        auto const weight = quad.weight, floor = quad.floor, cap = quad.cap;
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) {
          T const change = now[i] / last - T{1};
          T const above = change > floor.of[i] ? change : floor.of[i];
          returns += weight.of[i] * (above < cap.of[i] ? above : cap.of[i]);
          last = now[i];
        }
      });
    last = levels[last_quad[-1].at.of[3]];
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

/// A group of products: what lies at its beginning. Starts of the products' quads in each window of
/// observations, and the quads, follow.
template <class T, class Index>
struct alignas(4 * sizeof(T)) schedule_group {
  using element = T;
  using index_type = Index;
  /// Products, and observations that a path keeps before programs run.
  static constexpr int size = 32, window = 32;

  int count;
  int windows, observations; ///< up to the last that a product looks at
  int starts, quads;         ///< where they begin, in bytes from here
  Index index;
  int parts[size];             ///< of the products
  T knock_in_level[size];      ///< at the last date
  schedule_ends<T> ends[size]; ///< payments then

  template <class What>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE What const* at(int bytes) const {
    return reinterpret_cast<What const*>(reinterpret_cast<std::byte const*>(this) + bytes);
  }

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {count, observations, this};
  }
};

/// Programs run when a window is full, one after the other, with a state in registers.
template <class T, class Index>
struct schedule_group<T, Index>::payoff_type {
  static constexpr int results = size;
  using early_payoff = void;

  int count, observations;
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
    if (number >= observations) return;
    seen.levels[within] = group->index.level(path, now);
    if (within == window - 1 || number == observations - 1) run(seen, number / window, pay);
  }

private:
  template <class Pay> // once in a kernel, and not at every step of a chunk
  WARPFOLD_HOST_DEVICE WARPFOLD_NOINLINE void run(memory& seen, int number, Pay pay) const {
    int const windows = group->windows;
    auto const* const starts = group->template at<int>(group->starts);
    auto const* const quads = group->template at<schedule_quad<T>>(group->quads);
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < count; ++k) {
      int const* const of = starts + k * (windows + 1);
      int const first = of[number], last = of[number + 1], end = of[windows];
      if (first == end) continue; // it has ended
      auto state = number == 0 ? schedule_state<T>::start() : seen.states[k];
      if (first != last && !state.called)
        state.meet(group->parts[k], quads + first, quads + last, seen.levels);
      if (last == end) {
        bool const knocked_in = state.knocked_in || state.last < group->knock_in_level[k];
        T const at_end = group->ends[k].of[knocked_in ? 1 : 0].worth(state);
        pay(k, state.called ? state.paid : state.paid + at_end);
      } else {
        seen.states[k] = state;
      }
    }
  }
};

} // namespace warpfold::inline v0::pricing
