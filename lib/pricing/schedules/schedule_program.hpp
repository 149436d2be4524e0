#pragma once
// Products with a schedule as programs that paths run: the same bits on both places.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/detail/random/normals.hpp>
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
  part_extremes = 32,
  /// In every window dates are all observations from its first on, and fill quads.
  part_dense = 64
};

/// Four dates of a program. Levels are binary logarithms of the model's price over its start. Where
/// there are fewer, the last date stands again, with nothing that happens.
template <class T>
struct schedule_quad {
  template <class Number>
  struct alignas(4 * sizeof(Number)) four {
    Number of[4];
  };
  using numbers = four<T>;
  four<int> at;                     ///< numbers of observations in their window
  numbers call_level, call_payment; ///< payments at calls are discounted
  numbers coupon_level, coupon, discount;
  numbers knock_in_level;
  numbers weight, floor, cap; ///< of returns
};

/// 2^x of a level.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T power_of_level(T x) {
  constexpr T most = sizeof(T) == 4 ? T(126) : T(1022);
  return detail::portable_power_of_two(x < most ? x : most);
}

/// What a path has of a product. Levels are binary logarithms.
template <class T>
struct schedule_state {
  using numbers = typename schedule_quad<T>::numbers;

  T paid, missed, returns, low, high, last;
  bool called, knocked_in;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static schedule_state start() {
    return {T{0}, T{0}, T{0}, T{0}, T{0}, T{0}, false, false};
  }

  /// `count` quads of a window, for a product that was not called before. Only coupons have to know
  /// which dates come before a call: all else is for products that are not called.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(int parts, schedule_quad<T> const* quads,
                                                        unsigned count, T const* levels) {
    auto const for_each = [&](auto use) {
      auto const* quad = quads;
      if (parts & part_dense) {
        WARPFOLD_UNROLL_BY(2)
        for (unsigned q = 0; q < count; ++q, ++quad) {
          numbers const now = reinterpret_cast<numbers const*>(levels)[q];
          use(*quad, now.of, 4 * q);
        }
      } else {
        WARPFOLD_UNROLL_BY(1)
        for (unsigned q = 0; q < count; ++q, ++quad) {
          auto const at = quad->at;
          T const now[4] = {levels[at.of[0]], levels[at.of[1]], levels[at.of[2]], levels[at.of[3]]};
          use(*quad, now, 4 * q);
        }
      }
    };
    constexpr unsigned never = ~0U;
    unsigned call = never; // number of the date
    if (parts & part_calls)
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], unsigned number) {
        auto const level = quad.call_level;
        unsigned within = never;
        WARPFOLD_UNROLL
        for (unsigned i = 4; i-- > 0;) within = now[i] >= level.of[i] ? number + i : within;
        call = within < call ? within : call;
      });
    if (parts & part_coupons)
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], unsigned number) {
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
    called = call != never;
    if (called) paid += quads[call / 4].call_payment.of[call % 4];
    last = parts & part_dense ? levels[4 * count - 1] : levels[quads[count - 1].at.of[3]];
    if (!(parts & (part_knock_ins | part_extremes | part_returns))) return;
    if (parts & part_knock_ins)
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], unsigned) {
        auto const level = quad.knock_in_level;
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) knocked_in = knocked_in || now[i] < level.of[i];
      });
    if (parts & part_extremes)
      for_each([&](schedule_quad<T> const&, T const(&now)[4], unsigned) {
        WARPFOLD_UNROLL
        for (int i = 0; i < 4; ++i) {
          low = now[i] < low ? now[i] : low;
          high = now[i] > high ? now[i] : high;
        }
      });
    if (parts & part_returns) {
      for_each([&](schedule_quad<T> const& quad, T const(&now)[4], unsigned) {
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

/// A payment at the end, discounted: amount + participation * x, where x is a sum of a path's
/// quantities with these weights, within bounds.
template <class T>
struct alignas(4 * sizeof(T)) schedule_end {
  T one, level, low, high, returns; ///< weights
  T floor, cap, participation, amount;

  /// `seen` is a level of which the power is known.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T worth(schedule_state<T> const& path, T seen,
                                                      T power) const {
    T x = one;
    if (level != 0) x += level * (path.last == seen ? power : power_of_level(path.last));
    if (low != 0) x += low * power_of_level(path.low);
    if (high != 0) x += high * power_of_level(path.high);
    if (returns != 0) x += returns * path.returns;
    T const above = x > floor ? x : floor;
    return amount + participation * (above < cap ? above : cap);
  }
};

/// A product of a group.
template <class T>
struct alignas(4 * sizeof(T)) schedule_product {
  int parts;             ///< of schedule_part
  T knock_in_level;      ///< at the last date
  schedule_end<T> of[2]; ///< not knocked in, and knocked in

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T worth(schedule_state<T> const& path, T seen,
                                                      T power) const {
    if (path.called) return path.paid;
    bool const knocked_in = path.knocked_in || path.last < knock_in_level;
    return path.paid + of[knocked_in ? 1 : 0].worth(path, seen, power);
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
      return -log2_e * detail::minus_log(split.mantissa - 1, split.exponent);
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

/// A group of products: what lies at its beginning. The pieces of each product, in every window of
/// observations, and the quads follow.
template <class T, class Index>
struct alignas(4 * sizeof(T)) schedule_group {
  using element = T;
  using index_type = Index;
  /// Products, and observations that a path keeps before programs run.
  static constexpr int size = 32, window = 32;

  int count;
  int windows, observations; ///< up to the last that a product looks at
  int quads;                 ///< where they begin, in bytes from here
  Index index;
  schedule_product<T> products[size];

  /// The quads of a product in a window.
  struct alignas(8) piece {
    unsigned first, count;
  };
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE piece piece_of(int product, int number) const {
    return reinterpret_cast<piece const*>(this + 1)[product * windows + number];
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE schedule_quad<T> const* quad(unsigned number) const {
    auto const* const bytes = reinterpret_cast<std::byte const*>(this) + quads;
    return reinterpret_cast<schedule_quad<T> const*>(bytes) + number;
  }

  struct payoff_type;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE payoff_type payoff() const {
    return {count, observations, this};
  }
};

/// Programs run when a window is full and at the end, one after the other, with a state in
/// registers. They pay at the end.
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
    int const number = now.observation, within = number % window;
    if (number >= observations) return;
    seen.levels[within] = group->index.level(path, now);
    if (within == window - 1 && number + 1 < observations) run(group, count, seen, number / window);
  }
  template <class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void finish(memory& seen, Pay pay) const {
    int const number = (observations - 1) / window, all = count;
    auto const* const here = group; // not loaded again after each payment
    T const last = seen.levels[(observations - 1) % window], power = power_of_level(last);
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < all; ++k)
      pay(k, here->products[k].worth(state_after(*here, seen, k, number), last, power));
  }

private:
  /// The state of product k after a window.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static schedule_state<T>
  state_after(schedule_group const& group, memory const& seen, int k, int number) {
    auto const piece = group.piece_of(k, number);
    auto state = number == 0 ? schedule_state<T>::start() : seen.states[k];
    if (piece.count > 0 && !state.called)
      state.meet(group.products[k].parts, group.quad(piece.first), piece.count, seen.levels);
    return state;
  }
  // Once in a kernel, and not at every step of a chunk.
  WARPFOLD_HOST_DEVICE WARPFOLD_NOINLINE static void run(schedule_group const* group, int count,
                                                         memory& seen, int number) {
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < count; ++k) seen.states[k] = state_after(*group, seen, k, number);
  }
};

} // namespace warpfold::inline v0::pricing
