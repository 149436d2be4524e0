#pragma once
// Tuning of a fold that changes no bit of the result, so it may differ from GPU to GPU. One NVIDIA
// H200, 2026-11-20 and 21, warpfold-tune and warpfold-bench; docs/numerics.md has the story.

namespace warpfold::inline v0::detail {

struct fold_tuning {
  /// Rows read before the first is used. 4 * 16 bytes a thread keep the memory busy, and the code
  /// is short: small inputs spend much of their time on fetching instructions.
  static constexpr int rows_in_flight = 4;
  static constexpr int ordered_rows_in_flight = 4;

  /// A kernel that starts ahead of its turn prefetches the input if it has no more rows than this
  /// (8 MiB): a larger one would only be asked for twice.
  static constexpr int max_prefetched_rows = 1024;

  /// Grids of so few blocks, which share no multiprocessor, always start ahead of their turn.
  static constexpr int few_blocks = 128;

  /// Blocks that a multiprocessor must have room for; 0: as fold.cuh says.
  static constexpr int min_blocks = 0;
};

/// Counts of 32-bit elements by predicates that are small would take 34 registers, and three blocks
/// of 512 threads would fit (2^22 floats, same machine and day: 0.89 of the plain sum's speed).
struct count_tuning : fold_tuning {
  static constexpr int min_blocks = 4;
};

/// For accumulators that leave room for 1024 threads on a multiprocessor. NVIDIA H200, 2026-11-21,
/// compensated sums of 2^28 floats: 0.99 of the plain sum's speed, 0.96 with 4 rows.
struct wide_tuning : fold_tuning {
  static constexpr int rows_in_flight = 8;
};

/// Two arrays side by side: a row is two reads a thread, and twice the bytes. Same machine and day:
/// dot products of float are fastest with 4 rows, of other types with 2. With registers for all
/// reads at once, us of dot products of 2^10, 2^14 and 2^20 int64 are 1.16, 2.43 and 6.49 instead
/// of 1.57, 2.91 and 6.72; of 2^26, 237.3 instead of 236.5 (2026-11-29,
/// docs/validation/2026-11-29-registers-h200.txt).
template <int Rows>
struct pair_tuning : fold_tuning {
  static constexpr int rows_in_flight = Rows;
  static constexpr int max_prefetched_rows = fold_tuning::max_prefetched_rows / 2;
  static constexpr int min_blocks = 2;
};

} // namespace warpfold::inline v0::detail
