#pragma once
// Periodic fields of two axes, longer than units, in five passes of complex frequencies.
//
// A row is one real line of 2 M numbers (packed.hpp), and leaves its frequencies 0 ... M: a slot
// each. A column of N = P R complex numbers is P planes of R rows: number a R + b is row b of plane
// a. With w_n = exp(-2 pi i / n), frequency c + P d is
//
//   sum over b of w_R^(b d) w_N^(b c) (sum over a of w_P^(a c) z_(a R + b))
//
// (W. M. Gentleman and G. Sande, Fast Fourier Transforms for Fun and Profit, 1966): a pass across
// the planes, a turn, and a pass along the rows of each plane, which divides and goes back.

#include "poisson/engine/depths.hpp"
#include "poisson/engine/single/packed.hpp"

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// The rows of one right-hand side, one a block.
template <class T>
struct long_rows {
  unit_axis<T> axis;
  T const* in; ///< rows that are left
  T* out;      ///< rows that are come back to
  complex<T>* entries;
  std::size_t stride; ///< between rows of `in` or `out`
  std::size_t slots;  ///< between rows of `entries`, the line's frequencies and one more at least
  unsigned rows;
  unsigned ahead; ///< L2 prefetch distance in rows; 0 disables it
  T* first_point; ///< to be subtracted; or null
};

/// A row's frequencies.
template <class T>
struct row_slots {
  complex<T>* first;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* at(int slot) const {
    return first + slot;
  }
};
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE row_slots<T> slots_of(long_rows<T> const& pass,
                                                                  unsigned row) {
  return {pass.entries + row * pass.slots};
}
/// Prefetches a row's frequencies but the last one.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_slots(Block const& block, long_rows<T> const& pass, unsigned row, int thread) {
  if (thread == 0)
    block.prefetch(slots_of(pass, row).first,
                   static_cast<unsigned>(sizeof(complex<T>)) * Core::length);
}

/// A pass over the columns in [row][slot]. `tiles` counts the rows of a plane, `slots` the numbers
/// from row to row, and `entry` those of a plane; tile_log2 and beside_log2 are 0. Eigenvalues:
/// symbol.across has one twice for each slot, symbol.along is [plane][number][thread].
template <class T>
struct long_columns : unit_boxes<T> {
  complex<T> const* turns; ///< exp(-2 pi i j / n) for j < n, the numbers of a column
};

/// Writes twice the frequencies of a row's line, and 0 to the slot behind them.
template <class Core, class Slots>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_frequencies(Core& core, Slots const& to) {
  using T = typename Core::T;
  constexpr int length = Core::length;
  auto const store = [&](int slot, complex<T> value) {
    store_once<true>(reinterpret_cast<T*>(to.at(slot)), value, true);
  };
  core.each_pair([&](auto const& at, complex<T> a, complex<T> b) {
    if (at.is_own) {
      store(0, {2 * (a.re + a.im), 0});
      store(length, {2 * (a.re - a.im), 0});
      store(length + 1, {0, 0});
      store(length / 2, T(2) * conj(b));
      return;
    }
    auto const [x, y] = Core::split(a, b, at.root());
    store(at.k, x);
    store(length - at.k, conj(y));
  });
}
/// Makes four times the complex line's frequencies of what store_frequencies wrote, which get(slot)
/// reads. `last` is the real part of slot Core::length. ready() comes between the reads and the
/// rest.
template <class Core, class T, class Get, class Use = no_use>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_frequencies(Core& core, T last, Get get,
                                                                  Use ready = {}) {
  core.each_pair([&](auto const& at, complex<T>& a, complex<T>& b) {
    a = get(at.k);
    b = get(at.is_own ? Core::length / 2 : Core::length - at.k);
  });
  ready();
  core.each_pair([&](auto const& at, complex<T>& a, complex<T>& b) {
    if (at.is_own) {
      a = {a.re + last, a.re - last};
      b = T(2) * conj(b);
      return;
    }
    Core::join(a, conj(b), at.root(), a, b);
  });
}

/// A row to its frequencies. Aligned: rows are known to be.
template <class Core, bool Aligned, detail::thread_block Block, class Pass>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void leave_long_row(Block const& block,
                                                                Pass const& pass, unsigned row,
                                                                complex<typename Core::T>* shared) {
  using T = typename Core::T;
  static_assert(Core::shape::units == 1 && Core::is_periodic);
  Core core{pass.axis, shared, block.thread_rank()};
  block.wait_for_previous_grid();
  core.load(pass.in + row * pass.stride, Aligned || are_aligned(pass.in, pass.stride));
  if (block.thread_rank() == 0 && pass.ahead != 0 && row + pass.ahead < pass.rows)
    block.prefetch(pass.in + (row + pass.ahead) * pass.stride,
                   static_cast<unsigned>(sizeof(complex<T>)) * Core::length);
  Core::transform::forward(block, core.unit, core.v);
  core.unit.arrange(core.v);
  store_frequencies(core, slots_of(pass, row));
}

/// Starts to copy a row's frequencies but the last one to shared memory.
template <class Core, detail::thread_block Block, class Slots, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void stage_row(Block const& block, Slots const& from,
                                                           complex<T>* shared, int thread) {
  constexpr int numbers = 16 / sizeof(complex<T>), step = Core::shape::threads * numbers;
  static_assert(Core::length % step == 0);
  WARPFOLD_UNROLL
  for (int i = 0; i < Core::length / step; ++i)
    block.copy_async(shared + thread * numbers + i * step, from.at(thread * numbers + i * step));
}

/// A row back from its frequencies. Stays: rows first, first + step ..., each one's frequencies
/// coming into shared memory while the row before it ends; rows are aligned. `probes`: back to the
/// first point alone.
template <class Core, bool Stays, detail::thread_block Block, class Pass>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
return_long_rows(Block const& block, Pass const& pass, unsigned first, unsigned step, bool probes,
                 complex<typename Core::T>* shared) {
  using T = typename Core::T;
  block.wait_for_previous_grid();
  if constexpr (Stays) stage_row<Core>(block, slots_of(pass, first), shared, block.thread_rank());
  for (unsigned row = first; row < pass.rows; row += step) {
    int thread = block.thread_rank();
    if constexpr (Stays) forget(thread);
    Core core{pass.axis, shared, thread};
    auto const slots = slots_of(pass, row);
    T const last = thread == 0 ? load_past(slots.at(Core::length)).re : T(0);
    if constexpr (Stays) {
      block.wait_for_copies();
      block.sync();
    }
    if (pass.ahead != 0 && row + pass.ahead < pass.rows)
      fetch_slots<Core>(block, pass, row + pass.ahead, thread);
    if constexpr (Stays)
      load_frequencies(
          core, last, [&](int slot) { return shared[slot]; }, [&] { block.sync(); });
    else load_frequencies(core, last, [&](int slot) { return load_past(slots.at(slot)); });
    core.unit.restore(core.v);
    Core::transform::inverse(block, core.unit, core.v, [&] {
      if constexpr (Stays)
        if (row + step < pass.rows) {
          block.sync();
          stage_row<Core>(block, slots_of(pass, row + step), shared, thread);
        }
    });
    if (probes) {
      if (thread == 0) *pass.first_point = core.v[0][0].re;
      return;
    }
    core.store(pass.out + row * pass.stride, Stays || are_aligned(pass.out, pass.stride),
               pass.first_point ? *pass.first_point : T(0));
    if constexpr (!Stays) return;
  }
}

/// Block `piece` of a pass across planes, to the frequencies c with their turns, or back.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
cross_planes(Block const& block, long_columns<T> const& pass, unsigned piece, complex<T>* shared) {
  using shape = typename Core::shape;
  constexpr int units = shape::units;
  int const thread = block.thread_rank(), own = thread % units;
  Core core{{pass.axis.factors, shared + own * shape::line, thread / units}, pass.axis, {}};
  grouped const at(piece, pass.blocks);
  auto const row = static_cast<int>(at.group), block_of_row = static_cast<int>(at.place);
  auto const line = depth_of(pass, at.group, 2 * (block_of_row * units + own));
  auto const turn = [&](auto back) {
    WARPFOLD_UNROLL
    for (int i = 0; i < Core::points; ++i) {
      auto const w = load_constant(pass.turns + core.frequency(i) * row);
      core.v[0][i] = turned<back>(core.v[0][i], w);
      core.v[1][i] = turned<back>(core.v[1][i], w);
    }
  };
  block.wait_for_previous_grid();
  if (pass.role == box_role::leave) {
    if (line.is_there) core.template load<false>(line.memory);
    Core::transform::forward(block, core.unit, core.v);
    turn(std::false_type{});
    if (line.is_there) core.template store<true>(line.memory);
  } else {
    if (line.is_there) core.template load<true>(line.memory);
    turn(std::true_type{});
    Core::transform::inverse(block, core.unit, core.v);
    if (line.is_there) core.template store<false>(line.memory);
  }
}

/// Divides a thread's frequencies of one column in one plane.
template <class Core, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
divide_frequencies(Core& core, unit_symbol<T> const& symbol, complex<T> const* along, T across,
                   bool has_mean, bool removes_mean) {
  core.unit.arrange(core.v);
  core.each_pair([&](int n, complex<T>& a, complex<T>& b) {
    auto const own = load_constant(along + n * Core::shape::per_line + core.unit.rank);
    bool const is_mean = n == 0 && has_mean && core.unit.rank == 0;
    if (is_mean && symbol.removed_mean)
      *symbol.removed_mean = removes_mean ? symbol.mean_scale * a.re : T(0);
    a = (is_mean && removes_mean ? T(0) : quotient(T(1), across + own.re)) * a;
    b = quotient(T(1), across + own.im) * b;
  });
  core.unit.restore(core.v);
}

/// Block `piece` of the pass along the rows of all planes.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_planes(Block const& block, long_columns<T> const& pass, unsigned piece, complex<T>* shared) {
  int const thread = block.thread_rank();
  Core core = core_of<Core>(pass, thread, shared);
  auto const [plane, block_of_plane] = grouped(piece, pass.blocks);
  int slot = pass.first + static_cast<int>(block_of_plane) * Core::shape::units +
             unit_of<Core>(pass, thread);
  bool const is_there = slot < pass.last;
  if (!is_there) slot = pass.last - 1;
  depth_memory<T> const memory{
      {pass.entries + plane * pass.entry + static_cast<std::size_t>(slot), pass.slots}};
  auto const* const along = pass.symbol.along + plane * (Core::length / 2);
  block.wait_for_previous_grid();
  core.load_points(memory);
  T const lambda = pass.symbol.lambda.of(0);
  T const across = less_lambda(pass.symbol, load_constant(pass.symbol.across + slot), lambda).re;
  core.forward(block);
  divide_frequencies(core, pass.symbol, along, across, slot == 0 && is_there && plane == 0,
                     removes_first(pass.symbol, lambda));
  core.inverse(block);
  if (is_there) core.store_points(memory, T(0));
}

} // namespace warpfold::inline v0::poisson
