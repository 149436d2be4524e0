#pragma once
// The pass across the planes of a box of floats along a periodic axis, whose core also serves long
// columns (long.hpp). A thread has numbers of two lines that are neighbours in memory, which it
// reads and writes at once: rows that go together in a tile. So frequencies k and -k lie in
// different threads, which matters only where the two columns of a slot have different eigenvalues.

#include "box_passes.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// Pairs of lines of Length numbers, Points of each in a thread; Units pairs a block.
template <class T, int Length, int Points, int Units>
struct depth_shape {
  using number = T;
  static constexpr int length = Length, points = Points, units = Units;
  static constexpr int per_line = Length / Points, threads = per_line * Units;
  using digits = stages<Length, Points>;
  static constexpr int line = line_size<T, digits>(Units);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * 2 * Units;
};

/// A thread's part of two lines, alike for transform_of.
template <class Shape>
struct depth_line {
  using number = typename Shape::number;
  using digits = typename Shape::digits;
  static constexpr int length = Shape::length, points = Shape::points;
  static constexpr int last_radix = digits::radix(digits::last);
  static constexpr bool keeps = false, tilted = false;
  template <int>
  static constexpr bool shares = true;

  complex<number> const* factors;
  complex<number>* shared;
  int rank;

  WARPFOLD_HOST_DEVICE complex<number>* memory(int side) const {
    return shared + side * Shape::line * Shape::units;
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int first(int) const {
    if constexpr (Stage == digits::last) return rank * points;
    else {
      constexpr int stride = digits::stride(Stage);
      return rank / stride * (stride * points) + rank % stride;
    }
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE static constexpr int offset(int, int b) {
    return Stage == digits::last ? b * last_radix : 0;
  }
  template <int Stage, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(Block const& block) const {
    if constexpr (digits::within(Stage) / points * Shape::units <= 32) block.sync_warp();
    else block.sync();
  }
};

template <class Shape>
struct depth_core {
  using shape = Shape;
  using T = typename Shape::number;
  using unit_type = depth_line<Shape>;
  using transform = transform_of<unit_type>;
  static constexpr int length = Shape::length, points = Shape::points;
  static constexpr bool is_pruned = false, is_third = false, is_periodic = true;

  unit_type unit;
  unit_axis<T> const& axis;
  complex<T> v[2][points];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void touch_tables(complex<T> const*, T& sum) const {
    transform::touch_factors(unit, sum);
  }
  /// Where number i of a thread comes out, or comes from.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int frequency(int i) const {
    using digits = typename Shape::digits;
    return digits::frequency(unit.rank * points) + digits::frequency(i);
  }

  /// Calls use(where it is, a number, the neighbour's).
  template <bool Frequencies, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each(depth_memory<T> const& memory, Use use) {
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      int const z = Frequencies ? frequency(i) : unit.rank + i * Shape::per_line;
      use(reinterpret_cast<complex_pair<T>*>(memory.at(z)), v[0][i], v[1][i]);
    }
  }
  template <bool Frequencies>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load(depth_memory<T> const& memory) {
    each<Frequencies>(memory, [](complex_pair<T> const* from, complex<T>& a, complex<T>& b) {
      auto const both = load_pair_cached(from);
      a = both.first;
      b = both.second;
    });
  }
  template <bool Frequencies>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store(depth_memory<T> const& memory) {
    each<Frequencies>(memory, [](complex_pair<T>* to, complex<T> a, complex<T> b) {
      *to = {a, b};
    });
  }

  /// Makes modes of frequencies, as paired_core does, or twice the frequencies of modes. Needed
  /// where not all of the block's slots are plain; numbers meet their opposites in shared memory.
  template <bool Back, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void pair(Block const& block, bool is_plain) {
    block.sync();
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      unit.memory(0)[frequency(i)] = v[0][i];
      unit.memory(1)[frequency(i)] = v[1][i];
    }
    block.sync();
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      int const k = frequency(i), opposite = (length - k) & (length - 1);
      WARPFOLD_UNROLL
      for (int side = 0; side < 2; ++side) {
        auto const other = unit.memory(side)[opposite];
        auto& own = v[side][i];
        if (is_plain || k == opposite) own = Back ? own : T(2) * own;
        else if (Back)
          own =
              k < opposite ? own + quarter_turned<false>(other) : other + quarter_turned<true>(own);
        else own = k < opposite ? own + other : quarter_turned<true>(other - own);
      }
    }
    if (Back) block.sync();
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void twice() {
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      v[0][i] = T(2) * v[0][i];
      v[1][i] = T(2) * v[1][i];
    }
  }
};

/// Block `piece` of a pass across planes, to their modes or back.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
pass_depths(Block const& block, unit_boxes<T> const& pass, unsigned piece, complex<T>* shared) {
  using shape = typename Core::shape;
  constexpr int units = shape::units;
  int const thread = block.thread_rank(), own = thread % units;
  Core core{{pass.axis.factors, shared + own * shape::line, thread / units}, pass.axis, {}};
  auto const [outer, block_of_outer] = grouped(piece, pass.blocks);
  int const first = static_cast<int>(block_of_outer) * units;
  auto const line = depth_of(pass, outer, 2 * (first + own));
  bool const is_plain = pass.rows_are_periodic && line.slot != 0;
  bool const are_plain = pass.rows_are_periodic && pass.first + (2 * first >> pass.tile_log2) != 0;
  touch_tables<Core, T>(core, nullptr);
  block.wait_for_previous_grid();
  if (pass.role == box_role::leave) {
    if (line.is_there) core.template load<false>(line.memory);
    Core::transform::forward(block, core.unit, core.v);
    if (are_plain) core.twice();
    else core.template pair<false>(block, is_plain);
    if (line.is_there) core.template store<true>(line.memory);
  } else {
    if (line.is_there) core.template load<true>(line.memory);
    if (!are_plain) core.template pair<true>(block, is_plain);
    Core::transform::inverse(block, core.unit, core.v);
    if (line.is_there) core.template store<false>(line.memory);
  }
}

} // namespace warpfold::inline v0::poisson
