#pragma once
// The passes over two axes: along the rows to their modes, along the columns to those of the
// solution, and along the rows back. Each reads and writes everything once. Whatever the kinds of
// the axes, what lies between the passes are real modes in tiles (memory.hpp).

#include "paired.hpp"
#include "pruned.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

template <class T>
struct unit_rows {
  unit_axis<T> axis;
  T const* in; ///< rows that are left
  T* out;      ///< rows that are come back to
  complex_pair<T>* slots;
  int rows, width;   ///< of a right-hand side
  int slots_of_row;  ///< half the width, rounded up
  std::size_t entry; ///< slots of a right-hand side
  std::size_t units; ///< of all of them: pairs of rows
  std::size_t ahead; ///< units that are fetched into the second cache before their turn; 0: none
  T* first_point;    ///< by right-hand side, to be subtracted; or null
};

template <bool First, class A, class B>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto const& one_of(A const& first, B const& second) {
  if constexpr (First) return first;
  else return second;
}

/// Fetches what as many units as a block has will read, those `ahead` of its own.
template <class Core, bool Leaves, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_units(Block const& block, unit_rows<T> const& pass, std::size_t first) {
  constexpr int units = Core::shape::units;
  std::size_t const later = first + pass.ahead;
  if (block.thread_rank() != 0 || pass.ahead == 0 || later + units > pass.units) return;
  void const* from = pass.slots;
  std::size_t each = static_cast<std::size_t>(pass.slots_of_row) * sizeof(complex_pair<T>);
  if constexpr (Leaves) {
    auto const rows = static_cast<std::size_t>(pass.rows);
    if (2 * (later + units) > pass.units / ((rows + 1) / 2) * rows) return;
    from = pass.in;
    each = 2 * static_cast<std::size_t>(pass.width) * sizeof(T);
  }
  block.prefetch(static_cast<char const*>(from) + later * each,
                 static_cast<unsigned>(each * units) / 16 * 16);
}

/// Units first ... first + units - 1 of all right-hand sides: from rows to slots, if Leaves, or
/// back. `probes`: back to the first point of a right-hand side alone.
template <class Core, int Beside, bool Streams, bool Leaves, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
transform_rows(Block const& block, unit_rows<T> const& pass, std::size_t first, bool probes,
               complex<T>* shared) {
  using shape = typename Core::shape;
  constexpr int beside = shape::beside;
  int const thread = block.thread_rank();
  int const local = thread % beside + thread / beside / shape::per_line * beside;
  Core core{pass.axis, shared + local * shape::line, thread / beside % shape::per_line};

  std::size_t unit = first + static_cast<std::size_t>(local);
  bool const is_there = unit < pass.units;
  if (!is_there) unit = pass.units - 1;
  auto const per_entry = static_cast<std::size_t>((pass.rows + 1) / 2);
  std::size_t const entry = unit / per_entry;
  auto const pair = static_cast<int>(unit - entry * per_entry);
  std::size_t const row =
      (entry * static_cast<std::size_t>(pass.rows) + 2 * static_cast<std::size_t>(pair)) *
      static_cast<std::size_t>(pass.width);
  std::size_t const second = 2 * pair + 1 < pass.rows ? static_cast<std::size_t>(pass.width) : 0;
  slot_memory<T, Beside> const slots{pass.slots + entry * pass.entry +
                                     static_cast<std::size_t>(pair / Beside) *
                                         (static_cast<std::size_t>(pass.slots_of_row) * Beside) +
                                     static_cast<std::size_t>(pair % Beside)};

  auto const is_in_pairs = [&](T const* from) {
    return reinterpret_cast<std::uintptr_t>(from) % sizeof(complex<T>) == 0 && pass.width % 2 == 0;
  };
  auto const rows = [&] {
    if constexpr (Leaves)
      return row_memory<T const, Streams>{pass.in + row, second, is_in_pairs(pass.in)};
    else return row_memory<T, Streams>{pass.out + row, second, is_in_pairs(pass.out)};
  }();
  auto const& from = one_of<Leaves>(rows, slots);
  auto const& to = one_of<!Leaves>(rows, slots);

  block.wait_for_previous_grid();
  constexpr bool forward = Leaves != Core::is_third;
  if constexpr (forward) core.load_points(from);
  else core.load_modes(from);
  if (!probes) fetch_units<Core, Leaves>(block, pass, first);
  if constexpr (forward) core.forward(block);
  else core.inverse(block);
  if (probes) {
    if (thread == 0) pass.first_point[entry] = core.v[0][0].re;
  } else if (is_there) {
    if constexpr (forward) core.store_modes(to);
    else core.store_points(to, !Leaves && pass.first_point ? pass.first_point[entry] : T(0));
  }
}

template <class T>
struct unit_columns {
  unit_axis<T> axis;
  unit_symbol<T> symbol;
  complex<T>* entries;
  int slots;         ///< of a row
  int tile_log2;     ///< rows of a tile
  int beside_log2;   ///< threads of a unit that are neighbours
  std::size_t entry; ///< numbers of a right-hand side
  int ahead;         ///< as in unit_rows
};

/// Slots first ... first + units - 1 of right-hand side `entry`.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_units(Block const& block, unit_columns<T> const& pass, std::size_t entry, int first,
            complex<T>* shared) {
  using shape = typename Core::shape;
  int const thread = block.thread_rank();
  int const group = thread >> pass.beside_log2, within = thread & ((1 << pass.beside_log2) - 1);
  int const local = group % shape::units;
  Core core{pass.axis, shared + local * shape::line,
            (group / shape::units << pass.beside_log2) + within};
  int slot = first + local;
  bool const is_there = slot < pass.slots;
  if (!is_there) slot = pass.slots - 1;
  auto const column = [&](int x) -> column_memory<T> {
    return {pass.entries + entry * pass.entry + (static_cast<std::size_t>(x) << pass.tile_log2),
            static_cast<std::size_t>(pass.slots), pass.tile_log2};
  };
  auto const memory = column(slot);
  block.wait_for_previous_grid();
  if constexpr (Core::is_third) core.load_modes(memory);
  else core.load_points(memory);
  if (pass.ahead != 0 && slot + pass.ahead < pass.slots)
    core.fetch(block, column(slot + pass.ahead));
  T const lambda = pass.symbol.lambda.of(entry), shift = lambda * pass.symbol.lambda_unit;
  auto const across = load_constant(pass.symbol.across + slot) - complex<T>{shift, shift};
  if constexpr (Core::is_third) {
    core.inverse(block);
    core.divide_points(pass.symbol, across);
    // Such problems are not singular.
    if (pass.symbol.removed_mean && slot == 0 && core.unit.rank == 0)
      pass.symbol.removed_mean[entry] = T(0);
    core.forward(block);
    if (is_there) core.store_modes(memory);
  } else {
    core.forward(block);
    core.divide(pass.symbol, across, slot == 0 && is_there,
                lambda == 0 && pass.symbol.mean_scale != 0, entry);
    core.inverse(block);
    if (is_there) core.store_points(memory, T(0));
    // The last row has none beside it in its unit, whose rounding errors would reach it.
    if (Core::is_pruned && is_there && core.unit.rank == 0)
      *memory.at(shape::length + (pass.axis.is_reversed ? -1 : 1)) = {0, 0};
  }
}

} // namespace warpfold::inline v0::poisson
