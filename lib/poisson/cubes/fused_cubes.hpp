#pragma once
// Three periodic axes of powers of two, in five passes.

#include "fused_cube_passes.hpp"
#include "poisson/squares/fused_squares.hpp"

namespace warpfold::inline v0::poisson {

/// How the passes of floats are divided among threads, as in fused_tuning.hpp.
template <int Width>
struct cube_row_tuning {
  static constexpr int points = Width >= 1024 ? 16 : Width == 64 ? 4 : 8;
  static constexpr int lines = Width <= 128 ? 8 : 4;
  /// By which threads meet different banks of shared memory, or nearly so.
  static constexpr int beside = 16 / points;
};
template <int Depth>
struct depth_tuning {
  static constexpr int points = Depth >= 1024 ? 16 : Depth == 64 ? 4 : 8;
  /// A piece of a line is 64 or 128 bytes.
  static constexpr int columns = Depth <= 512 ? 8 : 4;
  /// That a thread may have.
  static constexpr int registers = points == 16 ? 128 : 64;
};
template <int Height>
struct cube_column_tuning {
  static constexpr int points = Height <= 128 ? 4 : 8;
  static constexpr int columns = Height <= 512 ? 8 : 4;
  static constexpr int registers = points == 8 ? 80 : 64;
};

template <class T, int Width>
using tuned_cube_rows = row_shape<T, Width,
                                  row_layout{.points = cube_row_tuning<Width>::points,
                                             .lines = cube_row_tuning<Width>::lines,
                                             .interleaved = 1,
                                             .beside = cube_row_tuning<Width>::beside}>;
template <class T, int Depth>
using tuned_depths =
    depth_shape<T, Depth, depth_tuning<Depth>::points, depth_tuning<Depth>::columns>;
template <class T, int Height>
using tuned_cube_columns = column_shape<T, Height, cube_column_tuning<Height>::points,
                                        cube_column_tuning<Height>::columns>;

/// Launches take the first and the number of the pairs of columns, a multiple of `columns`.
template <class T>
struct depth_launch {
  using pass = void (*)(gpu& place, depth_arrays<T> arrays, int columns, std::size_t batch);
  device_buffer<complex<T>> factors;
  int columns;
  pass forward, inverse;
};
template <class T>
struct cube_column_launch {
  placed_columns<T> tables;
  int columns;
  void (*solve)(gpu& place, cube_column_arrays<T> arrays, int columns, std::size_t batch);
};

namespace gpu_impl {

/// Of axis 2, of axis 0, and of axis 1.
template <class T>
row_launch<T> make_cube_row_launch(gpu& place, plan const& of);
template <class T>
depth_launch<T> make_depth_launch(gpu& place, plan const& of);
template <class T>
cube_column_launch<T> make_cube_column_launch(gpu& place, plan const& of);

} // namespace gpu_impl
} // namespace warpfold::inline v0::poisson
