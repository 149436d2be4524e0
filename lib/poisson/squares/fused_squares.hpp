#pragma once
// Two periodic axes of powers of two, in three passes.

#include "fused_column_pass.hpp"
#include "fused_row_pass.hpp"
#include "fused_tuning.hpp"
#include "poisson/plan.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::poisson {

template <class T, int Width>
using tuned_rows = row_shape<T, Width, row_tuning<T, Width>::layout()>;
template <class T, int Height>
using tuned_columns =
    column_shape<T, Height, column_tuning<T, Height>::points, column_tuning<T, Height>::columns,
                 column_tuning<T, Height>::keeps>;
/// use(points) of an axis' points that there are kernels for, as a number that the compiler knows.
template <class T, class Use>
auto with_points(std::size_t points, Use use) {
  switch (points) {
  case 64: return use(std::integral_constant<int, 64>{});
  case 128: return use(std::integral_constant<int, 128>{});
  case 256: return use(std::integral_constant<int, 256>{});
  case 512: return use(std::integral_constant<int, 512>{});
  case 1024: return use(std::integral_constant<int, 1024>{});
  case 2048: return use(std::integral_constant<int, 2048>{});
  case 4096: return use(std::integral_constant<int, 4096>{});
  case 8192: return use(std::integral_constant<int, 8192>{});
  default: return use(std::integral_constant<int, most_square_points(sizeof(T))>{});
  }
}

/// How rows are launched, and what they need.
template <class T>
struct row_launch {
  std::vector<complex<T>> factors;
  int interleaved_log2;
  bool in_place; ///< the spectra may lie in the solution, and the solution in the right-hand side
  std::size_t ahead_forward, ahead_back; ///< as in row_arrays
  void (*forward)(gpu& place, row_arrays<T> const& arrays, std::size_t lines);
  /// Writes the first points of all right-hand sides' solutions, and nothing else.
  void (*probe)(gpu& place, row_arrays<T> const& arrays, std::size_t batch);
  void (*back)(gpu& place, row_arrays<T> const& arrays, std::size_t lines);
};

template <class T>
struct column_launch {
  std::vector<complex<T>> factors, roots, modes;
  std::vector<T> eigenvalues; ///< of the rows
  int ahead;                  ///< as in column_arrays
  void (*solve)(gpu& place, column_arrays<T> const& arrays, std::size_t batch);
};

namespace gpu_impl {

/// Bytes of shared memory that a block may have.
std::size_t most_shared(gpu const& place);

/// Of axis 1, and of axis 0.
template <class T>
row_launch<T> make_row_launch(gpu& place, plan const& of);
template <class T>
column_launch<T> make_column_launch(gpu& place, plan const& of);

/// null if it is not compiled for the problem or the GPU.
template <class T>
std::unique_ptr<backend<T>> make_squares(gpu& place, plan const& of);
bool has_squares(gpu const& place, plan const& of, std::size_t element);

} // namespace gpu_impl
} // namespace warpfold::inline v0::poisson
