#pragma once
// Where fields lie in memory, and the lines in them. A layout is complete if none of its distances
// is 0.

#include "plan.hpp"

#include <warpfold/detail/core/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// Makes a layout complete, as field_layout says. What no number holds becomes the largest one.
field_layout completed(problem const& of, field_layout const& given);

/// Elements from the first to the last one of a field; no number holds more than the largest one.
std::size_t extent_of(problem const& of, field_layout const& complete);

/// True if there is nothing between the elements.
bool is_dense(problem const& of, field_layout const& complete);

/// Least distances that keep elements apart: along each axis, what the faster ones take.
field_layout least_layout(problem const& of, field_layout const& complete);

/// Returns true if two fields of one layout have an element in common, of which the second begins
/// `distance` elements behind the first.
bool share_elements(problem const& of, field_layout const& complete, std::ptrdiff_t distance);

/// The lines along an axis, of all right-hand sides, in row-major order of all other indices.
struct line_starts {
  std::int64_t stride;       ///< between a line's points
  std::int64_t inner, outer; ///< points of the other axes, the faster one first
  std::int64_t inner_stride, outer_stride, entry_stride;

  /// The other indices of a line: those of two axes, and of the batch.
  struct place {
    std::int64_t inner, outer, entry;
  };
  [[nodiscard]] WARPFOLD_HOST_DEVICE place place_of(std::int64_t line) const {
    std::int64_t const row = line / inner, entry = row / outer;
    return {line - row * inner, row - entry * outer, entry};
  }
  /// Where a line's point 0 is.
  [[nodiscard]] WARPFOLD_HOST_DEVICE std::int64_t begin(place const& line) const {
    return line.inner * inner_stride + line.outer * outer_stride + line.entry * entry_stride;
  }
  [[nodiscard]] WARPFOLD_HOST_DEVICE std::int64_t begin(std::int64_t line) const {
    return begin(place_of(line));
  }
};
line_starts starts_of(problem const& of, std::size_t axis, field_layout const& complete);

} // namespace warpfold::inline v0::poisson
