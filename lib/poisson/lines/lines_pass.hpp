#pragma once
// One pass along an axis: what a kernel is told.

#include "lines_plan.hpp"
#include "poisson/lambda.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// A problem's lines along one axis. Groups of lines follow each other in memory; the lines of a
/// group are paired, and a block takes units, which are pairs, of one group.
template <class T>
struct line_pass {
  line_axis<T> axis;
  line_role role;
  T const* in;
  T* out;                  ///< may be in
  int lines;               ///< of a group
  unsigned step;           ///< between the points of a line
  std::size_t next, group; ///< between lines, groups
  int units;               ///< of a block; a power of two
  int shift;               ///< log2 of units, if next is 1; else 0
  int blocks;              ///< of a group
  bool wide;       ///< a unit's two lines, if next is 1, else two points are accessed at once
  bool wide_modes; ///< a slot's two modes are accessed at once

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
  int groups;          ///< of an entry
};

} // namespace warpfold::inline v0::poisson
