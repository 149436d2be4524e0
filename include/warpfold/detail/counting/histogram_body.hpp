#pragma once
// Counting into bins, over a block. Every block counts in shared memory, in several copies side by
// side so that neighbouring lanes do not meet in one word or bank, and in the end adds its counts
// to those in GPU memory, which the block that starts first has set to 0.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>

#include <cstdint>
#include <cstring>

namespace warpfold::inline v0::detail {

/// NVIDIA H200, 2026-11-21: 2^22 floats into 256 bins took 12.2 us with 4 blocks of 512 threads a
/// multiprocessor, and 9.8 us with 2 of 1024. With 4 and 2 rows, which are read before the first is
/// used, 2^28 floats took 239 and 242 us, 2^22 floats 8.5 and 7.9 us.
template <int Rows>
struct histogram_tuning {
  static constexpr int threads = 1024;
  static constexpr int min_blocks = 2;
  static constexpr int rows = Rows;
  /// 8 copies were as good as 32 for 4-byte elements. Bytes come too fast: 2^30 uniform ones took
  /// 428 us with 8 and 368 us with 32.
  static constexpr int words = 8192;
  static constexpr int max_log_copies = 3, max_log_copies_of_bytes = 5;
};

template <class Tuning>
struct histogram_shared {
  unsigned counts[Tuning::words];
  bool is_first;
};

/// GPU memory that the blocks of a kernel share; all of it is 0 between kernels.
struct histogram_scratch {
  std::uint64_t* started; ///< blocks
  std::uint64_t* cleared; ///< not 0 once the counts are 0
  unsigned* arrived;
};

/// The bytes of a word, four hits. Equal ones, as in data that are all alike, are one addition.
template <thread_block Block>
WARPFOLD_HOST_DEVICE void count_bytes(Block const& block, unsigned* counts, int log_copies,
                                      unsigned word) {
  unsigned const first = word & 0xff;
  if (word == first * 0x01010101u) {
    block.fetch_add(counts + (first << log_copies), 4u);
    return;
  }
  WARPFOLD_UNROLL
  for (int k = 0; k < 4; ++k) block.fetch_add(counts + ((word >> 8 * k & 0xff) << log_copies), 1u);
}

/// Elements before the first that lies at a multiple of 16 bytes: fewer than a block has threads.
template <class Iterator>
struct unaligned_head {
  Iterator first;
  int size;
};

/// counts[b] = how many elements, of a head and `size` more, are in bin b = bin_of(element), 0 <= b
/// < bins <= words. Bytes are counted by value, and their bins looked up in the end.
template <class Tuning, thread_block Block, class Iterator, class Reader, class BinOf>
WARPFOLD_HOST_DEVICE void count_bins(Block const& block, unaligned_head<Iterator> head,
                                     Reader reader, std::int64_t size, BinOf bin_of, int bins,
                                     std::uint64_t* counts, histogram_scratch scratch,
                                     histogram_shared<Tuning>& shared) {
  using element = std::remove_cvref_t<decltype(reader(reader.load(0), 0))>;
  constexpr bool bytes = std::is_same_v<element, std::uint8_t>;
  constexpr int lanes = Reader::lanes, threads = Tuning::threads;
  constexpr std::int64_t row_size = threads * lanes, batch_size = Tuning::rows * row_size;
  int const rank = block.thread_rank();
  int const slots = bytes ? 256 : bins;
  int log_copies = bytes ? Tuning::max_log_copies_of_bytes : Tuning::max_log_copies;
  while (slots << log_copies > Tuning::words) --log_copies;
  block.wait_for_previous_grid();

  if (rank == 0) shared.is_first = block.fetch_add(scratch.started, std::uint64_t{1}) == 0;
  for (int i = rank; i < slots << log_copies; i += threads) shared.counts[i] = 0;
  block.sync();
  if (shared.is_first) {
    for (int b = rank; b < bins; b += threads) block.store_relaxed(counts + b, 0);
    block.sync();
    if (rank == 0) block.store_release(scratch.cleared, 1);
  }

  unsigned* const own = shared.counts + (rank & ((1 << log_copies) - 1));
  auto const count = [&](element const& x) {
    if constexpr (bytes) {
      block.fetch_add(own + (unsigned{x} << log_copies), 1u);
    } else {
      auto const bin = static_cast<unsigned>(bin_of(x));
      if (bin < static_cast<unsigned>(bins)) block.fetch_add(own + (bin << log_copies), 1u);
    }
  };
  if (block.block_rank() == 0 && rank < head.size) count(head.first[rank]);
  std::int64_t const first = block.block_rank() * batch_size + rank * lanes;
  std::int64_t const stride = block.grid_size() * batch_size;
  reader.advance(first);
  WARPFOLD_UNROLL_BY(1)
  for (std::int64_t left = size - first; left > 0; left -= stride) {
    if (left >= batch_size - rank * lanes) {
      typename Reader::pack rows[Tuning::rows];
      WARPFOLD_UNROLL
      for (int i = 0; i < Tuning::rows; ++i) rows[i] = reader.load(i * static_cast<int>(row_size));
      WARPFOLD_UNROLL
      for (int i = 0; i < Tuning::rows; ++i) {
        if constexpr (bytes && sizeof rows[i] == 16) {
          unsigned words[4];
          std::memcpy(words, &rows[i], sizeof words);
          WARPFOLD_UNROLL
          for (unsigned const word : words) count_bytes(block, own, log_copies, word);
        } else {
          WARPFOLD_UNROLL
          for (int v = 0; v < lanes; ++v) count(reader(rows[i], v));
        }
      }
    } else { // the incomplete batch at the end
      WARPFOLD_UNROLL_BY(1)
      for (int i = 0; i < Tuning::rows; ++i) {
        std::int64_t const there = left - i * row_size;
        if (there <= 0) break;
        int const in_row = there < lanes ? static_cast<int>(there) : lanes;
        auto const row = reader.load_first(i * static_cast<int>(row_size), in_row);
        WARPFOLD_UNROLL
        for (int v = 0; v < lanes; ++v)
          if (v < in_row) count(reader(row, v));
      }
    }
    reader.advance(stride);
  }

  // Before the additions to GPU memory, so that nobody waits for those.
  if (rank == 0) {
    while (block.load_acquire(scratch.cleared) == 0) {
    }
    if (block.arrives_last(scratch.arrived)) *scratch.started = *scratch.cleared = 0;
  }
  block.sync();
  auto const sum_of = [&](int slot) {
    unsigned sum = 0;
    int const copies = 1 << log_copies;
    WARPFOLD_UNROLL_BY(8)
    for (int c = 0; c < copies; ++c) // every lane another bank
      sum += shared.counts[(slot << log_copies) + ((c + rank) & (copies - 1))];
    return sum;
  };
  if constexpr (bytes) {
    static_assert(threads >= 256);
    unsigned const sum = rank < slots ? sum_of(rank) : 0;
    block.sync();
    for (int b = rank; b < bins; b += threads) shared.counts[b] = 0;
    block.sync();
    if (sum != 0) {
      auto const bin = static_cast<unsigned>(bin_of(static_cast<std::uint8_t>(rank)));
      if (bin < static_cast<unsigned>(bins)) block.fetch_add(shared.counts + bin, sum);
    }
    block.sync();
    log_copies = 0;
  }
  for (int b = rank; b < bins; b += threads)
    if (unsigned const sum = sum_of(b); sum != 0)
      block.fetch_add(counts + b, static_cast<std::uint64_t>(sum));
}

} // namespace warpfold::inline v0::detail
