#pragma once
// The bodies of the kernels that fold segments of one length, and those too long for one block's
// shared memory; over a block, as fold_body.hpp's are.

#include <warpfold/detail/fold_body.hpp>
#include <warpfold/detail/fold_reader.hpp>
#include <warpfold/detail/segments_shape.hpp>

#include <cstdint>

namespace warpfold::detail {

/// Room for the results of `Values` warps, as raw bytes.
template <class A, int Values>
struct warp_totals {
  alignas(A) unsigned char bytes[Values * sizeof(A)];
  WARPFOLD_HOST_DEVICE A* from(int i) { return reinterpret_cast<A*>(bytes) + i; }
};

/// A tree's block, folded by `warps` warps of which the caller's is number `warp`: warp by warp of
/// the tree, which has `threads` threads. `reader` is at the block's first element. The first
/// thread of warp 0 returns the result. Several warps must be all of the block; one needs none
/// beside it. Whoever uses `totals` again waits first.
template <class Tuning, class A, class Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE A fold_team(Block const& block, Reader const& reader, int threads, int rows,
                                 int tail, int warp, int warps, Op op, A* totals) {
  constexpr int lanes = Reader::lanes;
  int const lane = block.thread_rank() % warp_size;
  int const row_size = threads * lanes;
  int const live = rows > 0 ? row_size : tail;
  int const live_threads = (live + lanes - 1) / lanes;
  int const live_warps = (live_threads + warp_size - 1) / warp_size;
  A value{};
  for (int w = warp; w < live_warps; w += warps) {
    int const first = (w * warp_size + lane) * lanes;
    Reader own = reader;
    own.advance(first);
    A element[lanes] = {};
    fold_down<Tuning>(own, row_size, rows, tail - first, op, element);
    fold_lanes(element, live - first, op);
    value = fold_warp(block, element[0], live_threads - w * warp_size, op);
    if (lane == 0) totals[w] = value;
  }
  if (live_warps <= 1) return value;
  if (warps == 1) block.sync_warp();
  else block.sync();
  if (warp > 0) return value;
  if (lane < live_warps) value = totals[lane];
  return fold_warp(block, value, live_warps, op);
}

/// Folds the values of lanes 0 .. live - 1 of every `group` neighbouring threads of a warp, a power
/// of two, in pairs. Several at a time, so that one's shuffles need not wait for the other's.
template <class A, class Block, class Op, int N>
WARPFOLD_HOST_DEVICE void fold_groups(Block const& block, A (&value)[N], int group, int live,
                                      Op op) {
  int const lane = block.thread_rank() % group;
  WARPFOLD_UNROLL_BY(1)
  for (int step = 1; step < group; step *= 2) {
    bool const has_partner = lane % (2 * step) == 0 && lane + step < live;
    WARPFOLD_UNROLL
    for (int i = 0; i < N; ++i) {
      A const partner = block.shuffle_down(value[i], step);
      if (has_partner) value[i] = op(value[i], partner);
    }
  }
}

/// Segments of one length, up to a row of a warp: `group` threads each, a power of two that has
/// room for one.
template <int InFlight, class A, class Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_short_rows(Block const& block, Reader const& reader,
                                          segment_rows rows, int group, A init, Op op, A* results) {
  constexpr int lanes = Reader::lanes;
  int const groups = block.size() / group;
  int const lane = block.thread_rank() % group;
  int const length = static_cast<int>(rows.length);
  int const live = length - lane * lanes;
  std::int64_t const first =
      std::int64_t{block.block_rank()} * InFlight * groups + block.thread_rank() / group;

  typename Reader::pack elements[InFlight] = {};
  WARPFOLD_UNROLL
  for (int i = 0; i < InFlight; ++i) {
    std::int64_t const segment = first + i * groups;
    if (segment >= rows.count || live <= 0) continue;
    Reader own = reader;
    own.advance(segment * rows.pitch + lane * lanes);
    elements[i] = live >= lanes ? own.load(0) : own.load_first(0, live);
  }
  A value[InFlight] = {};
  WARPFOLD_UNROLL
  for (int i = 0; i < InFlight; ++i) {
    A element[lanes] = {};
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v < live) element[v] = reader(elements[i], v);
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
template <class Tuning, class A, class Block, class Reader, class Op>
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

/// Shared memory of a block that folds parts of long segments.
template <class A>
struct long_shared {
  warp_totals<A, max_warps> totals;
  fold_shared<A> fold;
};

/// Block `part` of the tree of a segment at whose first element `reader` is. The block that is the
/// last of the segment's to arrive folds the `partials`. Ends with the block in step.
template <class Tuning, class A, class Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_part(Block const& block, Reader reader, fold_shape const& shape,
                                    int part, A init, Op op, A* partials, unsigned* arrived,
                                    A* result, long_shared<A>& shared) {
  int const rank = block.thread_rank();
  reader.advance(std::int64_t{part} * shape.rows_per_block * shape.threads * Reader::lanes);
  A value = fold_team<Tuning, A>(block, reader, shape.threads, shape.rows_of(part),
                                 part == shape.blocks - 1 ? shape.tail : 0, rank / warp_size,
                                 block.size() / warp_size, op, shared.totals.from(0));
  if (rank == 0) {
    if (shape.blocks == 1) {
      *result = op(init, value);
    } else {
      partials[part] = value;
      shared.fold.is_last = block.arrives_last(arrived, static_cast<unsigned>(shape.blocks));
    }
  }
  block.sync();
  if (shape.blocks == 1 || !shared.fold.is_last) return;
  fold_run(partials, shape, rank, op, value);
  value = fold_block(block, value, shape.runs, op, shared.fold);
  if (rank == 0) *result = op(init, value);
  block.sync();
}

/// Segments of one length whose tree has several blocks: a block for each.
template <class Tuning, class A, class Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_long_rows(Block const& block, Reader reader, segment_rows rows,
                                         fold_shape const& shape, A init, Op op, A* partials,
                                         unsigned* arrived, A* results, long_shared<A>& shared) {
  std::int64_t const segment = block.block_rank() / shape.blocks;
  reader.advance(segment * rows.pitch);
  fold_part<Tuning>(block, reader, shape, block.block_rank() % shape.blocks, init, op,
                    partials + segment * shape.blocks, arrived + segment, results + segment,
                    shared);
}

/// The long segments that were found between offsets; every block takes parts in turn. `Packed` and
/// `Single` read the array, the one only where it is aligned to 16 bytes.
template <class T, class Tuning, class A, class Block, class Packed, class Single, class Op>
WARPFOLD_HOST_DEVICE void fold_long_segments(Block const& block, Packed const& packed,
                                             Single const& single, long_segments<A> found, A init,
                                             Op op, A* results, long_shared<A>& shared) {
  auto const parts = static_cast<std::int64_t>(*found.listed & 0xffffffffu);
  int const stride = block.grid_size();
  // What to do next is read while this is done.
  auto const place_of = [&](std::int64_t part) {
    return part < parts ? found.segment_of[part] : 0u;
  };
  std::int64_t part = block.block_rank();
  if (part >= parts) return;
  unsigned place = place_of(part);
  unsigned next_place = place_of(part + stride);
  long_segment current = found.segments[place];
  for (; part < parts; part += stride) {
    long_segment const next = found.segments[next_place];
    unsigned const later_place = place_of(part + 2 * stride);
    fold_shape const shape = fold_shape_of<T>(static_cast<std::size_t>(current.length), sizeof(A));
    auto const fold = [&](auto reader) {
      reader.advance(current.begin);
      fold_part<Tuning>(block, reader, shape, static_cast<int>(part - current.first_part), init, op,
                        found.partials + current.first_part, &found.segments[place].arrived,
                        results + current.segment, shared);
    };
    bool const is_aligned =
        reinterpret_cast<std::uintptr_t>(packed.elements + current.begin) % 16 == 0;
    if (is_aligned) fold(packed);
    else fold(single);
    place = next_place;
    next_place = later_place;
    current = next;
  }
}

} // namespace warpfold::detail
