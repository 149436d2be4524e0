#pragma once
// The passes that a third axis adds around the columns' one, one each way: the planes of a box are
// problems of two axes (passes.hpp) until their modes are taken across them.

#include "passes.hpp"

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// Passes over the columns or the planes of a box.
enum class box_role : std::uint8_t {
  solve, ///< along the columns of all planes
  leave, ///< across the planes, to their modes
  come_back
};
/// A pass over a box. `entry` counts the numbers of one plane.
template <class T>
struct unit_boxes : unit_columns<T> {
  box_role role;
  int first, last; ///< slots that are worked on
  int rows;        ///< of a plane, in pairs: an even number
  divider planes;  ///< of a right-hand side
  divider tiles;   ///< of a plane
  divider blocks;  ///< of a plane's slots, or of those of a tile of rows
  T const* plane_eigenvalues;
};

/// One line across all planes. Units count the entries of a tile, slot by slot.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE unit_line<T, depth_memory<T>>
depth_of(unit_boxes<T> const& pass, unsigned tile_of_all, int unit) {
  auto const [entry, tile_of_plane] = grouped(tile_of_all, pass.tiles);
  auto const tile = static_cast<int>(tile_of_plane);
  int const row = (tile << pass.tile_log2) + (unit & ((1 << pass.tile_log2) - 1));
  bool const is_there = unit < (pass.last - pass.first) << pass.tile_log2 && row < pass.rows;
  if (!is_there) unit = 0;
  std::size_t const begin = (static_cast<std::size_t>(tile) * static_cast<std::size_t>(pass.slots) +
                             static_cast<std::size_t>(pass.first))
                            << pass.tile_log2;
  return {{{pass.entries + std::size_t{entry} * pass.planes.by * pass.entry + begin +
                static_cast<std::size_t>(unit),
            static_cast<std::ptrdiff_t>(pass.entry)}},
          is_there,
          pass.first + (unit >> pass.tile_log2)};
}

template <class Core, detail::thread_block Block, class Memory>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load(Block const& block, Core& core,
                                                      Memory const& memory, bool modes) {
  if (modes) core.load_modes(block, memory);
  else core.load_points(memory);
}
template <class Core, class Memory>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store(Core& core, Memory const& memory,
                                                       bool modes) {
  if (modes) core.store_modes(memory);
  else core.store_points(memory, typename Core::T(0));
}

/// True for axes that are left across planes by pass_depths (depths.hpp). In double this took 502
/// us of a periodic cube of 256 instead of 474 on an NVIDIA H100, 2026-11-25; in float 202, not
/// 221.
template <class Core>
inline constexpr bool crosses_by_pairs = Core::is_periodic &&
                                         sizeof(typename Core::T) == sizeof(float);

/// Block `piece` of a pass over a box.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
pass_box(Block const& block, unit_boxes<T> const& pass, unsigned piece, complex<T>* shared) {
  int const thread = block.thread_rank();
  Core core = core_of<Core>(pass, thread, shared);
  auto const [outer, block_of_outer] = grouped(piece, pass.blocks);
  int const unit =
      static_cast<int>(block_of_outer) * Core::shape::units + unit_of<Core>(pass, thread);
  bool const solves = crosses_by_pairs<Core> || pass.role == box_role::solve;
  auto const column = column_of(pass, outer, pass.first + unit, pass.last);
  auto const depth = depth_of(pass, outer, unit);

  if constexpr (Core::is_periodic)
    core.is_plain = pass.rows_are_periodic && (solves ? column.slot : depth.slot) != 0;
  touch_tables(core, solves ? pass.symbol.along : nullptr);
  block.wait_for_previous_grid();
  if (solves) load(block, core, column.memory, Core::is_third);
  else if (depth.is_there)
    load(block, core, depth.memory, (pass.role == box_role::come_back) != Core::is_third);
  else core.clear();
  bool const leaves = pass.role != box_role::come_back, returns = pass.role != box_role::leave;
  if constexpr (Core::is_third) {
    if (leaves) core.inverse(block);
  } else {
    if (leaves) core.forward(block);
  }
  if (solves) {
    auto const [entry, plane] = grouped(outer, pass.planes);
    T const of_plane = pass.plane_eigenvalues[plane];
    divide_modes(core, pass.symbol,
                 load_constant(pass.symbol.across + column.slot) + complex<T>{of_plane, of_plane},
                 pass.symbol.lambda.of(entry), column.slot == 0 && column.is_there && plane == 0,
                 entry);
  }
  if constexpr (Core::is_third) {
    if (returns) core.forward(block);
  } else {
    if (returns) core.inverse(block);
  }
  if (solves && column.is_there) {
    store(core, column.memory, Core::is_third);
    clear_missing(core, column.memory);
  }
  if (!solves && depth.is_there)
    store(core, depth.memory, (pass.role == box_role::leave) != Core::is_third);
}

} // namespace warpfold::inline v0::poisson
