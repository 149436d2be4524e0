#pragma once
// The passes over two axes of one rank that has a part of the rows, and between them one of the
// columns, in tiles (slab_tiles.hpp): where those find their numbers.

#include "poisson/engine/mixed/mixed.hpp"
#include "poisson/engine/passes.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// As slot_memory, in blocks of slots, from one of which to the next it is `apart` pairs. Moves are
/// by whole blocks.
template <class T, int Beside>
struct tiled_slots {
  static constexpr bool has_slots = true;
  static constexpr int beside = Beside;
  complex_pair<T>* slots;
  int block_log2;
  unsigned apart;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T>* slot(int x) const {
    int const block = x >> block_log2;
    return slots + std::size_t{apart} * static_cast<unsigned>(block) +
           (x - (block << block_log2)) * Beside;
  }
  template <int By, class Pair>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Pair* moved(Pair* from, int j) const {
    return from + std::size_t{apart} * static_cast<unsigned>(j * By >> block_log2);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get_slot(complex_pair<T> const* from,
                                                              int j) const {
    auto const both = load_pair_cached(moved<By>(from, j));
    return transposed(both.first, both.second);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_slot(complex_pair<T>* to, int j,
                                                            two<T> v) const {
    two<T> const rows = transposed(v.first, v.second);
    *moved<By>(to, j) = {rows.first, rows.second};
  }
};

/// Rows of one rank, whose slots lie in blocks of columns (slab_tiles.hpp), `apart` pairs from each
/// other.
template <class T>
struct tiled_unit_rows : unit_rows<T> {
  int block_log2; ///< slots of a block
  unsigned apart;
};

template <int Beside, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE tiled_slots<T, Beside>
slots_of(tiled_unit_rows<T> const& pass, unsigned, unsigned pair) {
  return {pass.slots + (std::size_t{pair / Beside} << pass.block_log2) * Beside + pair % Beside,
          pass.block_log2, pass.apart};
}

/// Modes by a thread for each block of slots.
template <class Core, bool Leaves, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_units(Block const& block, tiled_unit_rows<T> const& pass, unsigned first) {
  if constexpr (Leaves) {
    fetch_units<Core, Leaves>(block, static_cast<unit_rows<T> const&>(pass), first);
  } else {
    auto const number = static_cast<unsigned>(block.thread_rank());
    unsigned const later = first + pass.ahead;
    if (number < static_cast<unsigned>(pass.slots_of_row) >> pass.block_log2 && pass.ahead != 0 &&
        later + Core::shape::units <= pass.fetchable)
      block.prefetch(pass.slots + std::size_t{number} * pass.apart +
                         (std::size_t{later} << pass.block_log2),
                     (Core::shape::units * unsigned{sizeof(complex_pair<T>)}) << pass.block_log2);
  }
}

/// The numbers that a thread reads one after the other: pairs of rows, or single ones.
template <class Core>
inline constexpr int parts_of_column = Core::takes_two ? Core::points : 2 * Core::points;
/// Columns of one rank, so many from the first one on, in blocks. A thread's number i is of a part
/// of all rows which begins at first[i], where blocks of columns are apart[i] pairs from each
/// other.
template <class T, int Parts>
struct tiled_unit_columns : unit_columns<T> {
  int first_slot; ///< of the rank's part
  int count;      ///< of slots
  int block_log2; ///< slots of a block
  unsigned first[Parts], apart[Parts];
};

/// The column of a tiled pass, as column_memory.
template <class T, int Parts>
struct tiled_column {
  tiled_unit_columns<T, Parts> const& pass;
  int unit;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* at(int y) const {
    int const beside_log2 = pass.tile_log2 - 1, pair = y / 2;
    int const column =
        ((pair >> beside_log2) << pass.block_log2) + (unit & ((1 << pass.block_log2) - 1));
    return pass.entries +
           2 * ((std::size_t{static_cast<unsigned>(column)} << beside_log2) +
                static_cast<unsigned>(pair & ((1 << beside_log2) - 1))) +
           y % 2;
  }
  template <int>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* moved(complex<T>* from, int j) const {
    return from + 2 * (pass.first[j] +
                       std::size_t{pass.apart[j]} * static_cast<unsigned>(unit >> pass.block_log2));
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> get(complex<T>* from, int j) const {
    return load_past(moved<By>(from, j));
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(complex<T>* to, int j, complex<T> v) const {
    *moved<By>(to, j) = v;
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get_two(complex<T>* from, int j) const {
    auto const both =
        load_pair_cached(reinterpret_cast<complex_pair<T> const*>(moved<By>(from, j)));
    return {both.first, both.second};
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_two(complex<T>* to, int j, two<T> v) const {
    *reinterpret_cast<complex_pair<T>*>(moved<By>(to, j)) = {v.first, v.second};
  }
};

template <class T, int Parts>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE unit_line<T, tiled_column<T, Parts>>
column_of(tiled_unit_columns<T, Parts> const& pass, std::size_t, int unit, int last) {
  bool const is_there = unit < last;
  if (!is_there) unit = last - 1;
  return {{pass, unit}, is_there, pass.first_slot + unit};
}
} // namespace warpfold::inline v0::poisson
