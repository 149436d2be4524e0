#pragma once
// The units that there are kernels for: transforms of powers of two from 64 to 16384, in double to
// 8192, divided as the passes over squares are.

#include "passes.hpp"
#include "poisson/squares/fused_tuning.hpp"

#include <algorithm>
#include <type_traits>

namespace warpfold::inline v0::poisson {

template <class T, int Length>
struct unit_tuning {
  using rows = row_tuning<T, Length>;
  using columns = column_tuning<T, Length>;
  static constexpr int beside = rows::interleaved; ///< units of rows in a tile
  static constexpr bool streams = rows::streams;
  static constexpr int row_units = rows::lines, column_units = columns::columns;
  static constexpr int fetches_back = rows::fetches_back;
  /// As column_tuning::fetches, for lines of as many numbers as those have in two.
  static constexpr int fetches = sizeof(T) != sizeof(float) ? 0
                                 : Length == 4096           ? 1
                                 : Length == 16384          ? 2
                                                            : 0;
};

template <class T, int Length, bool Rows>
struct unit_layout {
  using tuning = unit_tuning<T, Length>;
  static constexpr int points = Rows ? tuning::rows::points : tuning::columns::points;
  static constexpr int units = Rows ? tuning::row_units : tuning::column_units;
  /// Units that go to neighbouring threads.
  static constexpr int beside = Rows ? std::min(units, tuning::beside) : units;
  template <unit_kind Kind>
  using paired = paired_core<paired_shape<T, Kind, Length, points, units, beside>>;
  using pruned = pruned_core<pruned_shape<T, Length, points, units, beside>>;
};
/// Blocks of a multiprocessor that leave each thread enough registers. Pruned lines have an odd
/// number of warps, two blocks of which leave 96: N = 4096, nodes, 192 us, with one block 218. In
/// double their columns took 207 us and with one block 177.
template <class Core, bool Rows>
inline constexpr int unit_blocks_wanted = [] {
  using T = typename Core::T;
  constexpr bool is_float = sizeof(T) == sizeof(float);
  constexpr bool is_large = Core::points * sizeof(T) >= 64;
  int const registers = is_large   ? (Core::is_pruned && (is_float || Rows) ? 112 : 128)
                        : is_float ? 80
                                   : 128;
  return blocks_for_registers((Core::shape::threads + 31) / 32 * 32, registers);
}();

} // namespace warpfold::inline v0::poisson
