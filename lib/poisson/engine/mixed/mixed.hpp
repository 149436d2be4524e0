#pragma once
// A unit of any length with factors 2, 3, 5 and 7, an even one: for periodic axes and types 2 and
// 4. It has the face of paired_core. A thread's positions are rank + m * per_line, and so are its
// frequencies. Points of type 2 and 4 come in pairs of neighbours, and modes in pairs of opposite
// frequencies: one half of them is exchanged with the thread that has their counterparts.

#include "mixed_stages.hpp"
#include "poisson/engine/axis.hpp"
#include "poisson/engine/division.hpp"
#include "poisson/engine/memory.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// So many units a block, of which Beside go to neighbouring threads; Blocks of a multiprocessor.
/// Tile: rows of a tile, at most. Points that are a multiple of them apart are found by one step.
template <class T, unit_kind Kind, class Stages, int Units, int Beside, int Blocks, int Tile = 4>
struct mixed_shape {
  using number = T;
  using digits = Stages;
  static constexpr unit_kind kind = Kind;
  static constexpr bool tilted = Kind == unit_kind::fourth;
  static constexpr bool folded = Kind == unit_kind::second || tilted, keeps = false;
  static_assert(folded || Kind == unit_kind::fourier);
  static constexpr int length = Stages::length, points = Stages::points, units = Units,
                       beside = Beside, blocks = Blocks;
  static constexpr int per_line = length / (2 * points), threads = per_line * Units;
  static constexpr int line = line_size<T>(Stages::padded(length - 1), Beside);
  static constexpr int tile = Tile;
  static constexpr std::size_t shared = sizeof(complex<T>) * line * Units;
};

template <class Shape>
struct mixed_line {
  using number = typename Shape::number;
  using digits = typename Shape::digits;
  static constexpr int points = Shape::points, per_line = Shape::per_line;
  static constexpr int last_radix = digits::held, last_stride = per_line, butterflies = 1;
  static constexpr int shift = Shape::tilted ? 1 : 0;

  complex<number> const* factors;
  complex<number>* shared;
  int rank;
  complex<number> const* tilts = nullptr; ///< exp(-i pi rank / length)

  /// True for the thread of frequencies 0 and half the length, if they are their own counterparts.
  WARPFOLD_HOST_DEVICE bool has_own() const { return rank == 0 && shift == 0; }
  WARPFOLD_HOST_DEVICE int frequency(int, int) const { return rank; }
  template <int>
  WARPFOLD_HOST_DEVICE int first(int) const {
    return rank;
  }
};

template <class Shape>
struct mixed_core {
  using shape = Shape;
  using T = typename Shape::number;
  using digits = typename Shape::digits;
  using unit_type = mixed_line<Shape>;
  using transform = mixed_transform_of<unit_type>;
  static constexpr bool is_mixed = true; ///< no other core has this
  static constexpr bool is_pruned = false, is_third = false, takes_two = Shape::folded;
  static constexpr bool is_periodic = Shape::kind == unit_kind::fourier;
  static constexpr int length = Shape::length, points = Shape::points, held = 2 * points;
  static constexpr int stride = Shape::per_line;

  unit_type unit;
  unit_axis<T> const& axis;
  complex<T> v[1][held];
  bool is_plain = false; ///< as in paired_core, and the same for all units of a block

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mixed_core(unit_axis<T> const& of, complex<T>* shared,
                                                         int rank)
      : unit{.factors = of.factors, .shared = shared, .rank = rank, .tilts = of.tilts}, axis{of} {}

  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forward(Block const& block) {
    if constexpr (Shape::folded) {
      mirror(block, stride - 1 - unit.rank, unit.rank);
      if constexpr (Shape::tilted) tilt<false>();
    }
    transform::forward(block, unit, v[0]);
    if (is_plain) return;
    // Upper halves, to the threads of their counterparts.
    complex<T>* const own = group(unit.rank);
    WARPFOLD_UNROLL
    for (int i = points; i < held; ++i) own[i] = v[0][i];
    block.sync();
    each_counterpart([&](int i, complex<T>& at) { v[0][i] = at; });
  }
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void inverse(Block const& block) {
    if (!is_plain) {
      each_counterpart([&](int i, complex<T>& at) { at = v[0][i]; });
      block.sync();
      complex<T>* const own = group(unit.rank);
      WARPFOLD_UNROLL
      for (int i = points; i < held; ++i) v[0][i] = own[i];
    }
    transform::inverse(block, unit, v[0]);
    if constexpr (Shape::folded) {
      if constexpr (Shape::tilted) tilt<true>();
      mirror(block, unit.rank, stride - 1 - unit.rank);
    }
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void touch_tables(complex<T> const* along,
                                                                T& sum) const {
    transform::touch_factors(unit, sum);
    if constexpr (!is_periodic) touch(axis.turns + unit.rank, sum);
    if (along) {
      WARPFOLD_UNROLL
      for (int n = 0; n < points; ++n) touch(along + n * stride + unit.rank, sum);
    }
  }

  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_points(Memory const& memory) {
    if constexpr (!Shape::folded)
      each_point(memory, [&](auto* from, auto by, int j, complex<T>& point) {
        point = memory.template get<by>(from, j);
      });
    else
      each_points(memory, [&](auto* from, auto by, int j, complex<T>& even, complex<T>& odd) {
        two<T> const got = memory.template get_two<by>(from, j);
        even = got.first;
        odd = axis.odd * got.second;
      });
  }
  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_points(Memory const& memory, T less) {
    complex<T> const both{less, less};
    if constexpr (!Shape::folded)
      each_point(memory, [&](auto* to, auto by, int j, complex<T> point) {
        memory.template put<by>(to, j, point - both);
      });
    else
      each_points(memory, [&](auto* to, auto by, int j, complex<T> even, complex<T> odd) {
        memory.template put_two<by>(to, j, {even - both, axis.odd * odd - both});
      });
  }
  template <detail::thread_block Block, class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void fetch(Block const& block, Memory const& memory) {
    if constexpr (!Shape::folded)
      each_point(memory, [&](auto* from, auto by, int j, complex<T>&) {
        block.prefetch(memory.template moved<by>(from, j));
      });
    else
      each_points(memory, [&](auto* from, auto by, int j, complex<T>&, complex<T>&) {
        block.prefetch(memory.template moved<by>(from, j));
      });
  }

  template <detail::thread_block Block, class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_modes(Block const&, Memory const& memory) {
    auto const* const from = memory.slot(unit.rank);
    WARPFOLD_UNROLL
    for (int n = 0; n < points; ++n) {
      two<T> const got = memory.template get_slot<stride>(from, n);
      v[0][n] = got.first;
      v[0][points + n] = got.second;
    }
    pairs<false, true>([](int, complex<T>&, complex<T>&) {});
  }
  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_modes(Memory const& memory) {
    pairs<true, false>([](int, complex<T>&, complex<T>&) {});
    auto* const to = memory.slot(unit.rank);
    WARPFOLD_UNROLL
    for (int n = 0; n < points; ++n)
      memory.template put_slot<stride>(to, n, {v[0][n], v[0][points + n]});
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide(unit_symbol<T> const& symbol,
                                                          complex<T> across, bool has_first,
                                                          bool removes_first, std::size_t batch) {
    forget(unit.factors);
    if (is_plain) {
      // A frequency has the eigenvalue of its counterpart, but for half the length.
      WARPFOLD_UNROLL
      for (int m = 0; m < held; ++m) {
        bool const is_middle = m == points && unit.rank == 0;
        auto const along =
            load_constant(symbol.along + (m < points  ? m * stride + unit.rank
                                          : is_middle ? 0
                                                      : (held - m) * stride - unit.rank));
        v[0][m] = quotient(T(2), across.re + (is_middle ? along.im : along.re)) * v[0][m];
      }
      return;
    }
    pairs<true, true>([&](int n, complex<T>& a, complex<T>& b) {
      bool const is_first = n == 0 && has_first && unit.rank == 0;
      if (is_first && symbol.removed_mean)
        symbol.removed_mean[batch] = removes_first ? symbol.mean_scale * a.re : T(0);
      auto const along = load_constant(symbol.along + n * stride + unit.rank);
      scale_two(a, b,
                is_periodic && n != 0
                    ? quotients_of<true>(across, along, false)
                    : quotients_of<false>(across, along, is_first && removes_first));
    });
  }

private:
  /// Where point m of a thread, rank + m * stride, is when the first stage begins.
  WARPFOLD_HOST_DEVICE static constexpr int number_of(int m) {
    constexpr int butterflies = held / digits::radix(0);
    return m % butterflies * digits::radix(0) + m / butterflies;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* group(int rank) const {
    return unit.shared + digits::padded(digits::group(rank));
  }

  /// Calls use(number, where it is) for numbers points + n, the counterpart of number n.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_counterpart(Use use) const {
    bool const has_own = unit.has_own();
    int const opposite = stride - unit_type::shift - unit.rank;
    complex<T>* const other = group(has_own ? 0 : opposite);
    use(points, other[has_own ? points : held - 1]);
    complex<T>* const others = other + (has_own ? 1 : 0);
    WARPFOLD_UNROLL
    for (int n = 1; n < points; ++n) use(points + n, others[held - 1 - n]);
  }
  /// Exchanges the upper half of the points with those of the opposite thread, by their places in
  /// shared memory.
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void mirror(Block const& block, int to, int from) {
    // Places of the first stage: 0 leads from number to number.
    constexpr int radix = digits::radix(0);
    auto const is_upper = [](int i) { return i / radix + i % radix * (held / radix) >= points; };
    transform::template each<0>(unit, to, [&](int i, complex<T>& at) {
      if (is_upper(i)) at = v[0][i];
    });
    block.sync();
    transform::template each<0>(unit, from, [&](int i, complex<T>& at) {
      if (is_upper(i)) v[0][i] = at;
    });
  }
  /// The tilt of type 4.
  template <bool Back>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void tilt() {
    auto const first = load_constant(unit.tilts + unit.rank);
    unrolled<held>([&](auto m) {
      auto& point = v[0][number_of(m.value)];
      point = turned<Back>(turned_by<m.value, 2 * held, Back>(point), first);
    });
  }

  /// Calls use(from, by, number, point).
  template <class Memory, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_point(Memory const& memory, Use use) {
    each_of<stride>(
        memory, unit.rank,
        [&](auto* from, auto by, int j, int m) { use(from, by, j, v[0][number_of(m)]); },
        std::integral_constant<int, held>{});
  }
  /// Calls use(from, by, number, an even point, the next one).
  template <class Memory, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_points(Memory const& memory, Use use) {
    each_of<2 * stride>(
        memory, 2 * unit.rank,
        [&](auto* from, auto by, int j, int m) {
          use(from, by, j, v[0][number_of(m)], v[0][number_of(held - 1 - m)]);
        },
        std::integral_constant<int, points>{});
  }
  /// Calls use(from, by, j, m) for `count` places from `first` on.
  template <int By, class Memory, class Use, int Count>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_of(Memory const& memory, int first, Use use,
                                                           std::integral_constant<int, Count>) {
    if constexpr (By % Shape::tile == 0) {
      auto* const from = memory.at(first);
      WARPFOLD_UNROLL
      for (int m = 0; m < Count; ++m) use(from, std::integral_constant<int, By>{}, m, m);
    } else {
      WARPFOLD_UNROLL
      for (int m = 0; m < Count; ++m)
        use(memory.at(first + m * By), std::integral_constant<int, 0>{}, 0, m);
    }
  }

  /// As paired_core's.
  template <bool To, bool Back, class Middle>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void pairs(Middle middle) {
    constexpr bool turns = !is_periodic;
    constexpr T root = T(1.4142135623730950488);
    complex<T> first{1, 0};
    if constexpr (turns) first = load_constant(axis.turns + unit.rank);
    unrolled<points>([&](auto number) {
      constexpr int n = number.value;
      auto &a = v[0][n], &b = v[0][points + n];
      if (n == 0 && unit.has_own()) {
        if constexpr (To) {
          a = T(2) * a;
          b = (turns ? root : T(2)) * b;
        }
        middle(n, a, b);
        if constexpr (Back && turns) b = root * b;
        return;
      }
      auto const turn = turned_by<n, 4 * held, false>(first);
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
    });
  }
};

/// True if threads take the points of such a core one by one, in columns.
template <class Core>
inline constexpr bool takes_single_rows = false;
template <class Shape>
inline constexpr bool takes_single_rows<mixed_core<Shape>> = !Shape::folded;

} // namespace warpfold::inline v0::poisson
