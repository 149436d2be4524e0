#pragma once
// The bodies of the fold kernels, over a block: cuda_block on a GPU, test/simt's on a CPU.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/reduction/fold_shape.hpp>
#include <warpfold/detail/reduction/padding.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

inline constexpr int warp_size = 32;
inline constexpr int max_warps = max_fold_threads / warp_size;

/// Shared memory of one block. Raw bytes, so that any trivially copyable accumulator can lie in it.
template <class A>
struct fold_shared {
  alignas(A) unsigned char bytes[max_warps * sizeof(A)];
  bool is_last;

  WARPFOLD_HOST_DEVICE A& warp_total(int warp) { return reinterpret_cast<A*>(bytes)[warp]; }
};

/// GPU memory through which the blocks of a fold communicate.
template <class A>
struct fold_scratch {
  A* partials;      ///< one for each block
  unsigned* ticket; ///< 0 between kernels
};

/// A thread's own values: accumulators, or of the operator's `lane`, which holds what one thread
/// folds.
template <class Op, class A>
struct lane_of {
  using type = A;
};
template <class Op, class A>
requires requires { typename Op::lane; }
struct lane_of<Op, A> {
  using type = typename Op::lane;
};
template <class Op, class A>
using lane_t = typename lane_of<Op, A>::type;

/// Folds the first `live` of a thread's values in pairs of neighbours, into the first one.
template <class A, int N, class Op>
WARPFOLD_HOST_DEVICE void fold_lanes(A (&value)[N], int live, Op op) {
  WARPFOLD_UNROLL
  for (int step = 1; step < N; step *= 2) {
    WARPFOLD_UNROLL
    for (int v = 0; v + step < N; v += 2 * step)
      if (pads_with_identity<Op, A> || v + step < live) value[v] = op(value[v], value[v + step]);
  }
}

/// Folds the values of lanes 0 .. live - 1 of a warp in pairs of neighbours, in order; a value
/// without a partner moves up as it is. All lanes take part, and lane 0 returns the result.
template <class A, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE A fold_warp(Block const& block, A value, int live, Op op) {
  int const lane = block.thread_rank() % warp_size;
  // Large accumulators, whose operators are long, are not worth five copies of the code.
  WARPFOLD_UNROLL_BY(sizeof(A) <= 32 ? 5 : 1)
  for (int step = 1; step < warp_size; step *= 2) {
    A const partner = block.shuffle_down(value, step);
    if (pads_with_identity<Op, A> || (lane % (2 * step) == 0 && lane + step < live))
      value = op(value, partner);
  }
  return value;
}

/// fold_warp for threads 0 .. live - 1 of a block. Thread 0 returns the result.
template <class A, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE A fold_block(Block const& block, A value, int live, Op op,
                                  fold_shared<A>& shared) {
  int const rank = block.thread_rank();
  value = fold_warp(block, value, live - rank / warp_size * warp_size, op);
  if (block.size() == warp_size) return value;

  if (rank % warp_size == 0) shared.warp_total(rank / warp_size) = value;
  block.sync();
  if (rank >= warp_size) return value;
  int const live_warps = (live + warp_size - 1) / warp_size;
  if (rank < live_warps) value = shared.warp_total(rank);
  else if constexpr (pads_with_identity<Op, A>) value = padding_for<Op, A>();
  return fold_warp(block, value, live_warps, op);
}

/// Folds run number `run` of the blocks' results into `value`, if there is such a run.
template <class A, class Op>
WARPFOLD_HOST_DEVICE void fold_run(A const* partials, fold_shape const& shape, int run, Op op,
                                   A& value) {
  int const first = run * shape.run;
  if constexpr (pads_with_identity<Op, A>) value = padding_for<Op, A>();
  if (first >= shape.blocks) return;
  value = partials[first];
  WARPFOLD_UNROLL_BY(sizeof(A) <= 32 ? 4 : 1)
  for (int i = first + 1; i < first + shape.run; ++i)
    if (i < shape.blocks) value = op(value, partials[i]);
}

/// *result = op(init, the blocks' values in their order), by the block that arrives last. `value`
/// is thread 0's; `live` is 0 if the input was empty; `result` is a pointer or an output iterator.
template <class A, thread_block Block, class Op, class Output>
WARPFOLD_HOST_DEVICE void fold_grid(Block const& block, A value, int live, fold_shape const& shape,
                                    A init, Op op, fold_scratch<A> scratch, Output result,
                                    fold_shared<A>& shared) {
  int const rank = block.thread_rank();
  if (shape.blocks == 1) {
    if (rank == 0) *result = live > 0 ? op(init, value) : init;
    return;
  }
  bool is_last = false;
  if (rank == 0) {
    scratch.partials[block.block_rank()] = value;
    is_last = block.arrives_last(scratch.ticket);
  }
  // One warp is enough for few partials, and spares the barriers of the rest.
  bool const one_warp = shape.runs <= warp_size;
  if (one_warp) {
    if (rank >= warp_size) return;
    is_last = block.broadcast(is_last);
    block.sync_warp();
  } else {
    if (rank == 0) shared.is_last = is_last;
    block.sync();
    is_last = shared.is_last;
  }
  if (!is_last) return;

  fold_run(scratch.partials, shape, rank, op, value);
  value = one_warp ? fold_warp(block, value, shape.runs, op)
                   : fold_block(block, value, shape.runs, op, shared);
  if (rank == 0) *result = op(init, value);
}

/// Folds the next `count` rows, at most Batch, into a thread's values; all are read before the
/// first is used. With All there are Batch of them, and no condition is left. The first row of
/// floats is chosen: combined with padding, their loads would not be in flight together. Choosing
/// takes longer for doubles.
template <int Batch, bool All, class A, class Reader, class Op, int N>
WARPFOLD_HOST_DEVICE void fold_rows(Reader const& reader, int row_size, bool first, int count,
                                    Op op, A (&value)[N]) {
  typename Reader::pack batch[Batch];
  // In place of missing rows the last is read again: conditions on loads would cost registers.
  WARPFOLD_UNROLL
  for (int i = 0; i < Batch; ++i)
    batch[i] = reader.load((All || i < count ? i : count - 1) * row_size);
  WARPFOLD_UNROLL
  for (int v = 0; v < N; ++v)
    value[v] = first && !(pads_with_identity<Op, A> && sizeof(A) > 4)
                   ? reader(batch[0], v)
                   : op(value[v], reader(batch[0], v));
  WARPFOLD_UNROLL
  for (int i = 1; i < Batch; ++i) {
    WARPFOLD_UNROLL
    for (int v = 0; v < N; ++v)
      if (All || i < count) value[v] = op(value[v], reader(batch[i], v));
  }
}

/// A thread's part of a block's rows: element v of its packs, down the rows, into value[v], which
/// holds padding.
/// `reader` is at its pack of the first row, and `tail` elements of the incomplete row are its own.
template <class Tuning, class A, class Reader, class Op, int N>
WARPFOLD_HOST_DEVICE void fold_down(Reader reader, int row_size, int rows, int tail, Op op,
                                    A (&value)[N]) {
  constexpr int rows_in_flight = Tuning::rows_in_flight;
  // The incomplete row is asked for first, to have it when the others are done.
  typename Reader::pack incomplete{};
  if (tail > 0) {
    Reader end = reader;
    end.advance(std::int64_t{rows} * row_size);
    incomplete = end.load_first(0, tail);
  }

  int row = 0;
  WARPFOLD_UNROLL_BY(1)
  for (; row + rows_in_flight <= rows; row += rows_in_flight) {
    fold_rows<rows_in_flight, true>(reader, row_size, row == 0, rows_in_flight, op, value);
    reader.advance(rows_in_flight * row_size);
  }
  if constexpr (rows_in_flight > 1)
    if (row < rows)
      fold_rows<rows_in_flight - 1, false>(reader, row_size, row == 0, rows - row, op, value);
  WARPFOLD_UNROLL
  for (int v = 0; v < N; ++v)
    if (v < tail)
      value[v] = pads_with_identity<Op, A> || rows > 0 ? op(value[v], reader(incomplete, v))
                                                       : reader(incomplete, v);
}

/// The fold of a commutative operator. Every thread keeps a running value for each of its lanes,
/// down the rows of its block; then lanes, threads and blocks are folded in pairs.
template <class Tuning, class A, thread_block Block, class Reader, class Op, class Output>
WARPFOLD_HOST_DEVICE void fold_striped(Block const& block, Reader reader, fold_shape const& shape,
                                       A init, Op op, fold_scratch<A> scratch, Output result,
                                       fold_shared<A>& shared) {
  constexpr int lanes = Reader::lanes;
  constexpr int rows_in_flight = Tuning::rows_in_flight;
  int const rank = block.thread_rank();
  int const row_size = block.size() * lanes;
  bool const last_block = block.block_rank() == shape.blocks - 1;
  int const rows = shape.rows_of(block.block_rank());
  int const tail = last_block ? shape.tail - rank * lanes : 0;
  reader.advance(std::int64_t{block.block_rank()} * shape.rows_per_block * row_size + rank * lanes);
  if (shape.blocks * shape.rows_per_block <= Tuning::max_prefetched_rows) {
    WARPFOLD_UNROLL
    for (int i = 0; i < 2 * rows_in_flight; ++i)
      if (i < rows) reader.prefetch(i * row_size);
  }
  block.wait_for_previous_grid();

  lane_t<Op, A> value[lanes];
  fill_with_padding<Op>(value);
  fold_down<Tuning>(reader, row_size, rows, tail, op, value);

  int const live = rows > 0 ? row_size : shape.tail;
  int const live_threads = (live + lanes - 1) / lanes;
  fold_lanes(value, live - rank * lanes, op);
  A const total = fold_block(block, A(value[0]), live_threads, op, shared);
  fold_grid(block, total, live_threads, shape, init, op, scratch, result, shared);
}

/// Block `rank` of a tree, as the first threads of a grid's block walk it.
template <thread_block Block>
struct tree_block : Block {
  fold_shape const* shape;
  int rank;

  WARPFOLD_HOST_DEVICE int size() const { return shape->threads; }
  WARPFOLD_HOST_DEVICE int block_rank() const { return rank; }
  WARPFOLD_HOST_DEVICE void sync() const { sync(shape->threads); }
  WARPFOLD_HOST_DEVICE void sync(int threads) const { Block::sync(threads); }
  using Block::arrives_last;
  WARPFOLD_HOST_DEVICE bool arrives_last(unsigned* ticket) const {
    return arrives_last(ticket, static_cast<unsigned>(shape->blocks));
  }
};

template <class A>
struct counted_shared {
  fold_shape shape; ///< would take registers
  fold_shared<A> fold;
};

/// fold_striped of as many T's as `size` says, by any number of blocks of max_fold_threads.
template <class T, class Tuning, class A, thread_block Block, class Reader, class Op, class Output>
WARPFOLD_HOST_DEVICE void fold_counted(Block const& block, Reader const& reader, counted_size size,
                                       A init, Op op, fold_scratch<A> scratch, Output result,
                                       counted_shared<A>& shared) {
  block.wait_for_previous_grid();
  if (block.thread_rank() == 0) shared.shape = fold_shape_of<T>(size.get(), sizeof(A));
  block.sync();
  if (block.thread_rank() >= shared.shape.threads) return;
  WARPFOLD_UNROLL_BY(1)
  for (int rank = block.block_rank(); rank < shared.shape.blocks; rank += block.grid_size()) {
    fold_striped<Tuning>(tree_block<Block>{block, &shared.shape, rank}, reader, shared.shape, init,
                         op, scratch, result, shared.fold);
    block.sync(shared.shape.threads); // before `shared.fold` is written again
  }
}

/// The fold of an operator that keeps the order of its operands. Every warp goes through a
/// contiguous part of its block's rows: 32 packs in pairs, and their results one after the other.
template <class Tuning, class A, thread_block Block, class Reader, class Op, class Output>
WARPFOLD_HOST_DEVICE void fold_ordered(Block const& block, Reader reader, fold_shape shape, A init,
                                       Op op, fold_scratch<A> scratch, Output result,
                                       fold_shared<A>& shared) {
  constexpr int lanes = Reader::lanes;
  constexpr int rows_in_flight = Tuning::ordered_rows_in_flight;
  constexpr int row_size = warp_size * lanes; // of a warp
  using pack = typename Reader::pack;
  int const warp = block.thread_rank() / warp_size;
  int const lane = block.thread_rank() % warp_size;
  int const block_row = block.size() * lanes;
  bool const last_block = block.block_rank() == shape.blocks - 1;
  int const rows = shape.rows_of(block.block_rank());
  int const tail = last_block ? shape.tail : 0;
  std::int64_t const size = std::int64_t{rows} * block_row + tail;
  // With an incomplete row at their end, the warps of the last block take one row more each.
  std::int64_t const part = std::int64_t{rows + (tail > 0)} * row_size;
  std::int64_t const begin = warp * part;
  std::int64_t const end = begin + part < size ? begin + part : size;
  reader.advance(std::int64_t{block.block_rank()} * shape.rows_per_block * block_row + begin +
                 lane * lanes);
  block.wait_for_previous_grid();

  auto const fold_row = [&](pack const& elements, int count) {
    A element[lanes];
    fill_with_padding<Op>(element);
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (lane * lanes + v < count) element[v] = reader(elements, v);
    fold_lanes(element, count - lane * lanes, op);
    return fold_warp(block, element[0], (count + lanes - 1) / lanes, op);
  };

  A value{};
  std::int64_t row = begin;
  WARPFOLD_UNROLL_BY(1)
  for (; row + rows_in_flight * row_size <= end; row += rows_in_flight * row_size) {
    pack batch[rows_in_flight];
    WARPFOLD_UNROLL
    for (int i = 0; i < rows_in_flight; ++i) batch[i] = reader.load(i * row_size);
    WARPFOLD_UNROLL
    for (int i = 0; i < rows_in_flight; ++i) {
      A const folded = fold_row(batch[i], row_size);
      if (lane == 0) value = row == begin && i == 0 ? folded : op(value, folded);
    }
    reader.advance(rows_in_flight * row_size);
  }
  WARPFOLD_UNROLL_BY(1)
  for (; row < end; row += row_size) {
    int const count = end - row < row_size ? static_cast<int>(end - row) : row_size;
    pack elements{};
    if (lane * lanes < count) elements = reader.load_first(0, count - lane * lanes);
    A const folded = fold_row(elements, count);
    if (lane == 0) value = row == begin ? folded : op(value, folded);
    reader.advance(row_size);
  }

  int const live_warps = size > 0 ? static_cast<int>((size + part - 1) / part) : 0;
  if (lane == 0) shared.warp_total(warp) = value;
  block.sync();
  if (warp == 0) {
    if (lane < live_warps) value = shared.warp_total(lane);
    else if constexpr (pads_with_identity<Op, A>) value = padding_for<Op, A>();
    value = fold_warp(block, value, live_warps, op);
  }
  block.sync();
  fold_grid(block, value, live_warps, shape, init, op, scratch, result, shared);
}

} // namespace warpfold::inline v0::detail
