#pragma once
// A unit whose thread has the frequencies k and k' that make two modes: for periodic axes and types
// 2, 3 and 4.

#include "axis.hpp"
#include "division.hpp"
#include "memory.hpp"
#include "paired_line.hpp"

#include <type_traits>

namespace warpfold::inline v0::poisson {

/// Length numbers, two halves of Points in every thread; so many units a block, of which Beside go
/// to neighbouring threads. Keeps: factors and what modes are multiplied by are in registers before
/// a kernel's turn.
template <class T, unit_kind Kind, int Length, int Points, int Units, int Beside,
          bool Keeps = false>
struct paired_shape {
  using number = T;
  using keeping_nothing = paired_shape<T, Kind, Length, Points, Units, Beside>;
  static constexpr unit_kind kind = Kind;
  static constexpr bool tilted = Kind == unit_kind::fourth;
  static constexpr bool folded = Kind == unit_kind::second || tilted, keeps = Keeps;
  static_assert(!keeps || Kind == unit_kind::fourier);
  static constexpr int length = Length, points = Points, units = Units, beside = Beside;
  static constexpr int per_line = Length / (2 * Points), threads = per_line * Units;
  /// A second stage of twice the radix, where the last one would have one of 2 without.
  static constexpr bool is_wide = Length >= 4 * Points * Points &&
                                  stages<Length, Points>::radix(stages<Length, Points>::last) == 2;
  /// Two of them, where that saves a stage: double 2048^2, 72 us instead of 95. (float 16384^2:
  /// 2864 instead of 2727.) The points of folded lines come in pairs, which a first stage of twice
  /// the radix does not have.
  static constexpr bool is_wide_twice =
      Kind == unit_kind::fourier && Points == 8 && Length == 4 * Points * Points * Points;
  using together = stages<Length, Points, is_wide_twice ? 3 : is_wide ? 2 : 0>;
  static constexpr bool is_split = !folded && !together::is_wide(0) && Beside > 1 &&
                                   (Points * sizeof(T) >= 64 || (Beside >= 8 && !keeps));
  using digits =
      stages<Length, Points, together::wide, is_split ? odds_for<T, together>(Beside) : 0>;
  static constexpr int line = line_size<T, digits>(Beside);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * Units;
};

template <class Shape>
struct paired_core {
  using shape = Shape;
  using keeping_nothing = paired_core<typename Shape::keeping_nothing>;
  using T = typename Shape::number;
  using unit_type = paired_line<Shape>;
  /// Butterflies tilt the points of type 4; the factors add what a half's first point has.
  using transform = transform_of<unit_type, Shape::tilted>;
  static constexpr bool is_pruned = false, is_third = Shape::kind == unit_kind::third;
  static constexpr bool is_periodic = Shape::kind == unit_kind::fourier;
  static constexpr int length = Shape::length, points = Shape::points;
  static constexpr int radix = unit_type::last_radix, stride = unit_type::last_stride;
  static constexpr int butterflies = unit_type::butterflies;
  /// True if a thread has neighbouring points.
  static constexpr bool takes_two = !is_third && !unit_type::digits::is_wide(0);
  /// True if neighbouring threads load slots together, in tiles of so many units.
  template <int Tile>
  static constexpr bool
      loads_together = sizeof(complex_pair<T>) == 32 && Tile >= 4 && Shape::threads % 32 == 0;

  unit_type unit;
  unit_axis<T> const& axis;
  complex<T> v[2][points];
  two<T> kept[Shape::keeps ? points : 1]; ///< what modes are multiplied by
  /// Periodic: both of the unit's lines have one eigenvalue across, and frequencies are divided and
  /// passed on as they are. Known when a kernel runs.
  bool is_plain = false;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE paired_core(unit_axis<T> const& of,
                                                          complex<T>* shared, int rank)
      : unit{.factors = of.factors, .shared = shared, .rank = rank, .tilts = of.tilts}, axis{of} {}

  /// Numbers of a line that is not there.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void clear() {
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) v[0][i] = v[1][i] = {0, 0};
  }
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forward(Block const& block) {
    transform::forward(block, unit, v);
  }
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void inverse(Block const& block) {
    transform::inverse(block, unit, v);
  }

  /// Reads and computes what is kept.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void keep_factors() { transform::keep(unit); }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  keep_quotients(unit_symbol<T> const& symbol, complex<T> across, bool removes_first) {
    WARPFOLD_UNROLL
    for (int n = 0; n < points; ++n) kept[n] = read_quotients(symbol, across, removes_first, n);
    WARPFOLD_UNROLL
    for (int n = 0; n < points; ++n) {
      pin(kept[n].first);
      if (n == 0) pin(kept[n].second);
      else kept[n].second = kept[n].first;
    }
  }

  /// Touches the axis' factors and turns and, if there is one, the symbol's table.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void touch_tables(complex<T> const* along,
                                                                T& sum) const {
    transform::touch_factors(unit, sum);
    if constexpr (Shape::kind != unit_kind::fourier) {
      WARPFOLD_UNROLL
      for (int c = 0; c < 2 * butterflies; ++c)
        touch(axis.turns + c * Shape::per_line + unit.rank, sum);
    }
    if (along) {
      WARPFOLD_UNROLL
      for (int i = 0; i < points; ++i) touch(along + i * Shape::per_line + unit.rank, sum);
    }
  }

  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_points(Memory const& memory) {
    if constexpr (unit_type::digits::is_wide(0)) {
      each_point(memory, [&](auto* from, auto by, int j, complex<T>& point) {
        point = memory.template get<by>(from, j);
      });
      return;
    }
    each_points(memory, [&](auto* from, auto by, int j, complex<T>& even, complex<T>& odd) {
      two<T> const got = memory.template get_two<by>(from, j);
      even = got.first;
      odd = got.second;
    });
    if constexpr (unit_type::is_folded) turn_odd();
  }
  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_points(Memory const& memory, T less) {
    if constexpr (unit_type::is_folded) turn_odd();
    complex<T> const both{less, less};
    if constexpr (unit_type::digits::is_wide(0)) {
      each_point(memory, [&](auto* to, auto by, int j, complex<T> point) {
        memory.template put<by>(to, j, point - both);
      });
      return;
    }
    each_points(memory, [&](auto* to, auto by, int j, complex<T>& even, complex<T>& odd) {
      memory.template put_two<by>(to, j, {even - both, odd - both});
    });
  }

  /// Fetches what the loads of columns will read.
  template <detail::thread_block Block, class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void fetch(Block const& block, Memory const& memory) {
    if constexpr (is_third)
      each_single(memory, [&](auto* from, complex<T>&) { block.prefetch(from); });
    else if constexpr (!takes_two)
      each_point(memory, [&](auto* from, auto by, int j, complex<T>&) {
        block.prefetch(memory.template moved<by>(from, j));
      });
    else
      each_points(memory, [&](auto* from, auto by, int j, complex<T>&, complex<T>&) {
        block.prefetch(memory.template moved<by>(from, j));
      });
  }

  /// Modes to frequencies.
  template <detail::thread_block Block, class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_modes(Block const& block,
                                                              Memory const& memory) {
    if constexpr (Memory::has_slots) {
      each_run([&](int k, int side, int begin) {
        slot_reader<loads_together<Memory::beside>, T, Memory, Block> const from{block, memory,
                                                                                 memory.slot(k)};
        WARPFOLD_UNROLL
        for (int i = 0; i < radix / 2; ++i) {
          two<T> const got = from.template get<stride>(i);
          v[side][begin + i] = got.first;
          v[1 - side][begin + radix - 1 - i] = got.second;
        }
      });
    } else {
      each_single(memory,
                  [&](auto* from, complex<T>& mode) { mode = memory.template get<0>(from, 0); });
    }
    if (!passes_frequencies()) pairs<false, true>([](int, complex<T>&, complex<T>&) {});
    unit.restore(v);
  }
  /// Frequencies to modes.
  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_modes(Memory const& memory) {
    unit.arrange(v);
    if (passes_frequencies())
      each_pair([](int, complex<T>& a, complex<T>& b) { // as modes, of twice the size
        a = T(2) * a;
        b = T(2) * b;
      });
    else pairs<true, false>([](int, complex<T>&, complex<T>&) {});
    if constexpr (Memory::has_slots) {
      each_run([&](int k, int side, int begin) {
        auto* const to = memory.slot(k);
        WARPFOLD_UNROLL
        for (int i = 0; i < radix / 2; ++i)
          memory.template put_slot<stride>(
              to, i, {v[side][begin + i], v[1 - side][begin + radix - 1 - i]});
      });
    } else {
      each_single(memory, [&](auto* to, complex<T>& mode) { memory.template put<0>(to, 0, mode); });
    }
  }

  /// Frequencies to those of the solution.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide(unit_symbol<T> const& symbol,
                                                          complex<T> across, bool has_first,
                                                          bool removes_first, std::size_t batch) {
    if constexpr (!Shape::keeps) unit.forget_tables();
    unit.arrange(v);
    if (passes_frequencies()) {
      each_pair([&](int n, complex<T>& a, complex<T>& b) {
        auto const along = load_constant(symbol.along + n * Shape::per_line + unit.rank);
        T const first = quotient(T(2), across.re + along.re);
        a = first * a;
        b = (n == 0 ? quotient(T(2), across.re + along.im) : first) * b;
      });
      unit.restore(v);
      return;
    }
    pairs<true, true>([&](int n, complex<T>& a, complex<T>& b) {
      bool const is_first = n == 0 && has_first && unit.rank == 0;
      if (is_first && symbol.removed_mean)
        symbol.removed_mean[batch] = removes_first ? symbol.mean_scale * a.re : T(0);
      scale_two(a, b,
                Shape::keeps ? kept[Shape::keeps ? n : 0]
                             : read_quotients(symbol, across, has_first && removes_first, n));
    });
    unit.restore(v);
  }
  /// The points of type 3 are its modes.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide_points(unit_symbol<T> const& symbol,
                                                                 complex<T> across) {
    unit.forget_tables();
    // N = 8192, float: 623 us with the addresses of the first transform kept, 617 without; 16384
    // 3102 and 3010. Shorter ones and doubles gained nothing.
    if constexpr (length >= 8192 && sizeof(T) == sizeof(float)) forget(unit.rank);
    WARPFOLD_UNROLL
    for (int j = 0; j < points; ++j) {
      auto const along = load_constant(symbol.along + j * Shape::per_line + unit.rank);
      scale_two(v[0][j], v[1][j], quotients_of<false>(across, along, false));
    }
  }

  /// Calls use(number, two frequencies that sum up to the length, or 0 and its half).
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_pair(Use use) {
    WARPFOLD_UNROLL
    for (int n = 0; n < points; ++n) {
      int const c = n / (radix / 2), i = n % (radix / 2), side = c / butterflies;
      int const begin = c % butterflies * radix;
      use(n, v[side][begin + i], v[1 - side][begin + radix - 1 - i]);
    }
  }

private:
  /// For pair n of a thread. Frequencies k and -k have the same eigenvalue; 0 and half the length
  /// have not.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T>
  read_quotients(unit_symbol<T> const& symbol, complex<T> across, bool removes_first, int n) const {
    auto const along = load_table<Shape::keeps>(symbol.along + n * Shape::per_line + unit.rank);
    if (Shape::kind == unit_kind::fourier && n != 0)
      return quotients_of<true>(across, along, false);
    return quotients_of<false>(across, along, n == 0 && removes_first && unit.rank == 0);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool passes_frequencies() const {
    return Shape::kind == unit_kind::fourier && is_plain;
  }
  /// Calls use(from, by, number, an even point, the next one).
  template <class Memory, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_points(Memory const& memory, Use use) {
    constexpr int halves = unit_type::halves;
    WARPFOLD_UNROLL
    for (int side = 0; side < halves; ++side) {
      auto* const from = memory.at(2 * unit.first_point(side));
      WARPFOLD_UNROLL
      for (int j = 0; j < points / halves; ++j)
        use(from, std::integral_constant<int, 2 * unit_type::apart>{}, j, v[side][j],
            v[1 - side][unit_type::is_folded ? points - 1 - j : j]);
    }
  }
  /// Calls use(from, by, number, point) where the first stage is wide.
  template <class Memory, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_point(Memory const& memory, Use use) {
    auto* const from = memory.at(unit.rank);
    WARPFOLD_UNROLL
    for (int j = 0; j < 2 * points; ++j)
      use(from, std::integral_constant<int, unit_type::digits::stride(0)>{}, j,
          v[j / points][j % points]);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void turn_odd() {
    WARPFOLD_UNROLL
    for (int j = points / 2; j < points; ++j) {
      v[0][j] = axis.odd * v[0][j];
      v[1][j] = axis.odd * v[1][j];
    }
  }
  /// Calls use(frequency, half, where) for the first number of each butterfly.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_run(Use use) {
    WARPFOLD_UNROLL
    for (int c = 0; c < 2 * butterflies; ++c) {
      int const side = c / butterflies, b = c % butterflies;
      use(unit.frequency(side, b), side, b * radix);
    }
  }
  /// Calls use(where, mode) for modes k and length - k of a line (type 4: length - 1 - k), or the
  /// same from its end.
  template <class Memory, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_single(Memory const& memory, Use use) {
    // Known when a kernel runs: two loops would make its code twice as long.
    bool const reversed = axis.is_reversed;
    int const step = reversed ? -stride : stride;
    each_run([&](int k, int side, int begin) {
      auto* const from = memory.at(reversed ? length - 1 - k : k);
      auto* const opposite = memory.at(reversed ? k - 1 : length - unit_type::shift - k);
      WARPFOLD_UNROLL
      for (int i = 0; i < radix / 2; ++i) {
        use(memory.further(from, i * step), v[side][begin + i]);
        auto& other = v[1 - side][begin + radix - 1 - i];
        bool const is_own = side == 0 && begin == 0 && i == 0 && unit.has_own();
        use(is_own ? memory.at(length / 2 - reversed) : memory.further(opposite, -i * step), other);
      }
    });
  }

  /// Calls middle(number, mode, mode) for the modes of each slot: To makes them of frequencies, and
  /// Back makes frequencies of them, times 2.
  template <bool To, bool Back, class Middle>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void pairs(Middle middle) {
    constexpr bool turns = Shape::kind != unit_kind::fourier;
    constexpr T root = T(1.4142135623730950488);
    WARPFOLD_UNROLL
    for (int c = 0; c < 2 * butterflies; ++c) {
      int const side = c / butterflies, begin = c % butterflies * radix;
      complex<T> first{1, 0};
      if constexpr (turns) first = load_constant(axis.turns + c * Shape::per_line + unit.rank);
      WARPFOLD_UNROLL
      for (int i = 0; i < radix / 2; ++i) {
        int const n = c * (radix / 2) + i;
        auto const turn = i == 0 ? first : first * half_turn<T>(i, 2 * radix);
        auto &a = v[side][begin + i], &b = v[1 - side][begin + radix - 1 - i];
        if (n == 0 && unit.has_own()) {
          if constexpr (To) {
            a = T(2) * a;
            b = (turns ? root : T(2)) * b;
          }
          middle(n, a, b);
          if constexpr (Back && turns) b = root * b;
          continue;
        }
        if constexpr (To) {
          if constexpr (turns) {
            a = a * turn;
            b = b * conj(turn);
          }
          auto const difference = a - b;
          a = a + b;
          b = quarter_turned<true>(difference);
        }
        middle(n, a, b);
        if constexpr (Back) {
          auto const difference = quarter_turned<false>(b);
          b = a - difference;
          a = a + difference;
          if constexpr (turns) {
            a = a * conj(turn);
            b = b * turn;
          }
        }
      }
    }
  }
};

} // namespace warpfold::inline v0::poisson
