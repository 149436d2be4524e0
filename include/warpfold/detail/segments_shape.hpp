#pragma once
// What segmented reductions share: where the segments lie, and how much scratch memory they need.
// Every segment is folded in the tree of its own length, fold_shape_of: nothing here changes a bit.

#include <warpfold/detail/fold_shape.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::detail {

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

/// fold_shape_of for what one block folds, without its divisions.
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

/// How a block of the kernel for offsets works.
inline constexpr int segment_threads = 256;
inline constexpr int segment_warps = segment_threads / 32;
/// Segments that it takes on at once.
inline constexpr int segment_batch = 2 * segment_threads;
/// Bytes of elements that it holds in shared memory.
inline constexpr int stage_bytes = 16 << 10;
/// The same in elements. Longer segments are left to another kernel.
template <class T>
inline constexpr int stage_elements = sizeof(T) <= 16 ? 1024 * lanes_per_thread<T>
                                                      : stage_bytes / static_cast<int>(sizeof(T));

/// Most segments out of `elements` elements that do not fit into a stage, and most blocks of their
/// trees: one each, and one more for every 1024 packs (fold_tree: 4 rows of 256 threads at least).
template <class T>
constexpr std::size_t most_long_segments(std::size_t elements) {
  return elements / (stage_elements<T> - lanes_per_thread<T> + 1);
}
template <class T>
constexpr std::size_t most_long_parts(std::size_t elements) {
  return most_long_segments<T>(elements) + elements / (1024 * lanes_per_thread<T>);
}

/// A segment that the kernel for long ones has to fold.
struct long_segment {
  std::int64_t segment;
  std::int64_t begin;
  std::int64_t length;
  unsigned first_part; ///< number of its tree's first block among all parts
  unsigned arrived;    ///< blocks that are done
};

/// The long segments, in whatever order they were found, and the results of their trees' blocks.
template <class A>
struct long_segments {
  unsigned long long* listed; ///< segments (upper half) and parts (lower half) so far
  long_segment* segments;
  A* partials;          ///< of every part
  unsigned* segment_of; ///< place in `segments`, of every part
};

constexpr std::size_t aligned_size(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Lays the above out in a workspace, and says how large it is.
template <class T, class A>
struct long_segments_layout {
  explicit constexpr long_segments_layout(std::size_t elements)
      : segments{256}, partials{segments + aligned_size(most_long_segments<T>(elements) *
                                                        sizeof(long_segment))},
        segment_of{partials + aligned_size(most_long_parts<T>(elements) * sizeof(A))},
        bytes{segment_of + aligned_size(most_long_parts<T>(elements) * sizeof(unsigned))} {}

  long_segments<A> in(void* workspace) const {
    auto* const start = static_cast<unsigned char*>(workspace);
    return {reinterpret_cast<unsigned long long*>(start),
            reinterpret_cast<long_segment*>(start + segments),
            reinterpret_cast<A*>(start + partials),
            reinterpret_cast<unsigned*>(start + segment_of)};
  }

  std::size_t segments, partials, segment_of, bytes;
};

} // namespace warpfold::detail
