#pragma once
// One pass along an axis: what a kernel is told.

#include "lines_plan.hpp"
#include "poisson/lambda.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// Where a pass reads or writes lines. Distances are in elements, as in line_strides.
template <class T>
struct line_memory {
  T* data;
  bool wide; ///< a unit's two lines, if they are neighbours, else two points are accessed at once
  bool wide_modes; ///< a slot's two modes are accessed at once
  std::size_t step, next, row, group, entry;
};

/// A problem's lines along one axis. The lines of a group are paired, and a block takes units,
/// which are pairs, of one group.
template <class T>
struct line_pass {
  line_axis<T> axis;
  line_role role;
  line_memory<T const> in;
  line_memory<T> out; ///< may be in
  int lines;          ///< of a group
  int beside;         ///< of a row
  int groups;         ///< of an entry of the batch
  int units;          ///< of a block; a power of two
  int shift;          ///< log2 of units, if lines are neighbours; else 0
  int blocks;         ///< of a group

  // For line_role::solve.
  T const* slower; ///< eigenvalues along the other axes, of lines in row-major order; or null
  T const* faster;
  int fastest; ///< lines along the faster one
  entry_lambda<T> lambda;
  T scale;
  bool is_singular;       ///< where lambda is 0
  T* removed_mean;        ///< by group; or null
  bool fixes_first_point; ///< a line is a problem of its own
  // For line_role::backward.
  T const* subtracted; ///< from all, by entry of the batch; or null
};

} // namespace warpfold::inline v0::poisson
