#pragma once
// Two periodic axes of powers of two, in three passes.

#include "fused_tables.hpp"
#include "fused_tuning.hpp"
#include "poisson/backend.hpp"

#include <warpfold/buffer.hpp>

namespace warpfold::inline v0::poisson {

template <class T, int Width>
using tuned_rows = row_shape<T, Width, row_tuning<T, Width>::layout()>;
template <class T, int Height>
using tuned_columns =
    column_shape<T, Height, column_tuning<T, Height>::points, column_tuning<T, Height>::columns,
                 column_tuning<T, Height>::keeps>;

/// How rows are launched, and what they need.
template <class T>
struct row_launch {
  device_buffer<complex<T>> factors;
  int interleaved_log2;
  void (*forward)(gpu& place, row_arrays<T> const& arrays, std::size_t lines);
  /// Writes the first points of all right-hand sides' solutions, and nothing else.
  void (*probe)(gpu& place, row_arrays<T> const& arrays, std::size_t batch);
  void (*back)(gpu& place, row_arrays<T> const& arrays, std::size_t lines);
};

/// Columns' tables in GPU memory, and what a pass over them is told but for the arrays of a solve.
template <class T>
struct placed_columns {
  device_buffer<complex<T>> factors, roots, modes;
  device_buffer<T> eigenvalues; ///< of the rows
  column_arrays<T> pass;        ///< of lines that are not interleaved
};
template <class Shape>
placed_columns<typename Shape::number> place_columns(gpu const& place, plan const& of) {
  using T = typename Shape::number;
  double const largest = largest_eigenvalue(of), share = .5 / static_cast<double>(of.size());
  column_tables<Shape> const tables{of, largest};
  placed_columns<T> made{{place, factors_of<T, typename Shape::digits>()},
                         {place, tables.roots},
                         {place, tables.modes},
                         {place, row_eigenvalues_of<T>(of, largest)},
                         {}};
  made.pass = {.spectra = nullptr,
               .removed_mean = nullptr,
               .factors = made.factors.data(),
               .roots = made.roots.data(),
               .modes = made.modes.data(),
               .eigenvalues = made.eigenvalues.data(),
               .lambda = {},
               .lambda_unit = static_cast<T>(1 / largest),
               .scale = static_cast<T>(share / largest),
               .mean_scale = static_cast<T>(share),
               .width = static_cast<int>(of.axes.back().points),
               .interleaved_log2 = 0};
  return made;
}

template <class T>
struct column_launch {
  placed_columns<T> columns;
  void (*solve)(gpu& place, column_arrays<T> const& arrays, std::size_t batch);
};

namespace gpu_impl {

/// Of axis 1, and of axis 0.
template <class T>
row_launch<T> make_row_launch(gpu& place, plan const& of);
template <class T>
column_launch<T> make_column_launch(gpu& place, plan const& of);

} // namespace gpu_impl
} // namespace warpfold::inline v0::poisson
