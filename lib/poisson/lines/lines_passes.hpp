#pragma once
// A problem's passes over its data.

#include "lines_first_point.hpp"
#include "lines_shared.hpp"

#include <vector>

namespace warpfold::inline v0::poisson {

/// So many that their registers hold the longest butterfly: with 1024, 512^3 floats take 3.0 and
/// not 2.4 ms (H200, November 2026).
template <class T>
inline constexpr int most_line_threads = sizeof(T) == 4 ? 768 : 512;

template <class T>
struct line_launch {
  line_pass<T> pass;   ///< without arrays
  line_geometry dense; ///< of fields without gaps
  bool is_strided;
  int blocks, threads;
  std::size_t shared; ///< bytes of a block
};

/// An axis' tables, where the passes run.
template <class T>
struct placed_line {
  line_axis<T> axis;
  T const* first_point;
  double period;
};

/// log2 of the lines' pairs that a block takes beside each other along an axis; 0 of the last one.
template <class T>
int line_shift(plan const& of, std::size_t axis);

/// Along one axis. Without line_role::solve, the lines of other axes may be missing.
template <class T>
line_launch<T> make_pass(plan const& of, std::vector<placed_line<T>> const& lines, std::size_t axis,
                         line_role role);

/// In their order. Arrays are still to be given.
template <class T>
std::vector<line_launch<T>> make_passes(plan const& of, std::vector<placed_line<T>> const& lines);

/// Returns true if lines of every axis, or the convolutions that transform them, fit in a block's
/// shared memory.
bool fits_lines(plan const& of, std::size_t element);

/// Gives a pass its arrays, in which lines lie so.
template <class T>
line_pass<T> with_arrays(line_launch<T> const& launch, line_geometry const& shape, T const* in,
                         T* out);
/// Dense ones.
template <class T>
line_pass<T> with_arrays(line_launch<T> const& launch, T const* in, T* out) {
  return with_arrays(launch, launch.dense, in, out);
}

/// Without arrays, of dense ones; of a problem of more than one axis.
template <class T>
first_points<T> first_points_of(plan const& of, std::vector<placed_line<T>> const& lines);

namespace gpu_impl {

template <class T>
using line_kernel = void (*)(line_pass<T>);
/// For lines along any axis but the fastest, or along that.
template <class T>
line_kernel<T> line_kernel_of(line_kind kind, bool is_strided);

} // namespace gpu_impl
} // namespace warpfold::inline v0::poisson
