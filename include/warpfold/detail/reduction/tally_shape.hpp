#pragma once
// The tree of a tally.

#include <warpfold/detail/reduction/fold_shape.hpp>

namespace warpfold::inline v0::detail {

/// Partials of more bytes have long operators.
inline constexpr std::size_t small_partial = 32;

/// Merging a block's partials takes longer than a sum's, so blocks have more rows (NVIDIA H200,
/// 2026-11-21, describing 2^28 floats: 64 rows 308 us, 128 rows 284, 256 rows 278).
inline constexpr fold_tree small_partials{.max_rows = 256};
/// Large partials have smaller blocks, of which a multiprocessor holds more: while one merges, the
/// others read. They may take half of the workspace that every place has.
inline constexpr fold_tree large_partials{
    .max_threads = 256, .full_blocks = 512, .max_rows = 256, .partial_bytes = 512 << 10};

constexpr fold_tree const& tally_tree(std::size_t partial_size) {
  return partial_size > small_partial ? large_partials : small_partials;
}

template <class T>
constexpr fold_shape tally_shape_of(std::size_t size, std::size_t partial_size) {
  return fold_shape_of<T>(size, partial_size, tally_tree(partial_size));
}

} // namespace warpfold::inline v0::detail
