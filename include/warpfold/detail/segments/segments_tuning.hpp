#pragma once
// Parameters of segmented reductions that may differ between GPUs. No bit of the results depends on
// them.
// One NVIDIA H200, 2026-11-21: sums of 2^28 floats, timed beside each other. With 2, 4 and 8 warps
// a segment, 4096 elements each took 237.1, 235.7 and 239.9 us, 16,384 each 244.5, 240.3 and 239.2;
// spans of 4 stages in place of 8, a power law of lengths 599 in place of 563 us.

#include <warpfold/detail/reduction/fold_tuning.hpp>

namespace warpfold::inline v0::detail {

struct segments_tuning : fold_tuning {
  /// Short segments of one length that a thread asks for before it uses the first.
  static constexpr int segments_in_flight = 4;
  /// Warps that share a segment of one length, if its tree has as many.
  static constexpr int warps_of_segment = 4;
  /// Warps that keep a GPU's memory busy: with fewer segments, more share one.
  static constexpr int enough_warps = 132 * 64;
  /// A warp's part of the segments and elements between offsets: stages of them at most, and places
  /// in their sequence at least.
  static constexpr int stages_of_span = 8;
  static constexpr int least_span = 256;
  /// Parts of marked runs that a warp folds one after the other, at most.
  static constexpr int marked_parts = 8;
  /// Warps that keep a GPU busy. With twice as many parts or more, so many at the end have a warp
  /// each. us of sums by key of 2^24 and 2^28 floats, power law: 76.4 and 829 instead of 80.2 and
  /// 829; in runs of 32: 50.3 and 595 instead of 50.5 and 602 (2026-11-29,
  /// docs/validation/2026-11-29-registers-h200.txt).
  static constexpr int marked_warps = 132 * 32;
  /// Registers in which a warp that folds a long segment asks for elements. Between offsets more
  /// would not fit into 64, and what else the kernel needs would lie in memory.
  static constexpr int registers_of_marked = 48;
  static constexpr int registers_between_offsets = 16;
  /// For which grids are made.
  static constexpr int multiprocessors = 132;
  /// Blocks of 512 threads that keep a GPU's memory busy.
  static constexpr int long_blocks = multiprocessors * 4;
};

} // namespace warpfold::inline v0::detail
