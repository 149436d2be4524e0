#pragma once
// Products with a schedule as programs that paths run: the same bits on both places.

#include "schedule_dates.hpp"

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/detail/random/normals.hpp>
#include <warpfold/pricing/schedules.hpp>

#include <cstddef>

namespace warpfold::inline v0::pricing {

/// What a path has of a product. Levels are binary logarithms.
template <class T>
struct schedule_state {
  T paid, missed, returns, low, high, last;
  bool called, knocked_in;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static schedule_state start() {
    return {T{0}, T{0}, T{0}, T{0}, T{0}, T{0}, false, false};
  }

  /// Copies the fields that products of these parts use; the others keep their values.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void copy(int parts, schedule_state const& from) {
    last = from.last;
    called = from.called;
    if (parts & (part_calls | part_coupons)) paid = from.paid;
    if (parts & part_memory) missed = from.missed;
    if (parts & part_knock_ins) knocked_in = from.knocked_in;
    if (parts & part_returns) returns = from.returns;
    if (parts & part_extremes) {
      low = from.low;
      high = from.high;
    }
  }
  /// The dates of a window, for a product that was not called before. Only coupons have to know
  /// which dates come before a call: all else is for products that are not called.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(int parts, schedule_view<T> const& dates) {
    using quad_type = schedule_quad<T>;
    unsigned call = call_search<T>::never;
    if (parts & part_calls) {
      call_search<T> search;
      dates.for_each(parts, [&](quad_type const& quad, T const(&now)[4], unsigned) {
        search.look(quad, now);
      });
      call = search.first(dates.count);
    }
    if (parts & part_coupons)
      dates.for_each(parts, [&](quad_type const& quad, T const(&now)[4], unsigned number) {
        auto const level = quad.coupon_level, coupon = quad.coupon, discount = quad.discount;
        WARPFOLD_UNROLL
        for (unsigned i = 0; i < 4; ++i) {
          bool const pays = now[i] >= level.of[i] && number + i <= call;
          T const due = coupon.of[i] + missed;
          paid = pays ? paid + discount.of[i] * due : paid;
          missed = pays || !(parts & part_memory) ? T{0} : due;
        }
      });
    T before = last;
    called = call != call_search<T>::never;
    if (called) paid += dates.payment(call);
    last = dates.last(parts);
    if (!(parts & (part_knock_ins | part_extremes | part_returns))) return;
    if (parts & part_knock_ins)
      dates.for_each(parts, [&](quad_type const& quad, T const(&now)[4], unsigned) {
        auto const level = quad.knock_in_level;
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) knocked_in = knocked_in || now[i] < level.of[i];
      });
    if (parts & part_extremes)
      dates.for_each(parts, [&](quad_type const&, T const(&now)[4], unsigned) {
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) {
          low = now[i] < low ? now[i] : low;
          high = now[i] > high ? now[i] : high;
        }
      });
    if (parts & part_returns) {
      dates.for_each(parts, [&](quad_type const& quad, T const(&now)[4], unsigned) {
        auto const weight = quad.weight, floor = quad.floor, cap = quad.cap;
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) {
          T const change = power_of_level(now[i] - before) - T{1};
          T const above = change > floor.of[i] ? change : floor.of[i];
          returns += weight.of[i] * (above < cap.of[i] ? above : cap.of[i]);
          before = now[i];
        }
      });
    }
  }
};

/// The path's last level and its power, which most products need.
template <class T>
struct known_power {
  T level, power;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T of(T x) const {
    return x == level ? power : of_another(x);
  }

private:
  WARPFOLD_HOST_DEVICE WARPFOLD_RARE static T of_another(T x) { return power_of_level(x); }
};

/// A payment at the end, discounted: amount + participation * x, where x is a sum of a path's
/// quantities with these weights, within bounds.
template <class T>
struct alignas(4 * sizeof(T)) schedule_end {
  struct alignas(4 * sizeof(T)) { // read at once
    T one, level;                 ///< weights
    T floor, cap;

    WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T bounded(T x) const {
      T const above = x > floor ? x : floor;
      return above < cap ? above : cap;
    }
  } of_last;
  T participation, amount;
  T low, high, returns; ///< weights

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T worth(schedule_state<T> const& path,
                                                      known_power<T> known) const {
    T x = of_last.one;
    if (of_last.level != 0) x += of_last.level * known.of(path.last);
    if (low != 0) x += low * power_of_level(path.low);
    if (high != 0) x += high * power_of_level(path.high);
    if (returns != 0) x += returns * path.returns;
    return amount + participation * of_last.bounded(x);
  }
  /// The worth of a product that looks at its last level alone. `power`: 2^ that level.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T worth_at(T power) const {
    auto const now = of_last;
    return amount + participation * now.bounded(now.one + now.level * power);
  }
};

/// The quads of a product in a window.
struct alignas(8) schedule_piece {
  /// Where they begin, in bytes from the group's beginning: 2^20 dates of 32 products fit.
  unsigned first;
  unsigned count;
};

/// A product of a group.
template <class T>
struct alignas(4 * sizeof(T)) schedule_product {
  static constexpr int most_together = 4;

  short parts; ///< of schedule_part
  /// Plain products from this one on that have the same dates; at most most_together. A plain one
  /// may be called, and else pays for its last level alone, which is in the group's last window.
  short together;
  T knock_in_level;      ///< at the last date
  schedule_piece first;  ///< its dates in the first window
  schedule_end<T> of[2]; ///< not knocked in, and knocked in

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T worth(schedule_state<T> const& path,
                                                      known_power<T> known) const {
    if (path.called) return path.paid;
    bool const knocked_in = path.knocked_in || path.last < knock_in_level;
    return path.paid + of[knocked_in ? 1 : 0].worth(path, known);
  }
};

/// The price of a model with one asset, over its start.
struct asset_index {
  template <class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto level(State const& path, Step const& now) const {
    if constexpr (requires { now.growth; }) return path.log_price + now.growth;
    else return path.log_price;
  }
};

/// The price that is selected from a basket's, over its start.
template <class T, int capacity>
struct selected_index {
  selection on;
  /// Weights of prices over spots, in the order of the factor; but for sums their binary
  /// logarithms, which are infinite where an asset is not selected.
  T weights[capacity];

  template <class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T level(State const& path, Step const& now) const {
    if (on == selection::weighted_sum) {
      T sum{0};
      WARPFOLD_UNROLL
      for (int i = 0; i < capacity; ++i)
        sum += weights[i] * power_of_level(path.log_price[i] + now.growth[i]);
      constexpr T least = sizeof(T) == 4 ? T(0x1p-125) : T(0x1p-1020),
                  log2_e = T(1.4426950408889634);
      auto const split = detail::split_exponent(sum > least ? sum : least);
      // Not -0, of which call_search would see the sign.
      return T{0} - log2_e * detail::minus_log(split.mantissa - 1, split.exponent);
    }
    T found = path.log_price[0] + now.growth[0] + weights[0];
    WARPFOLD_UNROLL
    for (int i = 1; i < capacity; ++i) {
      T const x = path.log_price[i] + now.growth[i] + weights[i];
      found = (on == selection::best_of ? x > found : x < found) ? x : found;
    }
    return found;
  }
};

/// A group of products: what lies at its beginning. The pieces of products in later windows follow
/// it, then the quads.
template <class T, class Index>
struct alignas(4 * sizeof(T)) schedule_group {
  using element = T;
  using index_type = Index;
  /// Products, and observations that a path keeps before programs run.
  static constexpr int size = 32, window = 32;
  static_assert(window == static_cast<int>(call_search<T>::never));

  int count;
  int windows, observations; ///< up to the last that a product looks at
  Index index;
  schedule_product<T> products[size];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE schedule_view<T> dates_of(schedule_piece const& piece,
                                                                        T const* levels) const {
    auto const* const bytes = reinterpret_cast<std::byte const*>(this) + piece.first;
    return {reinterpret_cast<schedule_quad<T> const*>(bytes), piece.count, levels};
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE schedule_piece const& piece_of(int product,
                                                                             int number) const {
    if (number == 0) return products[product].first;
    return reinterpret_cast<schedule_piece const*>(this + 1)[product * (windows - 1) + number - 1];
  }

  /// Sets the dates in a window, and the number of the one that calls or never, of `many` plain
  /// products from number k on. They have the same dates, so that levels are read once for all.
  template <int many>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void find_calls(int k, int number, T const* levels,
                                                              schedule_view<T> (&dates)[many],
                                                              unsigned (&call)[many]) const {
    WARPFOLD_UNROLL
    for (int i = 0; i < many; ++i) {
      dates[i] = dates_of(piece_of(k + i, number), levels);
      call[i] = call_search<T>::never;
    }
    if (dates[0].count == 0) return;
    call_search<T> search[many];
    dates[0].for_each(products[k].parts,
                      [&](schedule_quad<T> const&, T const(&now)[4], unsigned first) {
                        WARPFOLD_UNROLL
                        for (int i = 0; i < many; ++i)
                          search[i].look(dates[i].quads[first / 4], now);
                      });
    WARPFOLD_UNROLL
    for (int i = 0; i < many; ++i) call[i] = search[i].first(dates[0].count);
  }

  /// Calls plain.operator()<many>(k) for plain products k ... k + many - 1, which have the same
  /// dates, and other(k) for every other one, of the first `all`.
  template <class Plain, class Other>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void for_each_product(int all, Plain plain,
                                                                    Other other) const {
    constexpr int most = schedule_product<T>::most_together;
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < all;) {
      int const together = products[k].together;
      if (together == most) {
        plain.template operator()<most>(k);
        k += most;
        continue;
      }
      if (together > 0) plain.template operator()<1>(k);
      else other(k);
      ++k;
    }
  }

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {count, observations, this};
  }
};

/// Programs run when a window is full and at the end, one after the other. A program has its state
/// in registers; plain products keep only whether they were called. All pay at the end.
template <class T, class Index>
struct schedule_group<T, Index>::payoff_type {
  static constexpr int results = size;
  using early_payoff = void;

  int count, observations;
  schedule_group const* group;

  struct memory {
    alignas(4 * sizeof(T)) T levels[window];
    schedule_state<T> states[size]; ///< between windows

    WARPFOLD_HOST_DEVICE memory() {} // written before it is read
  };

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(State const&) const {
    return {};
  }
  template <class State, class Step, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(memory& seen, State const& path,
                                                           Step const& now, Pay) const {
    observe_and(seen, path, now, [&](int number) { run(group, count, seen, number); });
  }
  /// Keeps a path's level. Calls run(number) if that fills a window which is not the last.
  template <class State, class Step, class Run>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  observe_and(memory& seen, State const& path, Step const& now, Run run_programs) const {
    int const number = now.observation, within = number % window;
    if (number >= observations) return;
    // Minus infinity, or no number, becomes the lowest one; infinity is refused with a forward.
    T const level = group->index.level(path, now);
    seen.levels[within] = level > lowest_level<T> ? level : lowest_level<T>;
    if (within == window - 1 && number + 1 < observations) run_programs(number / window);
  }
  /// Runs all programs on a window that is not the last.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void
  run_window(schedule_group const& group, int count, memory& seen, int number) {
    auto const keep_calls = [&]<int many>(int k) {
      schedule_view<T> dates[many];
      unsigned call[many];
      group.template find_calls<many>(k, number, seen.levels, dates, call);
      WARPFOLD_UNROLL
      for (int i = 0; i < many; ++i) {
        auto& state = seen.states[k + i];
        bool const before = number > 0 && state.called, now = call[i] != call_search<T>::never;
        if (now && !before) state.paid = dates[i].payment(call[i]);
        state.called = before || now;
      }
    };
    group.for_each_product(count, keep_calls, [&](int k) {
      seen.states[k].copy(group.products[k].parts, state_after(group, seen, k, number));
    });
  }
  template <class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void finish(memory& seen, Pay pay) const {
    int const number = (observations - 1) / window;
    auto const* const here = group; // not loaded again after each payment
    T const last = seen.levels[(observations - 1) % window];
    known_power<T> const known{last, power_of_level(last)};
    auto const pay_plain = [&]<int many>(int k) {
      schedule_view<T> dates[many];
      unsigned call[many];
      here->template find_calls<many>(k, number, seen.levels, dates, call);
      T const own = dates[0].last(here->products[k].parts), power = known.of(own);
      T worth[many];
      WARPFOLD_UNROLL
      for (int i = 0; i < many; ++i) {
        auto const& product = here->products[k + i];
        auto const& end = product.of[own < product.knock_in_level ? 1 : 0];
        if (number > 0 && seen.states[k + i].called) worth[i] = seen.states[k + i].paid;
        else if (call[i] != call_search<T>::never) worth[i] = dates[i].payment(call[i]);
        else worth[i] = end.worth_at(power);
      }
      WARPFOLD_UNROLL
      for (int i = 0; i < many; ++i) pay(k + i, worth[i]); // after all loads
    };
    here->for_each_product(count, pay_plain, [&](int k) {
      pay(k, here->products[k].worth(state_after(*here, seen, k, number), known));
    });
  }

private:
  /// The state of product k after a window.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static schedule_state<T>
  state_after(schedule_group const& group, memory const& seen, int k, int number) {
    int const parts = group.products[k].parts;
    auto const dates = group.dates_of(group.piece_of(k, number), seen.levels);
    auto state = schedule_state<T>::start();
    if (number > 0) state.copy(parts, seen.states[k]);
    if (dates.count > 0 && !state.called) state.meet(parts, dates);
    return state;
  }
  // Once in a kernel, and not at every step of a chunk.
  WARPFOLD_HOST_DEVICE WARPFOLD_NOINLINE static void run(schedule_group const* group, int count,
                                                         memory& seen, int number) {
    run_window(*group, count, seen, number);
  }
};

} // namespace warpfold::inline v0::pricing
