#pragma once
// How a warp folds segments whose elements it has, most of them in shared memory. It gives each as
// many threads as its length asks for.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/segments/segments_body.hpp>

namespace warpfold::inline v0::detail {

/// Kinds of segments in shared memory that are longer than a pack: for 2, 4, 8, 16 and 32 threads,
/// which fold a pack each, and for a warp that folds rows of packs.
inline constexpr int listed_kinds = 6;
/// Elements of the longest segments of a kind.
template <class T>
WARPFOLD_HOST_DEVICE constexpr int longest_of_kind(int kind) {
  return lanes_per_thread<T> << (kind + 1);
}

/// A lane's pack in shared memory is read in the order 0 ^ turn, 1 ^ turn, ..., so that lanes that
/// read at once, with their packs side by side, do so from different banks. Neighbours stay
/// neighbours, and so do pairs of them.
template <int N>
WARPFOLD_HOST_DEVICE constexpr int turn_of(int lane) {
  return lane / 8 * (N > 4 ? N / 4 : 1) & (N - 1);
}

/// The fold of up to N elements by one thread; of 1 at least, without padding.
template <int N, class A, class T, class Transform, class Op>
WARPFOLD_HOST_DEVICE A fold_thread(T const* elements, int length, int turn, Transform transform,
                                   Op op) {
  static_assert(!pads_with_identity<Op, A> || is_commutative<Op>);
  A value[N];
  fill_with_padding<Op>(value);
  WARPFOLD_UNROLL
  for (int v = 0; v < N; ++v)
    if (int const at = pads_with_identity<Op, A> ? v ^ turn : v; at < length)
      value[v] = transform(elements[at]);
  fold_lanes(value, length, op);
  return value[0];
}

/// The kind of a segment of more elements than a pack has.
template <class T>
WARPFOLD_HOST_DEVICE int kind_of_segment(int length) {
  int kind = 0;
  WARPFOLD_UNROLL
  for (int k = 0; k < listed_kinds - 1; ++k) kind += length > longest_of_kind<T>(k) ? 1 : 0;
  return kind;
}

/// The result of a segment of up to a pack's elements, at least 1.
template <class A, class T, class Transform, class Op>
WARPFOLD_HOST_DEVICE A fold_pack(T const* elements, int length, Transform transform, A init,
                                 Op op) {
  return op(init, fold_thread<lanes_per_thread<T>, A>(elements, length, 0, transform, op));
}

/// The results of the listed segments of a kind, by one warp.
template <int Kind, class A, class T, thread_block Block, class Transform, class Op, class Stage>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void fold_kind(Block const& block, T const* elements,
                                                           auto const* begins, Transform transform,
                                                           A init, Op op, A* results, Stage& own) {
  constexpr int each = lanes_per_thread<T>, group = 2 << Kind, groups = warp_size / group;
  int const lane = block.thread_rank() % warp_size, part = lane % group;
  int const listed = own.listed[Kind];
  WARPFOLD_UNROLL_BY(1)
  for (int at = 0; at < listed; at += groups) {
    int const entry = at + lane / group;
    int const segment = entry < listed ? own.entry(Kind, entry) : 0;
    int const begin = begins[segment];
    int const length = entry < listed ? begins[segment + 1] - begin : 0;
    int const first = part * each;
    // Where a segment has two lanes, their packs lie anywhere. Turned, runs of 5 take 6 % longer,
    // of 8 14 % less: NVIDIA H200, 2026-11-29, docs/validation/2026-11-29-sums-turned-h200.txt.
    int const turn = Kind > 0 ? turn_of<each>(lane) : 0;
    A value = padding_for<Op, A>();
    if (pads_with_identity<Op, A> || first < length)
      value = fold_thread<each, A>(elements + begin + first, length - first, turn, transform, op);
    int const live = (length + each - 1) / each;
    WARPFOLD_UNROLL
    for (int step = 1; step < group; step *= 2) {
      A const partner = block.shuffle_down(value, step);
      if (pads_with_identity<Op, A> || (part % (2 * step) == 0 && part + step < live))
        value = op(value, partner);
    }
    if (part == 0 && entry < listed) results[segment] = op(init, value);
  }
}

/// The fold of a segment of one block of a tree, by a warp, with padding; lane 0 returns it. Reads
/// `Rows` rows of `Warps` warps of the tree before it uses the first.
template <int Warps, int Rows, class A, class T, thread_block Block, class Transform, class Op>
WARPFOLD_HOST_DEVICE A fold_in_batches(Block const& block, T const* elements, int length, int turn,
                                       Transform transform, Op op, A* totals) {
  static_assert(pads_with_identity<Op, A> && is_commutative<Op>);
  constexpr int lanes = lanes_per_thread<T>, width = warp_size * lanes;
  fold_shape const shape = one_block_shape_of<T>(length);
  int const row_size = shape.threads * lanes;
  int const rows = shape.last_block_rows + (shape.tail > 0 ? 1 : 0);
  int const warps = ((rows > 1 ? row_size : length) + width - 1) / width;
  int const lane = block.thread_rank() % warp_size;
  A total{};
  WARPFOLD_UNROLL_BY(1)
  for (int first = 0; first < warps; first += Warps) {
    T const* own = elements + (first * width + lane * lanes);
    int left = length - (first * width + lane * lanes);
    A value[Warps][lanes];
    WARPFOLD_UNROLL
    for (int w = 0; w < Warps; ++w) fill_with_padding<Op>(value[w]);
    WARPFOLD_UNROLL_BY(1)
    for (int row = 0; row < rows; row += Rows) {
      A read[Warps][Rows][lanes];
      WARPFOLD_UNROLL
      for (int i = 0; i < Warps * Rows; ++i) {
        int const w = i / Rows, r = i % Rows;
        bool const exists = w == 0 || first + w < warps;
        fill_with_padding<Op>(read[w][r]);
        WARPFOLD_UNROLL
        for (int v = 0; v < lanes; ++v) {
          int const at = r * row_size + w * width + (v ^ turn);
          if (exists && at < left) read[w][r][v] = transform(own[at]);
        }
      }
      WARPFOLD_UNROLL
      for (int i = 0; i < Warps * Rows; ++i) {
        WARPFOLD_UNROLL
        for (int v = 0; v < lanes; ++v)
          value[i / Rows][v] = op(value[i / Rows][v], read[i / Rows][i % Rows][v]);
      }
      own += Rows * row_size;
      left -= Rows * row_size;
    }
    WARPFOLD_UNROLL
    for (int w = 0; w < Warps; ++w) {
      fold_lanes(value[w], lanes, op);
      total = fold_warp(block, value[w][0], warp_size, op);
      if (w == 0 && warps == 1) return total;
      if (lane == 0 && first + w < warps) totals[first + w] = total;
    }
  }
  block.sync_warp();
  total = lane < warps ? totals[lane] : padding_for<Op, A>();
  return fold_warp(block, total, warps, op);
}

/// The fold of a segment of one block of a tree, by a warp; lane 0 returns it. Elements are in
/// shared memory if `Registers` is 0; else so many registers, or four rows, wait for memory at a
/// time. us of sums of 2^28 floats in marked runs of 150, 1000 and 3000, NVIDIA H200, 2026-11-29,
/// docs/validation/2026-11-29-sums-turned-h200.txt: 729, 567 and 603 instead of 916, 596 and 618.
template <class Tuning, int Registers, class A, class T, thread_block Block, class Transform,
          class Op>
WARPFOLD_HOST_DEVICE A fold_by_warp(Block const& block, T const* elements, int length,
                                    Transform transform, Op op, A* totals) {
  if constexpr (pads_with_identity<Op, A>) {
    constexpr int rows = static_cast<int>(fold_tree{}.rows_of_small);
    constexpr int of_warp = rows * lanes_per_thread<T> * static_cast<int>((sizeof(A) + 3) / 4);
    constexpr int warps = Registers > of_warp ? Registers / of_warp : 1;
    if constexpr (Registers > 0)
      return fold_in_batches<warps, rows, A>(block, elements, length, 0, transform, op, totals);
    else
      return fold_in_batches<1, 2, A>(block, elements, length,
                                      turn_of<lanes_per_thread<T>>(block.lane()), transform, op,
                                      totals);
  } else {
    fold_shape const shape = one_block_shape_of<T>(length);
    return fold_team<Tuning, A>(block, element_reader<T const*, Transform>{elements, transform},
                                shape.threads, shape.last_block_rows, shape.tail, 0, 1, op, totals);
  }
}

/// The results of the segments on a stage's lists, the first one's result at `results`, by one
/// warp.
template <class Tuning, class A, class T, thread_block Block, class Transform, class Op,
          class Stage>
WARPFOLD_HOST_DEVICE void fold_listed(Block const& block, T const* elements, auto const* begins,
                                      Transform transform, A init, Op op, A* results, Stage& own) {
  static_assert(listed_kinds == 6);
  fold_kind<0>(block, elements, begins, transform, init, op, results, own);
  fold_kind<1>(block, elements, begins, transform, init, op, results, own);
  fold_kind<2>(block, elements, begins, transform, init, op, results, own);
  fold_kind<3>(block, elements, begins, transform, init, op, results, own);
  fold_kind<4>(block, elements, begins, transform, init, op, results, own);
  int const lane = block.thread_rank() % warp_size;
  int const listed = own.listed[listed_kinds - 1];
  WARPFOLD_UNROLL_BY(1)
  for (int at = 0; at < listed; ++at) {
    int const segment = own.entry(listed_kinds - 1, at);
    int const begin = begins[segment];
    A const value = fold_by_warp<Tuning, 0, A>(block, elements + begin, begins[segment + 1] - begin,
                                               transform, op, own.totals.from(0));
    if (lane == 0) results[segment] = op(init, value);
    block.sync_warp();
  }
}

} // namespace warpfold::inline v0::detail
