#pragma once
// The bodies of the kernels that fold segments of one length, and long ones; over a block.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/reduction/fold_body.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/segments/segments_shape.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// Room for the results of `Values` warps, as raw bytes.
template <class A, int Values>
struct warp_totals {
  alignas(A) unsigned char bytes[Values * sizeof(A)];
  WARPFOLD_HOST_DEVICE A* from(int i) { return reinterpret_cast<A*>(bytes) + i; }
};

/// fold_warp for every `group` neighbouring threads, a power of two, and N values each, so that
/// one's shuffles need not wait for the other's.
template <class A, thread_block Block, class Op, int N>
WARPFOLD_HOST_DEVICE void fold_groups(Block const& block, A (&value)[N], int group, int live,
                                      Op op) {
  int const lane = block.thread_rank() & (group - 1);
  WARPFOLD_UNROLL_BY(1)
  for (int step = 1; step < group; step *= 2) {
    bool const has_partner =
        pads_with_identity<Op, A> || ((lane & (2 * step - 1)) == 0 && lane + step < live);
    WARPFOLD_UNROLL
    for (int i = 0; i < N; ++i) {
      A const partner = block.shuffle_down(value[i], step);
      if (has_partner) value[i] = op(value[i], partner);
    }
  }
}

/// Two warps of trees at once, of `Rows` complete rows each, at whose threads' first packs the
/// readers are. All is read before the first is used. Lane 0 gets the results.
template <int Rows, class A, thread_block Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_both(Block const& block, Reader const& a, Reader const& b,
                                    int row_size, Op op, A (&value)[2]) {
  constexpr int lanes = Reader::lanes;
  typename Reader::pack batch[2][Rows];
  WARPFOLD_UNROLL
  for (int i = 0; i < 2 * Rows; ++i)
    batch[i / Rows][i % Rows] = (i < Rows ? a : b).load(i % Rows * row_size);
  WARPFOLD_UNROLL
  for (int k = 0; k < 2; ++k) {
    A element[lanes];
    WARPFOLD_UNROLL
    for (int i = 0; i < Rows; ++i) {
      WARPFOLD_UNROLL
      for (int v = 0; v < lanes; ++v)
        element[v] = i == 0 ? A(a(batch[k][i], v)) : op(element[v], a(batch[k][i], v));
    }
    fold_lanes(element, lanes, op);
    value[k] = element[0];
  }
  fold_groups(block, value, warp_size, warp_size, op);
}

/// True if a tree's block has one batch of complete rows: two of its warps are folded at a time.
template <class Tuning>
WARPFOLD_HOST_DEVICE constexpr bool is_paired(int rows, int tail) {
  return rows == Tuning::rows_in_flight && tail == 0;
}

/// A block of a tree of `threads` threads, folded by `warps` warps, all of the block or one; the
/// caller's is number `warp`. `reader` is at the block's first element. The first thread of warp 0
/// returns the result. Whoever uses `totals` again waits first.
template <class Tuning, class A, thread_block Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE A fold_team(Block const& block, Reader const& reader, int threads, int rows,
                                 int tail, int warp, int warps, Op op, A* totals) {
  constexpr int lanes = Reader::lanes;
  int const lane = block.thread_rank() % warp_size;
  int const row_size = threads * lanes;
  int const live = rows > 0 ? row_size : tail;
  int const live_threads = (live + lanes - 1) / lanes;
  int const live_warps = (live_threads + warp_size - 1) / warp_size;
  A value{};
  auto const reader_of = [&](int w) {
    Reader own = reader;
    own.advance((w * warp_size + lane) * lanes);
    return own;
  };
  int w = warp;
  if (is_paired<Tuning>(rows, tail))
    for (; w + warps < live_warps; w += 2 * warps) {
      A both[2];
      fold_both<Tuning::rows_in_flight>(block, reader_of(w), reader_of(w + warps), row_size, op,
                                        both);
      if (lane > 0) continue;
      totals[w] = both[0];
      totals[w + warps] = both[1];
    }
  for (; w < live_warps; w += warps) {
    int const first = (w * warp_size + lane) * lanes;
    A element[lanes];
    fill_with_padding<Op>(element);
    fold_down<Tuning>(reader_of(w), row_size, rows, tail - first, op, element);
    fold_lanes(element, live - first, op);
    value = fold_warp(block, element[0], live_threads - w * warp_size, op);
    if (lane == 0) totals[w] = value;
  }
  if (live_warps <= 1) return value;
  if (warps == 1) block.sync_warp();
  else block.sync();
  if (warp > 0) return value;
  if (lane < live_warps) value = totals[lane];
  else if constexpr (pads_with_identity<Op, A>) value = padding_for<Op, A>();
  return fold_warp(block, value, live_warps, op);
}

/// Segments of up to `Rows` rows of a warp, 2 at most: `group` threads each, a power of two.
template <int InFlight, int Rows, class A, thread_block Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_short_rows(Block const& block, Reader const& reader,
                                          segment_rows rows, int group, A init, Op op, A* results) {
  constexpr int lanes = Reader::lanes;
  constexpr int row_size = warp_size * lanes;
  int const groups = block.size() / group;
  int const lane = block.thread_rank() & (group - 1);
  int const length = static_cast<int>(rows.length);
  int const live = length - lane * lanes;
  std::int64_t const first =
      std::int64_t{block.block_rank()} * InFlight * groups + block.thread_rank() / group;

  typename Reader::pack elements[InFlight][Rows] = {};
  WARPFOLD_UNROLL
  for (int i = 0; i < InFlight; ++i) {
    std::int64_t const segment = first + i * groups;
    if (segment >= rows.count) continue;
    Reader own = reader;
    own.advance(segment * rows.pitch + lane * lanes);
    WARPFOLD_UNROLL
    for (int row = 0; row < Rows; ++row)
      if (int const left = live - row * row_size; left > 0)
        elements[i][row] =
            left >= lanes ? own.load(row * row_size) : own.load_first(row * row_size, left);
  }
  A value[InFlight] = {};
  WARPFOLD_UNROLL
  for (int i = 0; i < InFlight; ++i) {
    A element[lanes];
    fill_with_padding<Op>(element);
    WARPFOLD_UNROLL
    for (int row = 0; row < Rows; ++row) {
      WARPFOLD_UNROLL
      for (int v = 0; v < lanes; ++v)
        if (v < live - row * row_size)
          element[v] = row == 0 ? static_cast<A>(reader(elements[i][row], v))
                                : op(element[v], reader(elements[i][row], v));
    }
    fold_lanes(element, live, op);
    value[i] = element[0];
  }
  fold_groups(block, value, group, (length + lanes - 1) / lanes, op);
  if (lane > 0) return;
  WARPFOLD_UNROLL
  for (int i = 0; i < InFlight; ++i) {
    std::int64_t const segment = first + i * groups;
    if (segment < rows.count) results[segment] = length > 0 ? op(init, value[i]) : init;
  }
}

/// Segments of one length whose tree has one block, `shape`: `warps` warps each.
template <class Tuning, class A, thread_block Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_one_block_rows(Block const& block, Reader reader, segment_rows rows,
                                              fold_shape const& shape, int warps, A init, Op op,
                                              A* results,
                                              warp_totals<A, segment_warps * max_warps>& shared) {
  int const warp = block.thread_rank() / warp_size;
  std::int64_t const segment =
      std::int64_t{block.block_rank()} * (block.size() / warp_size / warps) + warp / warps;
  // Beyond the last one: again the last one, to meet the others at the barrier.
  bool const beyond = segment >= rows.count;
  reader.advance((beyond ? rows.count - 1 : segment) * rows.pitch);
  A const value =
      fold_team<Tuning, A>(block, reader, shape.threads, shape.last_block_rows, shape.tail,
                           warp % warps, warps, op, shared.from(warp / warps * max_warps));
  if (!beyond && block.thread_rank() % (warps * warp_size) == 0) results[segment] = op(init, value);
}

template <class A>
struct long_shared {
  warp_totals<A, max_parts_together * max_warps> totals;
  fold_shared<A> fold;
};

/// Blocks [first, first + count) of the tree of a segment at whose first element `reader` is, their
/// warps dealt out to the block's. The last of a segment's `items` calls folds the `partials`. Ends
/// with the block in step; the block has `Threads` threads.
template <class Tuning, int Threads, class A, thread_block Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_parts(Block const& block, Reader const& reader,
                                     fold_shape const& shape, int first, int count, int items,
                                     A init, Op op, A* partials, unsigned* arrived, A* result,
                                     long_shared<A>& shared) {
  constexpr int lanes = Reader::lanes;
  int const rank = block.thread_rank();
  int const lane = rank % warp_size;
  constexpr int warps = Threads / warp_size;
  int const warps_of_part = shape.threads / warp_size;
  int const row_size = shape.threads * lanes;
  auto const tail_of = [&](int part) { return part == shape.blocks - 1 ? shape.tail : 0; };
  auto const live_threads = [&](int part) {
    int const live = shape.rows_of(part) > 0 ? row_size : tail_of(part);
    return (live + lanes - 1) / lanes;
  };
  auto const reader_of = [&](int unit) {
    int const part = first + unit / warps_of_part;
    int const thread = unit % warps_of_part * warp_size + lane;
    Reader own = reader;
    own.advance(std::int64_t{part} * shape.rows_per_block * row_size + thread * lanes);
    return own;
  };
  bool const ends_before = first + count < shape.blocks;
  int const paired = !is_paired<Tuning>(shape.rows_per_block, 0) ? 0
                     : ends_before || is_paired<Tuning>(shape.last_block_rows, shape.tail)
                         ? count
                         : count - 1;
  int unit = rank / warp_size;
  WARPFOLD_UNROLL_BY(1)
  for (; unit + warps < paired * warps_of_part; unit += 2 * warps) {
    A value[2];
    fold_both<Tuning::rows_in_flight>(block, reader_of(unit), reader_of(unit + warps), row_size, op,
                                      value);
    if (lane > 0) continue;
    *shared.totals.from(unit) = value[0];
    *shared.totals.from(unit + warps) = value[1];
  }
  WARPFOLD_UNROLL_BY(1)
  for (; unit < count * warps_of_part; unit += warps) {
    int const part = first + unit / warps_of_part;
    int const thread = unit % warps_of_part * warp_size + lane;
    int const rows = shape.rows_of(part), tail = tail_of(part);
    A element[lanes];
    fill_with_padding<Op>(element);
    fold_down<Tuning>(reader_of(unit), row_size, rows, tail - thread * lanes, op, element);
    fold_lanes(element, (rows > 0 ? row_size : tail) - thread * lanes, op);
    A const value = fold_warp(block, element[0], live_threads(part) - thread + lane, op);
    if (lane == 0) *shared.totals.from(unit) = value;
  }
  block.sync();
  WARPFOLD_UNROLL_BY(1)
  for (int i = rank / warp_size; i < count; i += warps) {
    int const live = (live_threads(first + i) + warp_size - 1) / warp_size;
    A value = padding_for<Op, A>();
    if (lane < live) value = *shared.totals.from(i * warps_of_part + lane);
    value = fold_warp(block, value, live, op);
    if (lane > 0) continue;
    if (shape.blocks == 1) *result = op(init, value);
    else partials[first + i] = value;
  }
  block.sync();
  if (shape.blocks == 1) return;
  if (items > 1) {
    if (rank == 0) shared.fold.is_last = block.arrives_last(arrived, static_cast<unsigned>(items));
    block.sync();
    if (!shared.fold.is_last) return;
  }
  A value{};
  int live = shape.runs;
  // With more runs than threads, a thread has two neighbouring ones.
  static_assert(2 * Threads >= max_fold_threads);
  bool const has_two = Threads < max_fold_threads && live > Threads;
  fold_run(partials, shape, has_two ? 2 * rank : rank, op, value);
  if (has_two) {
    A second{};
    fold_run(partials, shape, 2 * rank + 1, op, second);
    if (pads_with_identity<Op, A> || 2 * rank + 1 < live) value = op(value, second);
    live = (live + 1) / 2;
  }
  value = fold_block(block, value, live, op, shared.fold);
  if (rank == 0) *result = op(init, value);
  block.sync();
}

/// Segments of one length whose tree has several blocks: `together` of them a block.
template <class Tuning, class A, thread_block Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_long_rows(Block const& block, Reader reader, segment_rows rows,
                                         fold_shape const& shape, int together, A init, Op op,
                                         A* partials, unsigned* arrived, A* results,
                                         long_shared<A>& shared) {
  int const items = (shape.blocks + together - 1) / together;
  std::int64_t const segment = block.block_rank() / items;
  int const first = block.block_rank() % items * together;
  int const left = shape.blocks - first;
  reader.advance(segment * rows.pitch);
  fold_parts<Tuning, max_fold_threads>(
      block, reader, shape, first, left < together ? left : together, items, init, op,
      partials + segment * shape.blocks, arrived + segment, results + segment, shared);
}

/// The long segments that were found between offsets; every block takes items of them in turn.
template <class Tuning, class A, thread_block Block, class Packed, class Single, class Op>
WARPFOLD_HOST_DEVICE void fold_long_segments(Block const& block, Packed const& packed,
                                             Single const& single, long_segments<A> found, A init,
                                             Op op, A* results, long_shared<A>& shared) {
  auto const items = static_cast<unsigned>(*found.listed);
  auto const stride = static_cast<unsigned>(block.grid_size());
  auto item = static_cast<unsigned>(block.block_rank());
  // The next item is looked up while this one is folded.
  unsigned place = item < items ? found.segment_of[item] : 0;
  for (; item < items; item += stride) {
    long_segment const& current = found.segments[place];
    unsigned const next_place = item + stride < items ? found.segment_of[item + stride] : 0;
    fold_shape const shape = current.shape;
    int const together = parts_together(shape, found.together);
    int const first = static_cast<int>(item - current.first_item) * together;
    int const left = shape.blocks - first;
    auto const fold = [&](auto reader) {
      reader.advance(current.begin);
      fold_parts<Tuning, long_threads>(
          block, reader, shape, first, left < together ? left : together,
          (shape.blocks + together - 1) / together, init, op, found.partials + current.first_part,
          &found.segments[place].arrived, results + current.segment, shared);
    };
    bool const lies_evenly =
        reinterpret_cast<std::uintptr_t>(packed.elements + current.begin) % 16 == 0;
    if (lies_evenly) fold(packed);
    else fold(single);
    place = next_place;
  }
  // All have read how many there are.
  block.sync();
  if (block.thread_rank() == 0 && block.arrives_last(found.done))
    found.listed[0] = found.listed[1] = 0;
}

} // namespace warpfold::inline v0::detail
