#pragma once
// Columns of powers of two that are faster in a mixed_core than in a paired one: a thread takes
// rows one by one, and neighbours those of a tile.

#include "mixed.hpp"
#include "poisson/engine/lengths.hpp"

#include <type_traits>

namespace warpfold::inline v0::poisson {

/// us of squares, NVIDIA H200, 2026-11-28, with a paired_core and with these. Periodic floats: N =
/// 8192 543 and 536, 16384 2683 and 2570, but 4096 133 and 141. Doubles: 512 14.3 and 12.8, 1024
/// 28.5 and 27.2, 2048 72.7 and 68.3, 4096 323 and 287, 8192 1427 and 1277. Cells: floats, 16384
/// 2953 and 2863, 8192 583 and 594; doubles, 8192 1517 and 1482, 4096 336 and 335. Mixed cells:
/// floats, 16384 3004 and 2805; doubles, 8192 1552 and 1518, 4096 342 and 349.
template <class T, unit_kind Kind, int Length>
inline constexpr bool has_mixed_columns = Kind == unit_kind::fourier
                                              ? Length >= (sizeof(T) == sizeof(float) ? 8192 : 512)
                                          : Kind == unit_kind::second || Kind == unit_kind::fourth
                                              ? Length ==
                                                    static_cast<int>(most_unit_points(sizeof(T)))
                                              : false;

/// Units of a tile of any rows, at most.
constexpr int most_beside = 8;

template <class T, unit_kind Kind, int Length>
struct mixed_columns {
  template <int Units, int Blocks, int... Radices>
  using made = mixed_core<
      mixed_shape<T, Kind, mixed_stages<Radices...>, Units, Units, Blocks, 2 * most_beside>>;

  static auto chosen() {
    if constexpr (Length == 512) return std::type_identity<made<2, 3, 8, 8, 8>>{};
    else if constexpr (Length == 1024) return std::type_identity<made<2, 4, 8, 8, 16>>{};
    else if constexpr (Length == 2048) return std::type_identity<made<1, 4, 16, 8, 16>>{};
    else if constexpr (Length == 4096) return std::type_identity<made<1, 2, 16, 16, 16>>{};
    else if constexpr (Length == 8192) return std::type_identity<made<1, 1, 32, 8, 32>>{};
    else return std::type_identity<made<1, 1, 32, 16, 32>>{};
  }
  using core = typename decltype(chosen())::type;
  /// Halves of the units at work by which columns are fetched ahead. As above, without and with:
  /// periodic floats, N = 8192 553 and 536, 16384 2637 and 2577; cells, 16384 2863 and 2901;
  /// periodic doubles, 4096 295 and 287, 8192 1342 and 1268; cells, 8192 1499 and 1486.
  static constexpr int fetches =
      Length >= 4096 && (Kind == unit_kind::fourier || sizeof(T) == sizeof(double));
};

} // namespace warpfold::inline v0::poisson
