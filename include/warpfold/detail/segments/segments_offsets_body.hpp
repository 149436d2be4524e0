#pragma once
// The body of the kernel that folds segments between offsets. A warp owns the segments that begin
// in its part of the sequence (segment 0, its elements, segment 1, its elements, ...), so that all
// warps have as much to do. It takes as many at once as fit into its shared memory, fetches their
// elements whole, and gives each as many threads as its length asks for.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/segments/segment_folds.hpp>

#include <cstdint>
#include <cstring>

namespace warpfold::inline v0::detail {

template <class T, class A>
struct stage {
  alignas(16) alignas(T) unsigned char elements[stage_elements<T> * sizeof(T)];
  warp_totals<A, max_warps> totals;
  int begin[held_offsets]; ///< of the batch's segments, from the first one's on
  int batch;               ///< segments that fit
  int listed[listed_kinds];
  unsigned char lists[listed_kinds][held_offsets];

  WARPFOLD_HOST_DEVICE unsigned char& entry(int kind, int at) { return lists[kind][at]; }
};

template <class T, class A>
struct segments_shared {
  stage<T, A> of_warp[offsets_warps];
  std::int64_t bound[offsets_warps + 1];
};

/// The first segment at or beyond `target` in the sequence; a warp and its `exchange` search it.
template <thread_block Block>
WARPFOLD_HOST_DEVICE std::int64_t find_segment(Block const& block, segment_offsets const& offsets,
                                               std::int64_t target, std::int64_t* exchange) {
  int const lane = block.thread_rank() % warp_size;
  std::int64_t const origin = offsets.at(0);
  std::int64_t low = 0, high = offsets.count;
  while (low < high) {
    std::int64_t const step = (high - low + warp_size - 1) / warp_size;
    std::int64_t const probe = low + lane * step;
    bool const below = probe < high && probe + offsets.at(probe) - origin < target;
    int const next = block.shuffle_down(static_cast<int>(below), 1);
    if (below && (lane == warp_size - 1 || next == 0)) *exchange = probe + 1;
    if (lane == 0 && !below) *exchange = low;
    block.sync_warp();
    std::int64_t const found = *exchange;
    block.sync_warp();
    high = found == low ? low : (found - 1 + step < high ? found - 1 + step : high);
    low = found;
  }
  return low;
}

template <class T>
struct segments_input {
  T const* elements;
  std::int64_t size;

  static constexpr int lanes = lanes_per_thread<T>;
  /// Elements of a line of 128 bytes, or of a pack where packs are not of 16 bytes. Copies to
  /// shared memory are fastest to the same place of a line: else the L2 cache is asked up to four
  /// times as often.
  static constexpr int line = lanes * sizeof(T) == 16 ? 8 * lanes : lanes;

  /// Elements from the last aligned one to element `begin`; or from one that is a multiple of
  /// `each`.
  WARPFOLD_HOST_DEVICE int before(std::int64_t begin, int each = lanes) const {
    auto const address = reinterpret_cast<std::uintptr_t>(elements + begin);
    return static_cast<int>(address / sizeof(T) % static_cast<unsigned>(each));
  }
  /// True if the elements that before() counts from are aligned to 16 bytes.
  WARPFOLD_HOST_DEVICE bool can_align() const {
    return lanes * sizeof(T) == 16 && reinterpret_cast<std::uintptr_t>(elements) % sizeof(T) == 0;
  }
};

/// Values and keys up to so many bytes are evicted from L2 first: marks and results stay longer.
/// us of sums by key of 2^20, 2^22 and 2^24 floats, runs of 4, NVIDIA H200, 2026-11-29: 14.8, 23.3
/// and 57.5 instead of 16.3, 25.5 and 59.7. If all did, 2^28 would take 778 instead of 765.
inline constexpr std::uint64_t most_evicted_values = std::uint64_t{128} << 20;
inline constexpr std::uint64_t most_evicted_keys = std::uint64_t{32} << 20;

/// Copies `count` elements from element `begin` on to a warp's stage, 16 bytes at a time where that
/// can be. `begin` may be up to a pack before the array, and the end as much behind it.
template <thread_block Block, class T>
WARPFOLD_HOST_DEVICE void fetch(Block const& block, segments_input<T> const& input,
                                std::int64_t begin, int count, void* stage,
                                std::uint64_t most_evicted = most_evicted_values) {
  constexpr int lanes = lanes_per_thread<T>, stride = warp_size * lanes;
  int const lane = block.thread_rank() % warp_size;
  T const* const from = input.elements + begin;
  auto* const to = static_cast<unsigned char*>(stage);
  bool const whole = input.can_align() && begin >= 0 && begin + count + lanes <= input.size;
  if (whole) {
    auto const bytes = static_cast<std::uint64_t>(input.size) * sizeof(T);
    std::uint64_t const policy = block.cache_policy(bytes <= most_evicted);
    for (int i = lane * lanes; i < count; i += stride)
      block.copy_async(to + i * sizeof(T), from + i, policy);
  } else {
    for (int i = lane; i < count; i += warp_size)
      if (begin + i >= 0 && begin + i < input.size)
        std::memcpy(to + i * sizeof(T), from + i, sizeof(T));
  }
}

/// Puts a segment on the list of the long ones. All threads of a warp take part.
template <class T, class A, thread_block Block>
WARPFOLD_HOST_DEVICE void list_long_segment(Block const& block, std::int64_t segment,
                                            std::int64_t begin, std::int64_t length,
                                            long_segments<A> found) {
  int const lane = block.thread_rank() % warp_size;
  fold_shape const shape = fold_shape_of<T>(static_cast<std::size_t>(length), sizeof(A));
  int const together = parts_together(shape, found.together);
  int const items = (shape.blocks + together - 1) / together;
  std::uint64_t before = 0;
  if (lane == 0) {
    before = block.fetch_add(found.listed, (1ull << 32) + static_cast<unsigned long long>(items));
    unsigned long long const parts =
        block.fetch_add(found.listed + 1, static_cast<unsigned long long>(shape.blocks));
    found.segments[before >> 32] = {
        segment, begin, shape, static_cast<unsigned>(parts), static_cast<unsigned>(before), 0};
  }
  before = block.shuffle(every_lane, before, 0);
  for (int i = lane; i < items; i += warp_size)
    found.segment_of[static_cast<unsigned>(before) + static_cast<unsigned>(i)] =
        static_cast<unsigned>(before >> 32);
}

/// The results of a batch of `count` segments whose elements are at `elements`, the first one's
/// result at `results`, by one warp.
template <class Tuning, class A, class T, thread_block Block, class Transform, class Op>
WARPFOLD_HOST_DEVICE void fold_batch(Block const& block, T const* elements, int count,
                                     Transform transform, A init, Op op, A* results,
                                     stage<T, A>& own) {
  int const lane = block.thread_rank() % warp_size;
  WARPFOLD_UNROLL
  for (int k = 0; k < held_offsets / warp_size; ++k)
    if (int const i = lane + k * warp_size; i < count) {
      int const begin = own.begin[i], length = own.begin[i + 1] - begin;
      if (length <= 0) results[i] = init;
      else if (length <= lanes_per_thread<T>)
        results[i] = fold_pack<A>(elements + begin, length, transform, init, op);
    }
  fold_listed<Tuning>(block, elements, own.begin, transform, init, op, results, own);
}

/// Segment `segment` of `length` elements from `begin` on, too long for a stage: by a warp, with
/// `Registers` for what it asks for at a time, or onto the list.
template <class Tuning, int Registers, class A, class T, thread_block Block, class Transform,
          class Op>
WARPFOLD_HOST_DEVICE void fold_one(Block const& block, segments_input<T> const& input,
                                   std::int64_t segment, std::int64_t begin, std::int64_t length,
                                   Transform transform, A init, Op op, A* results,
                                   long_segments<A> found, A* totals) {
  if (length > found.longest_alone) {
    list_long_segment<T>(block, segment, begin, length, found);
    return;
  }
  // A warp waits for one batch of rows after the other: memory is asked for all of them now. More
  // than that, asked for by all warps, would leave L2 before it is read: docs/by_key.md.
  std::size_t const bytes = static_cast<std::size_t>(length) * sizeof(T);
  if (bytes <= most_prefetched && block.lane() == 0)
    block.prefetch(input.elements + begin, static_cast<unsigned>(bytes / 16 * 16));
  A const value = fold_by_warp<Tuning, Registers, A>(
      block, input.elements + begin, static_cast<int>(length), transform, op, totals);
  if (block.thread_rank() % warp_size == 0) results[segment] = op(init, value);
}

/// Segments [first, end), by one warp.
template <class Tuning, class A, class T, thread_block Block, class Transform, class Op>
WARPFOLD_HOST_DEVICE void fold_span(Block const& block, segments_input<T> const& input,
                                    segment_offsets const& offsets, std::int64_t first,
                                    std::int64_t end, Transform transform, A init, Op op,
                                    A* results, long_segments<A> found, stage<T, A>& own) {
  constexpr int held = held_offsets / warp_size;
  constexpr int far = 2 * stage_elements<T>;
  int const lane = block.thread_rank() % warp_size;
  std::int64_t offset[held];
  auto const read_offsets = [&] {
    auto const read = [&](auto const* positions) {
      WARPFOLD_UNROLL
      for (int k = 0; k < held; ++k) {
        std::int64_t const i = first + lane + k * warp_size;
        offset[k] = i <= end ? positions[i] : 0;
      }
    };
    if (offsets.wide) read(static_cast<std::int64_t const*>(offsets.data));
    else read(static_cast<std::int32_t const*>(offsets.data));
  };
  std::int64_t base = offsets.at(first);
  read_offsets();
  WARPFOLD_UNROLL_BY(1)
  while (first < end) {
    int const candidates =
        end - first < held_offsets - 1 ? static_cast<int>(end - first) : held_offsets - 1;
    int const before = input.before(base);
    WARPFOLD_UNROLL
    for (int k = 0; k < held; ++k)
      if (int const i = lane + k * warp_size; i <= candidates)
        own.begin[i] = offset[k] - base < far ? static_cast<int>(offset[k] - base) : far;
    if (lane < listed_kinds) own.listed[lane] = 0;
    if (lane == 0) own.batch = 0;
    block.sync_warp();
    auto const fits = [&](int i) { return before + own.begin[i + 1] <= stage_elements<T>; };
    WARPFOLD_UNROLL
    for (int k = 0; k < held; ++k)
      if (int const i = lane + k * warp_size;
          i < candidates && fits(i) && (i + 1 == candidates || !fits(i + 1)))
        own.batch = i + 1;
    block.sync_warp();
    int const count = own.batch;
    if (count == 0) {
      std::int64_t const begin = base;
      base = offsets.at(first + 1);
      ++first;
      read_offsets();
      fold_one<Tuning, Tuning::registers_between_offsets>(block, input, first - 1, begin,
                                                          base - begin, transform, init, op,
                                                          results, found, own.totals.from(0));
      block.sync_warp();
      continue;
    }

    int const elements = own.begin[count];
    A* const batch_results = results + first;
    first += count;
    read_offsets();
    fetch(block, input, base - before, before + elements, own.elements);
    WARPFOLD_UNROLL
    for (int k = 0; k < held; ++k)
      if (int const i = lane + k * warp_size; i < count) {
        int const length = own.begin[i + 1] - own.begin[i];
        if (length <= lanes_per_thread<T>) continue;
        int const kind = kind_of_segment<T>(length);
        own.entry(kind, block.fetch_add(&own.listed[kind], 1)) = static_cast<unsigned char>(i);
      }
    block.wait_for_copies();
    block.sync_warp();
    fold_batch<Tuning>(block, reinterpret_cast<T const*>(own.elements) + before, count, transform,
                       init, op, batch_results, own);
    base += elements;
    block.sync_warp();
  }
}

/// Warp w of all warps of the grid folds the segments that begin at places [w * span, (w + 1) *
/// span) of the sequence.
template <class Tuning, class A, class T, thread_block Block, class Transform, class Op>
WARPFOLD_HOST_DEVICE void fold_segments(Block const& block, segments_input<T> const& input,
                                        segment_offsets const& offsets, int span,
                                        Transform transform, A init, Op op, A* results,
                                        long_segments<A> found, segments_shared<T, A>& shared) {
  int const warp = block.thread_rank() / warp_size;
  auto const find = [&](int at) {
    std::int64_t const target = (std::int64_t{block.block_rank()} * offsets_warps + at) * span;
    std::int64_t const found_at = find_segment(block, offsets, target, &shared.bound[at]);
    if (block.thread_rank() % warp_size == 0) shared.bound[at] = found_at;
  };
  find(warp);
  if (warp == offsets_warps - 1) find(offsets_warps);
  block.sync();
  std::int64_t const first = shared.bound[warp], end = shared.bound[warp + 1];
  block.sync();
  if (first < end)
    fold_span<Tuning>(block, input, offsets, first, end, transform, init, op, results, found,
                      shared.of_warp[warp]);
}

} // namespace warpfold::inline v0::detail
