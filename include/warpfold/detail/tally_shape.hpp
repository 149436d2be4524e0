#pragma once
// The tree of a tally.

#include <warpfold/detail/fold_shape.hpp>

namespace warpfold::detail {

/// Large partials take longer to merge than elements to add: so a thread sees more of them, and
/// the partials may take half of the workspace that every place has.
inline constexpr fold_tree large_partials{.max_rows = 64, .partial_bytes = 512 << 10};

/// The shape for `size` elements of T and partials of so many bytes.
template <class T>
constexpr fold_shape tally_shape_of(std::size_t size, std::size_t partial_size) {
  return fold_shape_of<T>(size, partial_size, partial_size > 32 ? large_partials : fold_tree{});
}

} // namespace warpfold::detail
