#pragma once
// The body of the fold kernels, written over a block: an object with the members of
// detail::cuda_block. The same source runs on the GPU and, under test/simt, on the CPU.

#include <warpfold/detail/fold_shape.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfold::detail {

inline constexpr int warp_size = 32;
inline constexpr int max_warps = 32;

/// Shared memory of one block. Raw bytes, so that any trivially copyable accumulator can lie in it.
template <class A>
struct fold_shared {
  alignas(A) unsigned char bytes[max_warps * sizeof(A)];
  bool is_last;

  WARPFOLD_HOST_DEVICE A& warp_total(int warp) { return reinterpret_cast<A*>(bytes)[warp]; }
};

/// Where a fold keeps what its blocks tell each other.
template <class A>
struct fold_scratch {
  A* partials;      ///< one for each block
  unsigned* ticket; ///< 0 between kernels
};

/// Folds the values of threads 0 .. live - 1 in pairs of neighbours: first threads 2i and 2i + 1,
/// then the pairs' results, and so on; a value without a partner moves up as it is. Keeps order.
/// Thread 0 returns the result. All threads of the block take part.
template <class A, class Block, class Op>
WARPFOLD_HOST_DEVICE A fold_block(Block const& block, A value, int live, Op op,
                                  fold_shared<A>& shared) {
  int const rank = block.thread_rank();
  int const lane = rank % warp_size;
  for (int step = 1; step < warp_size; step *= 2) {
    A const partner = block.shuffle_down(value, step);
    if (lane % (2 * step) == 0 && rank + step < live) value = op(value, partner);
  }
  int const warps = block.size() / warp_size;
  if (warps == 1) return value;

  if (lane == 0) shared.warp_total(rank / warp_size) = value;
  block.sync();
  if (rank >= warp_size) return value;
  int const live_warps = (live + warp_size - 1) / warp_size;
  if (lane < warps) value = shared.warp_total(lane);
  for (int step = 1; step < warps; step *= 2) {
    A const partner = block.shuffle_down(value, step);
    if (lane % (2 * step) == 0 && lane + step < live_warps) value = op(value, partner);
  }
  return value;
}

/// Combines the blocks' values into *result = op(init, all of them in order of blocks): the block
/// that arrives last reads the others' partials. `value` is thread 0's; live counts the threads
/// whose values went into it (0: the input was empty).
template <class A, class Block, class Op>
WARPFOLD_HOST_DEVICE void fold_grid(Block const& block, A value, int live, A init, Op op,
                                    fold_scratch<A> scratch, A* result, fold_shared<A>& shared) {
  int const rank = block.thread_rank();
  int const blocks = block.grid_size();
  if (blocks == 1) {
    if (rank == 0) *result = live > 0 ? op(init, value) : init;
    return;
  }
  if (rank == 0) {
    scratch.partials[block.block_rank()] = value;
    shared.is_last = block.arrives_last(scratch.ticket);
  }
  block.sync();
  if (!shared.is_last) return;

  int const run = (blocks + block.size() - 1) / block.size();
  int const first = rank * run;
  int const past = first + run < blocks ? first + run : blocks;
  if (first < blocks) {
    value = scratch.partials[first];
    for (int i = first + 1; i < past; ++i) value = op(value, scratch.partials[i]);
  }
  value = fold_block(block, value, (blocks + run - 1) / run, op, shared);
  if (rank == 0) *result = op(init, value);
}

/// The fold of a commutative operator. Every thread keeps one running value for each lane of its
/// 16-byte accesses, down the rows of its block; then the lanes, the threads and the blocks are
/// folded in pairs. `RowsInFlight` rows are read before the first is used.
template <int RowsInFlight, class A, class Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_striped(Block const& block, Reader reader, fold_shape shape, A init,
                                       Op op, fold_scratch<A> scratch, A* result,
                                       fold_shared<A>& shared) {
  constexpr int lanes = Reader::lanes;
  using pack = typename Reader::pack;
  int const rank = block.thread_rank();
  std::int64_t const row_size = static_cast<std::int64_t>(block.size()) * lanes;
  std::int64_t const rows = shape.rows_of(block.block_rank());
  std::int64_t next = block.block_rank() * shape.rows_per_block * row_size +
                      static_cast<std::int64_t>(rank) * lanes;
  block.wait_for_previous_grid();

  // The incomplete row is read first, to have it when the others are done.
  bool const last_block = block.block_rank() == block.grid_size() - 1;
  int const row_end = last_block ? shape.tail - rank * lanes : 0;
  pack const tail = row_end > 0 ? reader.load_first(next + rows * row_size, row_end) : pack{};

  // The first batch has what the whole ones leave over.
  A value[lanes] = {};
  if (rows > 0) {
    int const head = static_cast<int>((rows - 1) % RowsInFlight) + 1;
    pack batch[RowsInFlight];
    WARPFOLD_UNROLL
    for (int i = 0; i < RowsInFlight; ++i)
      if (i < head) batch[i] = reader.load(next + i * row_size);
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) value[v] = reader(batch[0], v);
    WARPFOLD_UNROLL
    for (int i = 1; i < RowsInFlight; ++i)
      if (i < head) WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) value[v] = op(value[v], reader(batch[i], v));
    next += head * row_size;
    for (std::int64_t batches = (rows - head) / RowsInFlight; batches > 0; --batches) {
      WARPFOLD_UNROLL
      for (int i = 0; i < RowsInFlight; ++i) batch[i] = reader.load(next + i * row_size);
      WARPFOLD_UNROLL
      for (int i = 0; i < RowsInFlight; ++i) WARPFOLD_UNROLL
      for (int v = 0; v < lanes; ++v) value[v] = op(value[v], reader(batch[i], v));
      next += RowsInFlight * row_size;
    }
  }
  WARPFOLD_UNROLL
  for (int v = 0; v < lanes; ++v)
    if (v < row_end) value[v] = rows > 0 ? op(value[v], reader(tail, v)) : reader(tail, v);

  int const live = rows > 0 ? static_cast<int>(row_size) : (last_block ? shape.tail : 0);
  WARPFOLD_UNROLL
  for (int step = 1; step < lanes; step *= 2) WARPFOLD_UNROLL
  for (int v = 0; v + step < lanes; v += 2 * step)
    if (rank * lanes + v + step < live) value[v] = op(value[v], value[v + step]);
  int const live_threads = (live + lanes - 1) / lanes;
  A const total = fold_block(block, value[0], live_threads, op, shared);
  fold_grid(block, total, live_threads, init, op, scratch, result, shared);
}

/// The fold of an operator that must keep the order of its operands. Every warp goes through a
/// contiguous part of its block's rows, 32 packs at a time: folds those in pairs of neighbours, and
/// their results one after the other.
template <int RowsInFlight, class A, class Block, class Reader, class Op>
WARPFOLD_HOST_DEVICE void fold_ordered(Block const& block, Reader reader, fold_shape shape, A init,
                                       Op op, fold_scratch<A> scratch, A* result,
                                       fold_shared<A>& shared) {
  constexpr int lanes = Reader::lanes;
  constexpr int row_size = warp_size * lanes;
  using pack = typename Reader::pack;
  int const rank = block.thread_rank();
  int const lane = rank % warp_size;
  std::int64_t const block_row = static_cast<std::int64_t>(block.size()) * lanes;
  std::int64_t const block_first = block.block_rank() * shape.rows_per_block * block_row;
  bool const last_block = block.block_rank() == block.grid_size() - 1;
  std::int64_t const block_size =
      shape.rows_of(block.block_rank()) * block_row + (last_block ? shape.tail : 0);
  // The last block may have a row more than the others, so its warps take a row more each.
  std::int64_t const part =
      (block_size + block_row - 1) / block_row * static_cast<std::int64_t>(row_size);
  std::int64_t const begin = rank / warp_size * part;
  std::int64_t const end = begin + part < block_size ? begin + part : block_size;
  block.wait_for_previous_grid();

  A value{};
  auto const fold_row = [&](pack const& elements, int count) {
    A element[lanes] = {};
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (lane * lanes + v < count) element[v] = reader(elements, v);
    WARPFOLD_UNROLL
    for (int step = 1; step < lanes; step *= 2) WARPFOLD_UNROLL
    for (int v = 0; v + step < lanes; v += 2 * step)
      if (lane * lanes + v + step < count) element[v] = op(element[v], element[v + step]);
    A folded = element[0];
    for (int step = 1; step < warp_size; step *= 2) {
      A const partner = block.shuffle_down(folded, step);
      if (lane % (2 * step) == 0 && (lane + step) * lanes < count) folded = op(folded, partner);
    }
    return folded;
  };

  std::int64_t row = begin;
  bool empty = true;
  for (; row + RowsInFlight * row_size <= end; row += RowsInFlight * row_size) {
    pack batch[RowsInFlight];
    WARPFOLD_UNROLL
    for (int i = 0; i < RowsInFlight; ++i)
      batch[i] = reader.load(block_first + row + i * row_size + lane * lanes);
    WARPFOLD_UNROLL
    for (int i = 0; i < RowsInFlight; ++i) {
      A const folded = fold_row(batch[i], row_size);
      value = empty ? folded : op(value, folded);
      empty = false;
    }
  }
  for (; row < end; row += row_size) {
    int const count = static_cast<int>(end - row < row_size ? end - row : row_size);
    pack const elements = lane * lanes < count ? reader.load_first(block_first + row + lane * lanes,
                                                                   count - lane * lanes)
                                               : pack{};
    A const folded = fold_row(elements, count);
    value = empty ? folded : op(value, folded);
    empty = false;
  }

  // Only the first lane of a warp holds its value; let the block's fold see nothing else.
  int const live_warps = part > 0 ? static_cast<int>((block_size + part - 1) / part) : 0;
  if (lane == 0) shared.warp_total(rank / warp_size) = value;
  block.sync();
  if (rank < warp_size) {
    if (lane < live_warps) value = shared.warp_total(lane);
    for (int step = 1; step < max_warps; step *= 2) {
      A const partner = block.shuffle_down(value, step);
      if (lane % (2 * step) == 0 && lane + step < live_warps) value = op(value, partner);
    }
  }
  block.sync();
  fold_grid(block, value, live_warps, init, op, scratch, result, shared);
}

} // namespace warpfold::detail
