#pragma once
// The tree of a fold: how many elements go where, as a function of their number and type.
// Changing anything here changes the bits of floating-point results on every place at once.

#include <warpfold/detail/core/bounds.hpp>
#include <warpfold/reduction/operations.hpp>

#include <bit>
#include <cstddef>

namespace warpfold::inline v0::detail {

/// Elements of a 16-byte access, 1 for types that do not divide 16 bytes: a thread's lanes.
template <class T>
inline constexpr int lanes_per_thread = std::has_single_bit(sizeof(T)) && sizeof(T) <= 16
                                            ? static_cast<int>(16 / sizeof(T))
                                            : 1;

/// The numbers behind fold_shape_of. One NVIDIA H200, 2026-11-20, warpfold-tune: see
/// docs/guarantees.md. They are the same for every GPU, because the tree must be.
struct fold_tree {
  std::size_t max_threads = 512;     ///< of a block
  std::size_t rows_of_small = 4;     ///< rows of a block before there are more threads, or blocks
  std::size_t one_block = 64 << 10;  ///< bytes of input up to which one block does it all
  std::size_t spread = 512 << 10;    ///< bytes of input up to which blocks are small and many
  std::size_t spread_threads = 256;  ///< of a block while spreading
  std::size_t full_blocks = 256;     ///< blocks that are filled before there are more
  std::size_t max_rows = 32;         ///< rows of a block before there are more blocks
  std::size_t max_blocks = 8192;     ///< and then rows grow again
  std::size_t one_warp_blocks = 128; ///< blocks whose results one warp folds
  std::size_t partial_bytes = 64 << 10; ///< of the blocks' partial results together
};

inline constexpr int max_fold_threads = static_cast<int>(fold_tree{}.max_threads);

/// A fold's tree. Elements are laid out in rows of threads * lanes; block b folds rows
/// [b * rows_per_block, (b + 1) * rows_per_block) lane by lane, and the last block also the
/// incomplete row of `tail` elements.
struct fold_shape {
  int threads;         ///< of a block: a power of two, 32 to max_fold_threads
  int blocks;          ///< at least 1
  int rows_per_block;  ///< at least 1
  int last_block_rows; ///< complete rows of the last block
  int tail;            ///< elements after the last complete row
  int run;             ///< blocks whose results one thread of the last block folds
  int runs;            ///< threads of the last block that have such a run

  WARPFOLD_HOST_DEVICE constexpr int rows_of(int b) const {
    return b == blocks - 1 ? last_block_rows : rows_per_block;
  }
};

/// The shape for `size` elements of T folded in an accumulator of `accumulator_size` bytes.
template <class T>
WARPFOLD_HOST_DEVICE constexpr fold_shape
fold_shape_of(std::size_t size, std::size_t accumulator_size, fold_tree const& tree = {}) {
  constexpr std::size_t lanes = lanes_per_thread<T>;
  std::size_t const packs = size / lanes;
  std::size_t const bytes = size * sizeof(T);
  bool const one_block = bytes <= tree.one_block;

  std::size_t threads = tree.max_threads;
  if (one_block) {
    threads = 32;
    while (threads < packs / tree.rows_of_small && threads < tree.max_threads) threads *= 2;
  } else if (bytes <= tree.spread) threads = tree.spread_threads;

  std::size_t const rows = packs / threads;
  std::size_t rows_per_block = rows;
  if (!one_block) {
    std::size_t const blocks =
        larger(smaller(tree.partial_bytes / accumulator_size, tree.max_blocks), 1);
    rows_per_block = smaller(larger(rows / tree.full_blocks, tree.rows_of_small), tree.max_rows);
    rows_per_block = larger(rows_per_block, (rows + blocks - 1) / blocks);
  }
  rows_per_block = larger(rows_per_block, 1);

  std::size_t const blocks = larger((rows + rows_per_block - 1) / rows_per_block, 1);

  fold_shape shape{};
  shape.threads = static_cast<int>(threads);
  shape.blocks = static_cast<int>(blocks);
  shape.rows_per_block = static_cast<int>(rows_per_block);
  shape.last_block_rows = static_cast<int>(rows - (blocks - 1) * rows_per_block);
  shape.tail = static_cast<int>(size - rows * threads * lanes);
  // One warp folds the results of few blocks, the whole block those of many.
  std::size_t const folding = blocks <= tree.one_warp_blocks ? 32 : threads;
  shape.run = static_cast<int>((blocks + folding - 1) / folding);
  shape.runs = (shape.blocks + shape.run - 1) / shape.run;
  return shape;
}

} // namespace warpfold::inline v0::detail
