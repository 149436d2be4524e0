#pragma once
// The body of the kernel that folds segments between offsets. A block owns the segments that begin
// in its part of the sequence (segment 0, its elements, segment 1, its elements, ...), so that
// neither long segments nor millions of empty ones make one block's part longer than another's. It
// takes as many at once as fit into shared memory, fetches their elements whole, and gives each
// segment as many threads as its length asks for.

#include <warpfold/detail/segments_body.hpp>

#include <cstdint>
#include <cstring>

namespace warpfold::detail {

/// Kinds of segments by length, in packs: up to 4, for one thread; up to 8, 16 and 32, for as many;
/// longer ones, for a warp.
inline constexpr int listed_kinds = 4;

template <class T, class A>
struct segments_shared {
  alignas(16) alignas(T) unsigned char stage[stage_elements<T> * sizeof(T)];
  warp_totals<A, segment_warps * segment_warps> totals;
  std::int64_t bound[2];
  int begin[segment_batch + 1]; ///< of the batch's segments, from the first one's on
  int batch;                    ///< segments that fit
  int listed[listed_kinds];
  unsigned short list[listed_kinds][segment_threads];
  unsigned place, first_part;
};

/// The first segment at or beyond `target` in the sequence of segments and elements; all threads of
/// a warp search together, and `exchange` is theirs.
template <class Block>
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

/// The array that the segments are of.
template <class T>
struct segments_input {
  T const* elements;
  std::int64_t size;

  static constexpr int lanes = lanes_per_thread<T>;

  /// Elements from the last aligned one to element `begin`.
  WARPFOLD_HOST_DEVICE int before(std::int64_t begin) const {
    auto const address = reinterpret_cast<std::uintptr_t>(elements + begin);
    return static_cast<int>(address / sizeof(T) % lanes);
  }
  /// Whether before() leads to an address aligned to 16 bytes.
  WARPFOLD_HOST_DEVICE bool can_align() const {
    return lanes * sizeof(T) == 16 && reinterpret_cast<std::uintptr_t>(elements) % sizeof(T) == 0;
  }
};

/// Copies `count` elements from element `begin` on to the stage, 16 bytes at a time where they are
/// aligned. `begin` may be up to a pack before the array, and the end as much behind it.
template <class Block, class T>
WARPFOLD_HOST_DEVICE void fetch(Block const& block, segments_input<T> const& input,
                                std::int64_t begin, int count, unsigned char* stage) {
  constexpr int lanes = lanes_per_thread<T>;
  using reader_type = packed_reader<T, identity>;
  using pack = typename reader_type::pack;
  struct alignas(sizeof(pack) == 16 ? 16 : alignof(pack)) quad {
    unsigned char bytes[sizeof(pack)];
  };
  constexpr int in_flight = 4;
  reader_type const reader{input.elements, {}};
  bool const aligned = input.can_align();
  auto const load = [&](int offset) {
    std::int64_t const at = begin + offset;
    reader_type own = reader;
    own.advance(at);
    if (aligned && at >= 0 && at + lanes <= input.size) return own.load(0);
    pack loaded{};
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (at + v >= 0 && at + v < input.size) loaded.element[v] = own.elements[v];
    return loaded;
  };
  int const stride = block.size() * lanes;
  WARPFOLD_UNROLL_BY(1)
  for (int first = block.thread_rank() * lanes; first < count; first += in_flight * stride) {
    pack packs[in_flight] = {};
    WARPFOLD_UNROLL
    for (int i = 0; i < in_flight; ++i)
      if (first + i * stride < count) packs[i] = load(first + i * stride);
    WARPFOLD_UNROLL
    for (int i = 0; i < in_flight; ++i)
      if (first + i * stride < count) {
        quad moved;
        std::memcpy(&moved, &packs[i], sizeof(pack));
        *reinterpret_cast<quad*>(stage + (first + i * stride) * sizeof(T)) = moved;
      }
  }
}

/// A segment of up to N elements, folded by one thread; of 1 at least.
template <int N, class A, class T, class Transform, class Op>
WARPFOLD_HOST_DEVICE A fold_thread(T const* elements, int length, Transform transform, Op op) {
  A value[N] = {};
  WARPFOLD_UNROLL
  for (int v = 0; v < N; ++v)
    if (v < length) value[v] = transform(elements[v]);
  fold_lanes(value, length, op);
  return value[0];
}

/// Puts a segment on the list of the long ones. All threads of the block take part.
template <class T, class A, class Block>
WARPFOLD_HOST_DEVICE void list_long_segment(Block const& block, std::int64_t segment,
                                            std::int64_t begin, std::int64_t length,
                                            long_segments<A> found, segments_shared<T, A>& shared) {
  int const parts = fold_shape_of<T>(static_cast<std::size_t>(length), sizeof(A)).blocks;
  if (block.thread_rank() == 0) {
    unsigned long long const before =
        block.fetch_add(found.listed, (1ull << 32) + static_cast<unsigned long long>(parts));
    shared.place = static_cast<unsigned>(before >> 32);
    shared.first_part = static_cast<unsigned>(before);
    found.segments[shared.place] = {segment, begin, length, shared.first_part, 0};
  }
  block.sync();
  unsigned const first = shared.first_part, place = shared.place;
  for (int i = block.thread_rank(); i < parts; i += block.size())
    found.segment_of[first + i] = place;
}

/// The results of a batch of `count` segments whose elements are at `elements`, the first one's
/// result at `results`.
template <class Tuning, class A, class T, class Block, class Transform, class Op>
WARPFOLD_HOST_DEVICE void fold_batch(Block const& block, T const* elements, int count,
                                     Transform transform, A init, Op op, A* results,
                                     segments_shared<T, A>& shared) {
  constexpr int lanes = lanes_per_thread<T>;
  int const rank = block.thread_rank();
  int const warp = rank / warp_size;
  using reader_type = element_reader<T const*, Transform>;

  for (int i = rank; i < count; i += block.size()) {
    int const begin = shared.begin[i], length = shared.begin[i + 1] - begin;
    if (length <= 4 * lanes)
      results[i] =
          length > 0 ? op(init, fold_thread<4 * lanes, A>(elements + begin, length, transform, op))
                     : init;
  }
  WARPFOLD_UNROLL_BY(1)
  for (int kind = 0; kind < listed_kinds - 1; ++kind) {
    int const group = 8 << kind, in_warp = warp_size / group;
    int const lane = rank % group;
    int const listed = shared.listed[kind];
    WARPFOLD_UNROLL_BY(1)
    for (int at = warp * in_warp; at < listed; at += segment_warps * in_warp) {
      int const entry = at + rank % warp_size / group;
      int const segment = entry < listed ? shared.list[kind][entry] : 0;
      int const begin = shared.begin[segment];
      int const length = entry < listed ? shared.begin[segment + 1] - begin : 0;
      A value[1] = {};
      if (lane * lanes < length)
        value[0] = fold_thread<lanes, A>(elements + begin + lane * lanes, length - lane * lanes,
                                         transform, op);
      fold_groups(block, value, group, (length + lanes - 1) / lanes, op);
      if (lane == 0 && entry < listed) results[segment] = op(init, value[0]);
    }
  }
  int const listed = shared.listed[listed_kinds - 1];
  WARPFOLD_UNROLL_BY(1)
  for (int at = warp; at < listed; at += segment_warps) {
    int const segment = shared.list[listed_kinds - 1][at];
    int const begin = shared.begin[segment];
    fold_shape const shape = one_block_shape_of<T>(shared.begin[segment + 1] - begin);
    A const value = fold_team<Tuning, A>(block, reader_type{elements + begin, transform},
                                         shape.threads, shape.last_block_rows, shape.tail, 0, 1, op,
                                         shared.totals.from(warp * segment_warps));
    if (rank % warp_size == 0) results[segment] = op(init, value);
    block.sync_warp();
  }
}

/// The segments that begin at places [block * span, (block + 1) * span) of the sequence.
template <class Tuning, class A, class T, class Block, class Transform, class Op>
WARPFOLD_HOST_DEVICE void fold_segments(Block const& block, segments_input<T> const& input,
                                        segment_offsets const& offsets, int span,
                                        Transform transform, A init, Op op, A* results,
                                        long_segments<A> found, segments_shared<T, A>& shared) {
  constexpr int lanes = lanes_per_thread<T>;
  constexpr int held = segment_batch / segment_threads + 1;
  int const rank = block.thread_rank();
  if (int const warp = rank / warp_size; warp < 2) {
    std::int64_t const target = (std::int64_t{block.block_rank()} + warp) * span;
    std::int64_t const at = find_segment(block, offsets, target, &shared.bound[warp]);
    if (rank % warp_size == 0) shared.bound[warp] = at;
  }
  block.sync();
  std::int64_t first = shared.bound[0];
  std::int64_t const end = shared.bound[1];
  if (first >= end) return;

  std::int64_t offset[held];
  auto const read_offsets = [&] {
    WARPFOLD_UNROLL
    for (int k = 0; k < held; ++k) {
      int const i = rank + k * segment_threads;
      offset[k] = i <= segment_batch && first + i <= end ? offsets.at(first + i) : 0;
    }
  };
  std::int64_t base = offsets.at(first);
  read_offsets();
  while (first < end) {
    int const candidates =
        end - first < segment_batch ? static_cast<int>(end - first) : segment_batch;
    int const before = input.before(base);
    WARPFOLD_UNROLL
    for (int k = 0; k < held; ++k)
      if (int const i = rank + k * segment_threads; i <= candidates) {
        std::int64_t const from_base = offset[k] - base;
        shared.begin[i] =
            static_cast<int>(from_base < 2 * stage_bytes ? from_base : 2 * stage_bytes);
      }
    if (rank < listed_kinds) shared.listed[rank] = 0;
    if (rank == 0) shared.batch = 0;
    block.sync();
    auto const fits = [&](int i) { return before + shared.begin[i + 1] <= stage_elements<T>; };
    WARPFOLD_UNROLL
    for (int k = 0; k + 1 < held; ++k)
      if (int const i = rank + k * segment_threads;
          i < candidates && fits(i) && (i + 1 == candidates || !fits(i + 1)))
        shared.batch = i + 1;
    block.sync();
    int const count = shared.batch;

    if (count == 0) {
      std::int64_t const past = offsets.at(first + 1);
      list_long_segment<T>(block, first, base, past - base, found, shared);
      base = past;
      ++first;
      read_offsets();
      block.sync();
      continue;
    }

    int const elements = shared.begin[count];
    A* const batch_results = results + first;
    first += count;
    read_offsets();
    fetch(block, input, base - before, before + elements, shared.stage);
    for (int i = rank; i < count; i += segment_threads) {
      int const packs = (shared.begin[i + 1] - shared.begin[i] + lanes - 1) / lanes;
      if (packs <= 4) continue;
      int const kind = packs <= 8 ? 0 : packs <= 16 ? 1 : packs <= 32 ? 2 : 3;
      int const at = block.fetch_add(&shared.listed[kind], 1);
      shared.list[kind][at] = static_cast<unsigned short>(i);
    }
    block.sync();
    fold_batch<Tuning>(block, reinterpret_cast<T const*>(shared.stage) + before, count, transform,
                       init, op, batch_results, shared);
    base += elements;
    block.sync();
  }
}

} // namespace warpfold::detail
