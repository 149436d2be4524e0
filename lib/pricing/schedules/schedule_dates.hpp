#pragma once
// The dates of a product with a schedule, as paths look at them.

#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/detail/reduction/arithmetic.hpp>

#include <cstdint>
#include <limits>

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

/// The logarithm of a level of 0, which every path reaches.
template <class T>
inline constexpr T lowest_level = -std::numeric_limits<T>::max();

/// 2^x of a level.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T power_of_level(T x) {
  return detail::bounded_power_of_two(x);
}

/// Finds the first date in a window whose level a path reaches, by signs of differences: two
/// instructions a date.
template <class T>
struct call_search {
  static constexpr unsigned never = 32;

  std::uint32_t below = 0; ///< a bit for each date, the last one's is the lowest

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void look(schedule_quad<T> const& quad,
                                                        T const (&now)[4]) {
    auto const level = quad.call_level;
    WARPFOLD_UNROLL
    for (int i = 0; i < 4; ++i)
      below = below << 1 | static_cast<std::uint32_t>(
                               __builtin_bit_cast(detail::bits_of<T>, now[i] - level.of[i]) >>
                               (8 * sizeof(T) - 1));
  }
  /// The number of the date, of those of 1 to 8 quads, or `never`.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE unsigned first(unsigned quads) const {
    return static_cast<unsigned>(31 - detail::last_of(~below << (32 - 4 * quads)));
  }
};

/// The dates of a product in a window, and the path's levels there.
template <class T>
struct schedule_view {
  using numbers = typename schedule_quad<T>::numbers;

  schedule_quad<T> const* quads;
  unsigned count; ///< of quads; last() and payment() need one
  T const* levels;

  /// Calls use(quad, levels at its dates, number of the first of them) for all quads.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void for_each(int parts, Use use) const {
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
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T last(int parts) const {
    return levels[parts & part_dense ? 4 * count - 1
                                     : static_cast<unsigned>(quads[count - 1].at.of[3])];
  }
  /// What a call at that date pays.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T payment(unsigned call) const {
    return quads[call / 4].call_payment.of[call % 4];
  }
};

} // namespace warpfold::inline v0::pricing
