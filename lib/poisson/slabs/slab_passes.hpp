#pragma once
// One rank's part of a problem that is spread along its first axis.

#include "poisson/plan.hpp"

#include <warpfold/execution.hpp>

#include <memory>

namespace warpfold::inline v0::poisson {

/// What a rank works on: `rows` of the first axis with all of the others, and `columns` of the
/// second axis from `first_column` on with all of the others.
struct slab_part {
  std::size_t rows, first_column, columns;
};

/// A problem of only so many points along an axis. Its eigenvalues there are those of all.
inline plan narrowed(plan const& of, std::size_t axis, std::size_t points) {
  plan part = of;
  part.axes[axis].points = points;
  return part;
}

/// The transforms of one rank, with what lies between the axes as the backend wants it. On a gpu
/// they enqueue.
template <class T>
class slab_passes {
public:
  virtual ~slab_passes() = default;
  /// Along all axes but the first, of the rank's rows. `modes` may be rhs.
  virtual void forward(T const* rhs, T* modes) = 0;
  /// Along the first axis, of the rank's columns, with the division between. Writes the first mode
  /// over all axes' periods to `mean` if it has it.
  virtual void solve(T* modes, T* mean) = 0;
  virtual void backward(T* modes) = 0;
};

namespace gpu_impl {
/// Hand-written; null if it is not compiled for the problem.
template <class T>
std::unique_ptr<slab_passes<T>> make_line_slabs(gpu& place, plan const& of, slab_part const& part);
} // namespace gpu_impl

namespace host_impl {
template <class T>
std::unique_ptr<slab_passes<T>> make_slabs(host const& place, plan const& of,
                                           slab_part const& part);
} // namespace host_impl

} // namespace warpfold::inline v0::poisson
