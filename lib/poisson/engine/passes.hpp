#pragma once
// The passes over two axes: along the rows to their modes, along the columns to those of the
// solution, and along the rows back. Each pass reads and writes everything once. Whatever the kinds
// of the axes, what lies between the passes are real modes in tiles (memory.hpp). Boxes have two
// passes more (box_passes.hpp).

#include "divider.hpp"
#include "paired.hpp"
#include "pruned.hpp"

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// Distances between neighbouring rows, planes and right-hand sides, in elements.
struct row_strides {
  std::size_t row, plane, entry;
  bool are_even; ///< rows begin at even distances
};
/// True if two numbers of a row can be accessed at once, which cores that keep factors take for
/// granted.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool is_in_pairs(T const* rows,
                                                             row_strides const& strides) {
  return reinterpret_cast<std::uintptr_t>(rows) % sizeof(complex<T>) == 0 && strides.are_even;
}

template <class T>
struct unit_rows {
  unit_axis<T> axis;
  T const* in; ///< rows that are left
  T* out;      ///< rows that are come back to
  complex_pair<T>* slots;
  int rows, width;     ///< of a plane
  row_strides strides; ///< of `in` or `out`
  int slots_of_row;    ///< half the width, rounded up
  std::size_t entry;   ///< slots of a right-hand side
  unsigned units;      ///< of all of them: pairs of rows
  unsigned ahead;      ///< L2 prefetch distance in units; 0 disables it
  unsigned fetchable;  ///< units whose input lies together, and may be prefetched
  T* first_point;      ///< by right-hand side, to be subtracted; or null
  divider pairs;       ///< of rows of a plane
  divider planes;      ///< of a right-hand side; 1 for two axes
  bool has_clusters;   ///< blocks of a cluster store together what they leave
};

template <bool First, class A, class B>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto const& one_of(A const& first, B const& second) {
  if constexpr (First) return first;
  else return second;
}

/// Prefetches the input of the block that lies `ahead` units further.
template <class Core, bool Leaves, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_units(Block const& block, unit_rows<T> const& pass, unsigned first) {
  constexpr unsigned units = Core::shape::units;
  unsigned const later = first + pass.ahead;
  if (block.thread_rank() != 0 || pass.ahead == 0 || later + units > pass.fetchable) return;
  void const* from = pass.slots;
  std::size_t each = static_cast<std::size_t>(pass.slots_of_row) * sizeof(complex_pair<T>);
  if constexpr (Leaves) {
    from = pass.in;
    each = 2 * static_cast<std::size_t>(pass.width) * sizeof(T);
  }
  block.prefetch(static_cast<char const*>(from) + later * each,
                 static_cast<unsigned>(each * units) / 16 * 16);
}

/// Where the slots of a unit are.
template <int Beside, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE slot_memory<T, Beside>
slots_of(unit_rows<T> const& pass, unsigned entry, unsigned pair) {
  return {pass.slots + entry * pass.entry +
          std::size_t{pair / Beside} * static_cast<unsigned>(pass.slots_of_row * Beside) +
          pair % Beside};
}

/// What can be done before the kernel's turn: tables come into the first cache.
template <class Core, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void touch_tables(Core& core, complex<T> const* along) {
  if (!core.axis.is_touched) return;
  T sum = 0;
  core.touch_tables(along, sum);
  if (sum == T(1e36)) core.unit.shared[0] = {sum, sum}; // never, but the loads stay
}

/// Each block of a cluster puts its unit into its shared memory. Then every block stores a part of
/// all units, 16 bytes a thread, so that an access has whole sectors.
template <int Beside, int Cluster, class Core, detail::thread_block Block, class Pass, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
store_cluster(Block const& block, Core& core, Pass const& pass, unsigned unit, complex<T>* shared) {
  struct alignas(16) part {
    float numbers[4];
  };
  constexpr int threads = Core::shape::threads, parts = sizeof(complex_pair<T>) / sizeof(part);
  constexpr int step = threads / (Cluster * parts); ///< slots
  constexpr int share = (Core::length / 2 + Core::is_pruned + Cluster - 1) / Cluster;
  static_assert(Core::shape::units == 1 && Beside % Cluster == 0 && step > 0);
  auto* const own = reinterpret_cast<complex_pair<T>*>(shared);
  block.sync();
  if constexpr (Core::is_third) core.store_points(slot_memory<T, 1>{own}, T(0));
  else core.store_modes(slot_memory<T, 1>{own});
  block.sync_cluster();
  int const thread = block.thread_rank(), rank = block.cluster_rank(), number = thread % parts;
  int const beside = thread / parts % Cluster;
  unsigned const other = unit - static_cast<unsigned>(rank) + static_cast<unsigned>(beside);
  int const first = rank * share + thread / (parts * Cluster), end = (rank + 1) * share;
  int const last = end < pass.slots_of_row ? end : pass.slots_of_row;
  if (other < pass.units) {
    auto const [entry, pair] = grouped(other, pass.pairs);
    auto* const from = reinterpret_cast<part const*>(block.map_shared_rank(own, beside)) + number;
    auto const to = slots_of<Beside>(pass, entry, pair);
    WARPFOLD_UNROLL
    for (int i = 0; i < (share + step - 1) / step; ++i) {
      int const slot = first + i * step;
      if (slot < last) reinterpret_cast<part*>(to.slot(slot))[number] = from[parts * slot];
    }
  }
  block.sync_cluster();
}

/// Units first ... first + units - 1 of all right-hand sides: from rows to slots, if Leaves, or
/// back. `probes`: back to the first point of a right-hand side alone.
template <class Core, int Beside, int Cluster, bool Streams, bool Leaves,
          detail::thread_block Block, class Pass>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
transform_rows(Block const& block, Pass const& pass, unsigned first, bool probes,
               complex<typename Core::T>* shared) {
  using shape = typename Core::shape;
  using T = typename Core::T;
  constexpr int beside = shape::beside;
  int const thread = block.thread_rank();
  int const local = thread % beside + thread / beside / shape::per_line * beside;
  Core core{pass.axis, shared + local * shape::line, thread / beside % shape::per_line};

  unsigned unit = first + static_cast<unsigned>(local);
  bool const is_there = unit < pass.units;
  if (!is_there) unit = pass.units - 1;
  unsigned entry = 0, pair = unit, whole = 0, plane = 0;
  if (pass.units != pass.pairs.by) { // most squares are alone, and short
    grouped const of_entry(unit, pass.pairs), of_whole(of_entry.group, pass.planes);
    entry = of_entry.group;
    pair = of_entry.place;
    whole = of_whole.group;
    plane = of_whole.place;
  }
  std::size_t const row = whole * pass.strides.entry + plane * pass.strides.plane +
                          2 * std::size_t{pair} * pass.strides.row;
  std::size_t const second = static_cast<int>(2 * pair + 1) < pass.rows ? pass.strides.row : 0;
  auto const slots = slots_of<Beside>(pass, entry, pair);

  auto const rows = [&] {
    if constexpr (Leaves)
      return row_memory<T const, Streams>{pass.in + row, second,
                                          shape::keeps || is_in_pairs(pass.in, pass.strides)};
    else
      return row_memory<T, Streams>{pass.out + row, second,
                                    shape::keeps || is_in_pairs(pass.out, pass.strides)};
  }();
  auto const& from = one_of<Leaves>(rows, slots);
  auto const& to = one_of<!Leaves>(rows, slots);

  if constexpr (shape::keeps) core.keep_factors();
  else touch_tables<Core, T>(core, nullptr);
  block.wait_for_previous_grid();
  constexpr bool forward = Leaves != Core::is_third;
  if constexpr (forward) core.load_points(from);
  else core.load_modes(block, from);
  if (!probes) fetch_units<Core, Leaves>(block, pass, first);
  if constexpr (forward) core.forward(block);
  else core.inverse(block);
  auto* const shift = pass.first_point ? pass.first_point + whole : nullptr;
  if (probes) {
    if (thread == 0) *shift = core.v[0][0].re;
    return;
  }
  if constexpr (Leaves && Cluster > 1)
    if (pass.has_clusters) return store_cluster<Beside, Cluster>(block, core, pass, first, shared);
  if (is_there) {
    if constexpr (forward) core.store_modes(to);
    else core.store_points(to, !Leaves && shift ? *shift : T(0));
  }
}

template <class T>
struct unit_columns {
  unit_axis<T> axis;
  unit_symbol<T> symbol;
  complex<T>* entries;
  int slots;              ///< of a row
  int tile_log2;          ///< rows of a tile
  int beside_log2;        ///< threads of a unit that are neighbours
  std::size_t entry;      ///< numbers of a right-hand side
  int ahead;              ///< as in unit_rows
  bool rows_are_periodic; ///< both modes of any slot but the first one have one eigenvalue
};

/// The line of a unit, and what its thread has to know of it.
template <class T, class Memory>
struct unit_line {
  Memory memory;
  bool is_there;
  int slot;
};

/// The column of one slot in one plane. Slots beyond `last` get the last column, and do not store.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE unit_line<T, column_memory<T>>
column_of(unit_columns<T> const& pass, std::size_t plane, int slot, int last) {
  bool const is_there = slot < last;
  if (!is_there) slot = last - 1;
  return {{{pass.entries + plane * pass.entry + (static_cast<std::size_t>(slot) << pass.tile_log2),
            pass.slots},
           pass.tile_log2},
          is_there,
          slot};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> less_lambda(unit_symbol<T> const& symbol,
                                                                   complex<T> across, T lambda) {
  T const shift = lambda * symbol.lambda_unit;
  return across - complex<T>{shift, shift};
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool removes_first(unit_symbol<T> const& symbol,
                                                               T lambda) {
  return lambda == 0 && symbol.mean_scale != 0;
}

/// Divides a thread's modes of one column. `across` holds the eigenvalues of the column's two
/// lines.
template <class Core, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
divide_modes(Core& core, unit_symbol<T> const& symbol, complex<T> across, T lambda, bool is_first,
             std::size_t entry) {
  across = less_lambda(symbol, across, lambda);
  if constexpr (Core::is_third) {
    core.divide_points(symbol, across);
    // Such problems are not singular.
    if (symbol.removed_mean && is_first && core.unit.rank == 0) symbol.removed_mean[entry] = T(0);
  } else {
    core.divide(symbol, across, is_first, removes_first(symbol, lambda), entry);
  }
}

/// Clears the row after an odd last row, because it shares a unit with that row and would add
/// rounding errors.
template <class Core, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void clear_missing(Core& core,
                                                               column_memory<T> const& column) {
  if (Core::is_pruned && core.unit.rank == 0)
    *column.at(Core::shape::length + (core.axis.is_reversed ? -1 : 1)) = {0, 0};
}

/// How a block's threads share its units.
template <class Core, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Core core_of(unit_columns<T> const& pass, int thread,
                                                         complex<T>* shared) {
  using shape = typename Core::shape;
  int const group = thread >> pass.beside_log2, within = thread & ((1 << pass.beside_log2) - 1);
  return {pass.axis, shared + group % shape::units * shape::line,
          (group / shape::units << pass.beside_log2) + within};
}
template <class Core, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int unit_of(unit_columns<T> const& pass, int thread) {
  return (thread >> pass.beside_log2) % Core::shape::units;
}

/// Units first ... first + units - 1 of `last` of right-hand side `entry`.
template <class Core, detail::thread_block Block, class Pass>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void solve_units(Block const& block, Pass const& pass,
                                                             std::size_t entry, int first, int last,
                                                             complex<typename Core::T>* shared) {
  using T = typename Core::T;
  int const thread = block.thread_rank();
  Core core = core_of<Core>(pass, thread, shared);
  int const unit = first + unit_of<Core>(pass, thread);
  auto const line = column_of(pass, entry, unit, last);
  auto const across = load_now(pass.symbol.across + line.slot);
  // The block that does both takes longer, which short lines would wait for.
  if constexpr (requires { Core::is_mixed; })
    core.is_plain = Core::is_periodic && pass.rows_are_periodic && // of the block's first slot
                    line.slot > unit_of<Core>(pass, thread);
  else if constexpr (Core::is_periodic && Core::length >= 2048)
    core.is_plain = pass.rows_are_periodic && line.slot != 0;
  bool const is_first = line.slot == 0 && line.is_there;
  if constexpr (Core::shape::keeps) {
    core.keep_factors();
    // What ran before the solve may have written it.
    if (pass.symbol.lambda.each) block.wait_for_previous_grid();
    T const lambda = pass.symbol.lambda.of(entry);
    core.keep_quotients(pass.symbol, less_lambda(pass.symbol, across, lambda),
                        is_first && removes_first(pass.symbol, lambda));
  } else {
    touch_tables(core, pass.symbol.along);
  }
  block.wait_for_previous_grid();
  if constexpr (Core::is_third) core.load_modes(block, line.memory);
  else core.load_points(line.memory);
  if (pass.ahead != 0 && unit + pass.ahead < last)
    core.fetch(block, column_of(pass, entry, unit + pass.ahead, last).memory);
  T const lambda = pass.symbol.lambda.of(entry);
  if constexpr (Core::is_third) core.inverse(block);
  else core.forward(block);
  divide_modes(core, pass.symbol, across, lambda, is_first, entry);
  if constexpr (Core::is_third) core.forward(block);
  else core.inverse(block);
  if (!line.is_there) return;
  if constexpr (Core::is_third) core.store_modes(line.memory);
  else core.store_points(line.memory, T(0));
  if constexpr (Core::is_pruned) clear_missing(core, line.memory);
}

} // namespace warpfold::inline v0::poisson
