#pragma once
// How passes are divided among threads. Figures of row_tuning and column_tuning without a date:
// NVIDIA H200, 2026-11-21 and 22, us a solve of N^2 points in float if not said otherwise, by
// kernels for periodic squares alone, cuFFT's R2C, division and C2R in the same run beside them.
// Others: NVIDIA H100, 2026-11-25, if they name no GPU.

#include "depths.hpp"
#include "lengths.hpp"
#include "mixed/mixed_columns.hpp"
#include "passes.hpp"
#include "poisson/engine/single/lone.hpp"
#include "poisson/engine/single/packed.hpp"

#include <algorithm>
#include <type_traits>

namespace warpfold::inline v0::poisson {

/// Blocks of a multiprocessor that leave each thread so many registers.
constexpr int blocks_for_registers(int threads, int registers) {
  int const blocks = 65536 / (threads * registers);
  return blocks < 1 ? 1 : blocks < 32 ? blocks : 32;
}

/// A thread has 2 * points numbers of a line: 64 registers for those of long lines, fewer for those
/// of short ones, which wait for each other rather than for memory (N = 128: 4 points 4.07, 8
/// points 6.66; cuFFT 11.5). NVIDIA H200, 2026-11-26: N = 512 6.20 with 4 points and 2 lines, 6.82
/// with 8 and 4; N = 2048 28.3 with 8 points, 30.7 with 16; double, N = 512 9.45 with 4 points,
/// 10.2 with 8.
template <class T, int Width>
struct row_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Width >= 4096   ? 16
                                            : Width >= 1024 ? 8
                                                            : 4)
                                         : (Width >= 1024 ? 8 : 4);
  /// N = 1024: 8 points and 2 lines 11.7, 4 lines 12.1, 16 points and 2 lines 13.9; cuFFT 26.4.
  /// N = 256, double: 2 lines 5.19, 4 lines 6.10; cuFFT 14.2.
  static constexpr int lines = is_float ? (Width == 64     ? 8
                                           : Width == 128  ? 4
                                           : Width <= 8192 ? 2
                                                           : 1)
                                        : (Width <= 128    ? 4
                                           : Width <= 2048 ? 2
                                                           : 1);
  /// True if what periodic lines need is read and computed while the pass before this one ends, and
  /// kept in registers. Squares, NVIDIA H100, 2026-11-25, with and without: N = 64 3.24 and 3.75,
  /// 128 3.86 and 4.44, 256 4.68 and 5.16, 512 7.08 and 7.74, 1024 13.08 and 13.94; double 64 4.39
  /// and 4.74, 256 5.55 and 6.31. H200, 2026-11-26: double 512 9.45 and 10.44.
  static constexpr bool keeps = Width <= (is_float ? 1024 : 512);
  /// True if rows read and write what is to leave the L2 cache first: fields of 2 MB or more.
  /// NVIDIA H200, 2026-11-26, with and without, L2 cold and warm: N = 512 6.60 and 6.53, 6.31
  /// and 6.10; N = 1024 12.3 and 12.9, 11.8 and 11.9; double 512 10.0 and 10.1, 9.45 and 9.56.
  static constexpr bool streams = std::size_t{Width} * Width * sizeof(T) >= std::size_t{2} << 20;
};

template <class T, int Height>
struct column_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Height >= 2048   ? 16
                                            : Height >= 1024 ? 8
                                                             : 4)
                                         : (Height >= 1024 ? 8 : 4);
  /// N = 4096: 2 pairs of columns 63, 1 pair 70. NVIDIA H200, 2026-11-26, N = 256: 4.16 with
  /// 4, 4.34 with 2; N = 512: 6.20 with 2, 6.51 with 4.
  static constexpr int columns = is_float ? (Height == 64     ? 8
                                             : Height <= 256  ? 4
                                             : Height <= 4096 ? 2
                                                              : 1)
                                          : (Height <= 1024 ? 2 : 1);
  static constexpr bool keeps = row_tuning<T, Height>::keeps;
};

/// NVIDIA H100, 2026-11-25, us of a square of floats. N = 8192, periodic: 604; with fetches_back of
/// 2 649, and without fetches 683; tiles of 8 units 619. N = 16384, cells: 3232; tiles of 8 3280;
/// without clusters, fetches_back and fetches of 2, 4052. Clusters where fetches_back was 2 still:
/// N = 4096 164 for 157, 8192, with tiles of 8, 685 for 652. NVIDIA H200, 2026-11-26, N = 16384
/// with tiles of 4 and 8: periodic 2824 and 2699, cells 2950 and 2973, mixed cells 2922 and 2968,
/// mixed nodes 3210 and 3167.
template <class T, unit_kind Kind, int Length>
struct unit_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  /// Units of rows in a tile. Nodes, N = 8192: 4 units 814, 8 units 790; N = 16384: 3932 and 3760.
  static constexpr int beside =
      !is_float                  ? (Length >= 4096 ? 4 : 2)
      : Length < 8192            ? 2
      : Kind == unit_kind::first ? 8
      : Length == 16384 && (Kind == unit_kind::fourier || Kind == unit_kind::third) ? 8
                                                                                    : 4;
  static_assert(beside <= most_beside);
  /// Blocks of rows that store their units together, since pieces of one unit each would be parts
  /// of what memory fetches at once.
  static constexpr int cluster = Length == 16384 || (!is_float && Length >= 4096) ? 2 : 1;
  /// Halves of the units at work by which rows are fetched ahead into the L2 cache.
  /// Nodes, NVIDIA H200, 2026-11-26, N = 8192: 722 by one half, 706 by two.
  static constexpr int fetches_back = is_float && Kind == unit_kind::first && Length == 8192 ? 2
                                      : Length >= 4096                                       ? 1
                                                                                             : 0;
  /// The same for columns. Mixed cells, NVIDIA H200, 2026-11-26, N = 8192: 628 without, 611 with.
  static constexpr int fetches = Length < 4096 ? 0
                                 : is_float    ? Kind != unit_kind::fourth || Length == 8192
                                               : Length == 4096;
};

/// Halves a thread's points where the lines of type 1 would otherwise have one stage.
constexpr int pruned_points(int length, int points) {
  return length >= 4 * points * points ? points : points / 2;
}

/// A core for the kind of axis, whose units are of so many points a thread. Periodic ones may keep
/// what they have before their turn.
template <class T, unit_kind Kind, int Length, int Points, int Units, int Beside,
          bool Keeps = false>
using unit_core = std::conditional_t<
    Kind == unit_kind::first,
    pruned_core<pruned_shape<T, Length, pruned_points(Length, Points), Units, Beside>>,
    paired_core<
        paired_shape<T, Kind, Length, Points, Units, Beside, Keeps && Kind == unit_kind::fourier>>>;

/// Boxes have many rows and are bound by memory, single squares by latency. These lengths have a
/// layout for each.
template <class T, int Length>
inline constexpr bool has_many = Length >= 128 && Length <= 512;
template <class T, int Length, bool Many>
struct unit_row_layout {
  using tuning = row_tuning<T, Length>;
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  /// Cubes of 128 floats, NVIDIA H200, 2026-11-26: 25.4 with 4, 26.8 with 8.
  static constexpr int points = !Many ? tuning::points : Length >= (is_float ? 256 : 512) ? 8 : 4;
  static constexpr int units = !Many       ? tuning::lines
                               : !is_float ? (Length <= 256 ? 4 : 2)
                                           : (Length == 128 ? 8 : 4);
  /// As row_tuning::streams, of rows that are left or come back to. Rows of nodes share sectors:
  /// cubes of 513 points 2713 without, 2791; squares of 4097, NVIDIA H200, 2026-11-26, 181 and 185.
  /// Mixed nodes, H200, 2026-11-30, with streaming and without: N = 8192 636 and 625; 16384 3199
  /// and 3129. With streaming when they are come back to, and without: 4096 151.3 and 152.2, 8192
  /// 633 and 631.
  template <unit_kind Kind, bool Leaves>
  static constexpr bool streams = (Many || tuning::streams) && Kind != unit_kind::first &&
                                  (Kind != unit_kind::third || (!Leaves && Length < 8192));
  /// Units that go to neighbouring threads.
  static constexpr int beside =
      std::min(units, Many ? 64 / (points * static_cast<int>(sizeof(T))) : 2);
  template <unit_kind Kind>
  using core = unit_core<T, Kind, Length, points, units, beside, !Many && tuning::keeps>;
};
template <class T, int Length>
class unit_column_layout {
  using tuning = column_tuning<T, Length>;
  /// Periodic, N = 1024: 12.5 with 4, 13.1 with 2.
  template <unit_kind Kind>
  static constexpr int units = Kind == unit_kind::fourier &&
                                       sizeof(T) == sizeof(float) && Length == 1024
                                   ? 4
                                   : tuning::columns;
  template <unit_kind Kind>
  struct paired_columns {
    using core =
        unit_core<T, Kind, Length, tuning::points, units<Kind>, units<Kind>, tuning::keeps>;
    static constexpr int fetches = unit_tuning<T, Kind, Length>::fetches;
  };
  template <unit_kind Kind>
  using chosen = std::conditional_t<has_mixed_columns<T, Kind, Length>,
                                    mixed_columns<T, Kind, Length>, paired_columns<Kind>>;

public:
  template <unit_kind Kind>
  using core = typename chosen<Kind>::core;
  template <unit_kind Kind>
  static constexpr int fetches = chosen<Kind>::fetches;
};

/// A block's units are beside each other in memory: pieces of 64 or 128 bytes.
template <class T, int Length>
struct box_layout {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Length >= 1024  ? 16
                                            : Length >= 256 ? 8
                                                            : 4)
                                         : (Length >= 256 ? 8 : 4);
  /// N = 256 185 with 8 units, 194 with 16; N = 512 1642 with 8, 1892 with 16. Periodic, NVIDIA
  /// H100, 2026-11-25, N = 512: 1796 with 4, 1827 with 8.
  template <unit_kind Kind>
  static constexpr int units =
      !is_float                                     ? (Length <= 512 ? 8 : 4)
      : Kind == unit_kind::fourier && Length == 512 ? 4
                                                    : (Length <= 128 ? 16 : 8);
  template <unit_kind Kind>
  using core = unit_core<T, Kind, Length, points, units<Kind>, units<Kind>>;
};
/// Across planes: pieces of 128 bytes. N = 128, float: 28.5 with 4 points, 34.6 with 8.
template <class T, int Length>
struct depth_layout {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float && Length >= 1024 ? 16 : Length >= 256 ? 8 : 4;
  static constexpr int units = (is_float ? 8 : 4) / (Length <= 512 ? 1 : 2);
  using core = depth_core<depth_shape<T, Length, points, units>>;
};
template <class Core>
inline constexpr int depth_blocks_wanted = blocks_for_registers(Core::shape::threads,
                                                                Core::points >= 16 ? 128 : 64);
/// Along the rows of planes of long columns. us of all passes over columns of 32768^2 floats,
/// NVIDIA H200, 2026-11-26: 7367 with 4 points and 8 units, 7502 with 8 and 8, 7903 with 4 and 16.
/// Double, 16384^2: 3953 with 4 and 8, 4156 with 8 and 8.
template <class T, int Length>
struct long_layout {
  static constexpr int points = Length >= 256 ? 8 : 4;
  using core = paired_core<paired_shape<T, unit_kind::fourier, Length, points, 8, 8>>;
};
/// Blocks of a multiprocessor that leave each thread so many registers. Float, the same figure:
/// 7367 with 64 across planes and 80 within, 7563 with 64 within.
template <class Core>
inline constexpr int cross_blocks_wanted = blocks_for_registers(
    Core::shape::threads, sizeof(typename Core::T) == sizeof(float) ? 64 : 128);
template <class Core>
inline constexpr int within_blocks_wanted = blocks_for_registers(
    Core::shape::threads, sizeof(typename Core::T) == sizeof(float) ? 80 : 128);
/// Lines of one axis, 2 * Length numbers of each; the threads of a line are beside each other. us
/// for 2^24 numbers in periodic lines, NVIDIA H200, 2026-11-26. N = 4096: 51.6, without fetching
/// 54.4, with one line a block 53.4, with four 55.8. N = 16384: 58.6 with one line, 71.7 with two;
/// double, N = 4096: 86.3 and 102. N = 512: 50.6 with 8 points and 4 lines, 75.7 with 4 and 2 (a
/// few lines alone: 2.1 with 4 points and 2.8 with 8); double 82.8 and 139. N = 256, double: 83.1
/// with 8 points, 105 with 4.
template <class T, int Length>
struct packed_layout {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float && Length >= 2048         ? 16
                                : Length >= (is_float ? 256 : 128) ? 8
                                                                   : 4;
  static constexpr int units = is_float ? (Length >= 4096  ? 1
                                           : Length >= 512 ? 2
                                           : Length >= 128 ? 4
                                                           : 8)
                                        : (Length >= 512   ? 1
                                           : Length == 256 ? 2
                                                           : 4);
  /// Halves of the lines at work. (With 32768 points it costs 1 %.)
  static constexpr int fetches = 1;
  template <unit_kind Kind>
  using core = packed_core<paired_shape<T, Kind, Length, points, units, 1>>;
};
/// Lines of type 1 of one axis. Their shapes are those of rows, and were not measured.
template <class T, int Length>
struct lone_layout {
  using tuning = row_tuning<T, Length>;
  static constexpr int fetches = 1; ///< as in packed_layout
  using core =
      lone_core<pruned_shape<T, Length, pruned_points(Length, tuning::points), tuning::lines, 1>>;
};
/// Blocks of a multiprocessor that leave each thread enough registers. Pruned lines have an odd
/// number of warps, two blocks of which leave 96: N = 4096, nodes, 192 us, with one block 218. In
/// double their columns took 207 us and with one block 177.
template <class Core, bool Rows>
inline constexpr int unit_blocks_wanted = [] {
  using T = typename Core::T;
  constexpr bool is_float = sizeof(T) == sizeof(float);
  constexpr bool is_large = Core::points * sizeof(T) >= 64;
  if constexpr (requires { Core::is_mixed; }) return Core::shape::blocks;
  else if constexpr (Core::shape::keeps)
    return blocks_for_registers(Core::shape::threads, Core::points * sizeof(T) == 32 ? 168 : 128);
  int const registers = is_large   ? (Core::is_pruned && (is_float || Rows) ? 112 : 128)
                        : is_float ? 80
                                   : 128;
  return blocks_for_registers((Core::shape::threads + 31) / 32 * 32, registers);
}();
/// As unit_blocks_wanted. With 80 registers type 2 of 2048 floats keeps some bytes in local memory;
/// more were not measured.
template <class Core>
inline constexpr int packed_blocks_wanted = [] {
  if constexpr (Core::is_pruned) return unit_blocks_wanted<Core, false>;
  constexpr bool has_many = sizeof(typename Core::T) == sizeof(double) || Core::points >= 16;
  return blocks_for_registers((Core::shape::threads + 31) / 32 * 32, has_many ? 128 : 80);
}();

} // namespace warpfold::inline v0::poisson
