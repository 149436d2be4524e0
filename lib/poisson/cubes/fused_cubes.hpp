#pragma once
// Three periodic axes of powers of two, in five passes.

#include "fused_cube_passes.hpp"
#include "poisson/squares/fused_squares.hpp"

namespace warpfold::inline v0::poisson {

inline constexpr std::size_t least_cube_points = 64;

/// How the passes are divided among threads, as in fused_tuning.hpp.
template <class T, int Width>
struct cube_row_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Width >= 1024 ? 16
                                            : Width == 64 ? 4
                                                          : 8)
                                         : row_tuning<T, Width>::points;
  static constexpr int lines = is_float ? (Width <= 128 ? 8 : 4) : (Width <= 256 ? 4 : 2);
  /// By which threads meet different banks of shared memory, or nearly so.
  static constexpr int beside = 64 / (points * static_cast<int>(sizeof(T)));
};
template <class T, int Depth>
struct depth_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Depth >= 1024 ? 16
                                            : Depth == 64 ? 4
                                                          : 8)
                                         : (Depth >= 256 ? 8 : 4);
  /// A piece of a line is 64 or 128 bytes.
  static constexpr int columns = is_float ? (Depth <= 512 ? 8 : 4) : (Depth <= 512 ? 4 : 2);
  /// That a thread may have.
  static constexpr int registers = points * sizeof(T) >= 64 ? 128 : 64;
};
template <class T, int Height>
struct cube_column_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Height <= 128 ? 4 : 8) : (Height >= 512 ? 8 : 4);
  static constexpr int columns = is_float ? (Height <= 512 ? 8 : 4) : (Height <= 512 ? 4 : 2);
  static constexpr int registers = points * sizeof(T) >= 64 ? 128
                                   : !is_float              ? 96
                                   : points >= 8            ? 80
                                                            : 64;
};

template <class T, int Width>
using tuned_cube_rows = row_shape<T, Width,
                                  row_layout{.points = cube_row_tuning<T, Width>::points,
                                             .lines = cube_row_tuning<T, Width>::lines,
                                             .interleaved = 1,
                                             .beside = cube_row_tuning<T, Width>::beside}>;
template <class T, int Depth>
using tuned_depths =
    depth_shape<T, Depth, depth_tuning<T, Depth>::points, depth_tuning<T, Depth>::columns>;
template <class T, int Height>
using tuned_cube_columns = column_shape<T, Height, cube_column_tuning<T, Height>::points,
                                        cube_column_tuning<T, Height>::columns>;

/// Launches take the first and the number of the pairs of columns, a multiple of `columns`.
template <class T>
struct depth_launch {
  using pass = void (*)(gpu& place, depth_arrays<T> arrays, int columns, std::size_t batch);
  std::vector<complex<T>> factors;
  int columns;
  pass forward, inverse;
};
template <class T>
struct cube_column_launch {
  std::vector<complex<T>> factors, roots, modes;
  int columns;
  void (*solve)(gpu& place, cube_column_arrays<T> arrays, int columns, std::size_t batch);
};

template <class T>
struct cube_passes {
  row_launch<T> rows;
  depth_launch<T> depths;
  cube_column_launch<T> columns;
};

namespace gpu_impl {

/// Of axis 2, of axis 0, and of axis 1.
template <class T>
row_launch<T> make_cube_row_launch(gpu& place, plan const& of);
template <class T>
depth_launch<T> make_depth_launch(gpu& place, plan const& of);
template <class T>
cube_column_launch<T> make_cube_column_launch(gpu& place, plan const& of);

/// null if it is not compiled for the problem or the GPU.
template <class T>
std::unique_ptr<backend<T>> make_cubes(gpu& place, plan const& of);
bool has_cubes(gpu const& place, plan const& of, std::size_t element);
/// With any passes, slices of so many bytes.
template <class T>
std::unique_ptr<backend<T>> make_cubes_of(gpu& place, plan const& of, cube_passes<T> const& passes,
                                          std::size_t slice);

} // namespace gpu_impl
} // namespace warpfold::inline v0::poisson
