#pragma once
// Common to segmented reductions: where the segments lie, and how much scratch memory they need.
// Every segment is folded in the tree of its own length, fold_shape_of: nothing here changes a bit.

#include <warpfold/detail/reduction/fold_shape.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// `count` + 1 positions in an array, 32 or 64 bits wide: segment i is [at(i), at(i + 1)).
struct segment_offsets {
  void const* data;
  std::int64_t count;
  bool wide;

  WARPFOLD_HOST_DEVICE std::int64_t at(std::int64_t i) const {
    return wide ? static_cast<std::int64_t const*>(data)[i]
                : static_cast<std::int32_t const*>(data)[i];
  }
};

/// `count` segments of `length` elements, `pitch` apart.
struct segment_rows {
  std::int64_t count;
  std::int64_t length;
  std::int64_t pitch;
};

/// Marked runs: the first `capacity` of them.
struct marked_segments {
  std::uint64_t const* marks;
  std::size_t keys;
  std::uint64_t capacity;
  std::size_t scratch_begin; ///< bytes of the workspace that hold the marks

  /// Runs that may be there.
  std::size_t most() const { return keys < capacity ? keys : capacity; }
};

/// Which parts of the marks blocks take: the first `larger_blocks` of them `parts` each, the others
/// one, so that all end at about the same time.
struct marked_deal {
  int parts;
  int larger_blocks;

  /// Of `all` parts, of which `enough` keep a GPU busy. A block takes at most `most`.
  static marked_deal of(std::int64_t all, int enough, int most) {
    auto const parts = static_cast<int>(clamped<std::int64_t>(all / enough, 1, most));
    return {parts, parts > 1 ? static_cast<int>((all - enough) / parts) : 0};
  }

  WARPFOLD_HOST_DEVICE std::int64_t first(int block) const {
    return block < larger_blocks ? std::int64_t{block} * parts
                                 : std::int64_t{larger_blocks} * (parts - 1) + block;
  }
  WARPFOLD_HOST_DEVICE int count(int block) const { return block < larger_blocks ? parts : 1; }
  /// Blocks for `all` parts.
  std::int64_t blocks(std::int64_t all) const {
    return all - std::int64_t{larger_blocks} * (parts - 1);
  }
};

struct segment_list {
  segment_offsets offsets; ///< unless its data is null
  segment_rows rows;
  std::uint64_t const* number = nullptr; ///< unless null: of the offsets' segments, in GPU memory
  std::size_t scratch_begin = 0;         ///< bytes of the workspace that hold the offsets

  WARPFOLD_HOST_DEVICE std::int64_t count() const {
    return offsets.data ? offsets.count : rows.count;
  }
  WARPFOLD_HOST_DEVICE std::int64_t begin(std::int64_t i) const {
    return offsets.data ? offsets.at(i) : i * rows.pitch;
  }
  WARPFOLD_HOST_DEVICE std::int64_t end(std::int64_t i) const {
    return offsets.data ? offsets.at(i + 1) : i * rows.pitch + rows.length;
  }
  /// Reads `number`.
  WARPFOLD_HOST_DEVICE void resolve() {
    if (number && static_cast<std::int64_t>(*number) < offsets.count)
      offsets.count = static_cast<std::int64_t>(*number);
  }
  /// The first segment from number `from` on that ends behind a position, count() if there is none.
  WARPFOLD_HOST_DEVICE std::int64_t first_behind(std::int64_t position, std::int64_t from) const {
    std::int64_t low = from, high = count();
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      if (end(middle) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
};

struct segment_columns {
  std::int64_t rows;
  std::int64_t count;
  std::int64_t pitch;
};

/// fold_shape_of for up to block_elements, without its divisions.
template <class T>
WARPFOLD_HOST_DEVICE constexpr fold_shape one_block_shape_of(int size) {
  constexpr fold_tree tree{};
  int const packs = size / lanes_per_thread<T>;
  int log_threads = 5;
  while ((1 << log_threads) < packs / static_cast<int>(tree.rows_of_small) &&
         (1 << log_threads) < max_fold_threads)
    ++log_threads;
  fold_shape shape{};
  shape.threads = 1 << log_threads;
  shape.blocks = 1;
  shape.last_block_rows = packs >> log_threads;
  shape.rows_per_block = shape.last_block_rows;
  shape.tail = size - (shape.last_block_rows << log_threads) * lanes_per_thread<T>;
  return shape;
}

/// Blocks of the kernels for segments up to one block's.
inline constexpr int segment_threads = 256;
inline constexpr int segment_warps = segment_threads / 32;

/// Warps of the blocks between offsets: few, as a block stays until its last warp is done.
inline constexpr int offsets_warps = 2;
inline constexpr int offsets_threads = 32 * offsets_warps;
/// Blocks of the kernel for marked runs have a warp.
inline constexpr int marked_threads = 32;
/// Blocks of the kernel for long segments. With 512 threads they wait longer for the slowest of
/// their warps: us of sums by key of 2^24 and 2^28 floats, power law, 74.7 and 815 instead of 76.0
/// and 826 (NVIDIA H200, 2026-11-29, docs/validation/2026-11-29-registers-h200.txt).
inline constexpr int long_threads = 256;
/// Offsets that a warp holds at once, 4 in a lane.
inline constexpr int held_offsets = 128;
/// Elements that it holds in shared memory: up to 4 KiB.
template <class T>
inline constexpr int stage_elements = sizeof(T) <= 16 ? 256 * lanes_per_thread<T>
                                                      : (4 << 10) / static_cast<int>(sizeof(T));
/// Elements of a segment that it folds alone with much input: all that the tree gives to one block.
template <class T>
inline constexpr int block_elements = static_cast<int>(fold_tree{}.one_block / sizeof(T));
/// And whatever the input. Longer ones are left to another kernel.
template <class T>
inline constexpr int warp_elements =
    1024 * lanes_per_thread<T> < block_elements<T> ? 1024 * lanes_per_thread<T> : block_elements<T>;

/// Bytes of a segment up to which the warp that folds it alone prefetches it.
inline constexpr std::size_t most_prefetched = 16 << 10;

/// Blocks of a tree that are folded by one block of the GPU: `most`, but so few that no more than
/// 128 KiB come together.
inline constexpr int max_parts_together = 8;
WARPFOLD_HOST_DEVICE constexpr int parts_together(fold_shape const& shape, int most) {
  int together = most;
  while (together > 1 && together * shape.rows_per_block * shape.threads > 8192) together /= 2;
  return together;
}

/// A segment that the kernel for long ones has to fold.
struct long_segment {
  std::int64_t segment;
  std::int64_t begin;
  fold_shape shape;
  unsigned first_part; ///< of all trees' blocks
  unsigned first_item; ///< of the work on them
  unsigned arrived;    ///< items that are done
};

/// The long segments, in whatever order they were found, and the results of their trees' blocks.
template <class A>
struct long_segments {
  /// [0] segments (upper half) and items (lower half), [1] parts so far; 0 between kernels.
  unsigned long long* listed;
  unsigned* done; ///< ticket of the blocks that fold them
  long_segment* segments;
  unsigned* segment_of; ///< place in `segments`, of every item
  A* partials;          ///< of every part
  int together;         ///< most parts in an item
  int longest_alone;    ///< elements of segments that are not long
};

/// Most long segments out of `elements` elements, and most blocks of their trees, of 4 rows of 256
/// threads at least.
template <class T>
constexpr std::size_t most_long_segments(std::size_t elements) {
  return elements / (warp_elements<T> + 1);
}
template <class T>
constexpr std::size_t most_long_parts(std::size_t elements) {
  return most_long_segments<T>(elements) + elements / (1024 * lanes_per_thread<T>);
}

constexpr std::size_t aligned_size(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Lays the above out in a workspace, and says how large it is.
template <class T, class A>
struct long_segments_layout {
  explicit constexpr long_segments_layout(std::size_t elements)
      : segment_of{aligned_size(most_long_segments<T>(elements) * sizeof(long_segment))},
        partials{segment_of + aligned_size(most_long_parts<T>(elements) * sizeof(unsigned))},
        bytes{partials + aligned_size(most_long_parts<T>(elements) * sizeof(A))} {}

  long_segments<A> in(void* workspace, unsigned long long* listed, unsigned* done, int together,
                      int longest_alone) const {
    auto* const start = static_cast<unsigned char*>(workspace);
    return {listed,
            done,
            reinterpret_cast<long_segment*>(start),
            reinterpret_cast<unsigned*>(start + segment_of),
            reinterpret_cast<A*>(start + partials),
            together,
            longest_alone};
  }

  std::size_t segment_of, partials, bytes;
};

} // namespace warpfold::inline v0::detail
