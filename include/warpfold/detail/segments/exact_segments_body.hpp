#pragma once
// The bodies of the exact sums of segments. The elements of the array are cut into equal chunks,
// one for a warp, whatever the segments: integers can be added up from anywhere, in any order.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/reduction/exact_body.hpp>
#include <warpfold/detail/segments/segments_shape.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// Elements of a chunk: 16 KiB of them.
template <class T>
inline constexpr std::int64_t exact_chunk = (16 << 10) / static_cast<int>(sizeof(T));

/// The most elements of a segment that one thread adds up alone.
inline constexpr int exact_alone = 32;

/// Sum of a segment of several chunks, kept by the one in which it begins, as no other such can.
template <class Terms>
struct exact_chunk_words {
  std::uint64_t word[Terms::layout::size];
  unsigned ticket; ///< chunks that are done with the segment
};

/// Prepares for exact_segments: sets the chunks' words to 0, and gives empty segments their sum.
template <class Terms, thread_block Block, class T>
WARPFOLD_HOST_DEVICE void prepare_exact_segments(Block const& block, segment_list segments,
                                                 exact_chunk_words<Terms>* chunks,
                                                 std::int64_t chunk_count, T* results) {
  std::int64_t const first = std::int64_t{block.block_rank()} * block.size() + block.thread_rank();
  std::int64_t const stride = std::int64_t{block.grid_size()} * block.size();
  block.wait_for_previous_grid();
  segments.resolve();
  for (std::int64_t c = first; c < chunk_count; c += stride) chunks[c] = {};
  for (std::int64_t i = first; i < segments.count(); i += stride)
    if (segments.begin(i) == segments.end(i)) results[i] = T{0};
}

template <class Terms, int Threads>
struct exact_segments_shared {
  std::int64_t columns[Terms::layout::words * Threads];
  std::int64_t of_warp[Threads / warp_size][Terms::layout::size];
};

/// Writes the rounded sums of the segments that are not empty, of an array of `size` elements.
template <class Terms, int Threads, thread_block Block, class T, class Widen, class Result>
WARPFOLD_HOST_DEVICE void exact_segments(Block const& block, T const* values, Widen widen,
                                         segment_list segments, std::int64_t size,
                                         exact_segments_shared<Terms, Threads>& shared,
                                         exact_chunk_words<Terms>* chunks, Result* results) {
  using layout = typename Terms::layout;
  using element = typename Terms::element;
  int const lane = block.thread_rank() % warp_size, warp = block.thread_rank() / warp_size;
  constexpr std::int64_t chunk = exact_chunk<T>;
  std::int64_t const count = (size + chunk - 1) / chunk;
  exact_row const row{shared.of_warp[warp]};
  block.wait_for_previous_grid();
  segments.resolve();

  auto const add_part = [&](std::int64_t i, std::int64_t first, std::int64_t end) {
    exact_thread<Terms, Threads> self(exact_column<Threads>{shared.columns + block.thread_rank()});
    constexpr int in_flight = 8;
    WARPFOLD_UNROLL_BY(1)
    for (std::int64_t at = first; at < end; at += in_flight * warp_size) {
      element batch[in_flight];
      WARPFOLD_UNROLL
      for (int k = 0; k < in_flight; ++k) {
        std::int64_t const mine = at + k * warp_size + lane;
        batch[k] = mine < end ? widen(values[mine]) : element{};
      }
      self.add(block, batch);
    }
    block.sync_warp();
    self.sum_warp(block, row);
    block.sync_warp();
    std::int64_t const begins = segments.begin(i), ends = segments.end(i);
    if (first != begins || end != ends) {
      std::int64_t const home = begins / chunk;
      exact_chunk_words<Terms>& words = chunks[home];
      for (int k = lane; k < layout::size; k += warp_size)
        if (row(k) != 0) block.fetch_add(words.word + k, static_cast<std::uint64_t>(row(k)));
      block.sync_warp();
      bool is_last = false;
      auto const parts = static_cast<unsigned>((ends - 1) / chunk - home + 1);
      if (lane == 0) is_last = block.arrives_last(&words.ticket, parts);
      if (!block.broadcast(is_last)) return;
      block.sync_warp();
      for (int k = lane; k < layout::size; k += warp_size)
        row(k) = static_cast<std::int64_t>(block.exchange(words.word + k, 0));
    }
    word_range const range = range_of_row<layout>(block, row);
    if (lane == 0) results[i] = round_sum<Result, layout>(row, range);
    block.sync_warp();
  };

  std::int64_t const warps = std::int64_t{block.grid_size()} * (Threads / warp_size);
  for (std::int64_t c = std::int64_t{block.block_rank()} * (Threads / warp_size) + warp; c < count;
       c += warps) {
    std::int64_t const low = c * chunk, high = low + chunk < size ? low + chunk : size;
    std::int64_t i = segments.first_behind(low, 0);
    // A lane looks at a segment each.
    while (i < segments.count() && segments.begin(i) < high) {
      std::int64_t const mine = i + lane;
      std::int64_t begin = high, end = high;
      if (mine < segments.count()) {
        begin = segments.begin(mine);
        end = segments.end(mine);
      }
      std::int64_t const first = begin < low ? low : begin, behind = end > high ? high : end;
      bool needs_warp = first < behind;
      if (!block.any(needs_warp)) { // empty ones, of which there may be millions
        std::int64_t const last =
            i + warp_size < segments.count() ? i + warp_size : segments.count();
        i = segments.first_behind(segments.begin(last - 1), i);
        continue;
      }
      if (needs_warp && first == begin && behind == end && end - begin <= exact_alone) {
        expansion<Terms::parts> sum;
        std::uint64_t rest = 0;
        for (std::int64_t at = begin; at < end; ++at)
          rest |= Terms::add_fast(sum, widen(values[at]));
        if (rest == 0) {
          // One rounding at most: when two parts are added to a double, or one part is cast to a
          // float.
          static_assert(Terms::parts == 1 || (Terms::parts == 2 && sizeof(Result) == 8));
          double total = 0;
          for (int k = Terms::parts - 1; k >= 0; --k) total = plus{}(total, sum.part[k]);
          results[mine] = static_cast<Result>(total);
          needs_warp = false;
        }
      }
      while (true) {
        // The first lane that still has one gives it to all.
        int const next = block.reduce_min(needs_warp ? lane : warp_size);
        if (next == warp_size) break;
        std::int64_t const j = i + next;
        std::int64_t const b = segments.begin(j), e = segments.end(j);
        add_part(j, b < low ? low : b, e > high ? high : e);
        if (lane == next) needs_warp = false;
      }
      i += warp_size;
    }
  }
}

} // namespace warpfold::inline v0::detail
