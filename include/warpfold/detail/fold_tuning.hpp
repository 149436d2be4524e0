#pragma once
// What of a fold may differ from GPU to GPU without changing a bit of the result. One NVIDIA H200,
// 2026-11-20 and 21, warpfold-tune and warpfold-bench; docs/numerics.md has the story.

namespace warpfold::detail {

struct fold_tuning {
  /// Rows read before the first is used. 4 * 16 bytes a thread keep the memory busy, and the code
  /// is short: small inputs spend much of their time on fetching instructions.
  static constexpr int rows_in_flight = 4;
  static constexpr int ordered_rows_in_flight = 4;

  /// A kernel that starts ahead of its turn prefetches the input if it has no more rows than this
  /// (8 MiB): a larger one would only be asked for twice.
  static constexpr int max_prefetched_rows = 1024;

  /// So few blocks start ahead of their turn whatever room there is: they do not share a
  /// multiprocessor.
  static constexpr int few_blocks = 128;
};

/// Two arrays side by side: a row is two reads a thread.
struct pair_tuning : fold_tuning {
  static constexpr int rows_in_flight = 2;
};

} // namespace warpfold::detail
