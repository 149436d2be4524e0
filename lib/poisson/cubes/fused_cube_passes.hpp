#pragma once
// Poisson's equation on three periodic axes (z, y, x) in five passes over the data: rows forward
// (fused_row_pass.hpp), lines along z, columns along y with the division, lines along z back, rows
// back. Each is a template over a block, as in fused_spectra.hpp.
//
// Two rows 2 y and 2 y + 1 of a plane are one complex line, and what lies between the passes are
// pairs of columns, [z][y][x] of them with n = 1 in the words of fused_spectra.hpp. Lines along z
// take the second of a pair as its conjugate, so that a pair at kz is of mode (kz, x) and,
// conjugate, of (-kz, -x): the counterparts that take two rows' transforms apart. The columns 0 and
// width / 2, one pair, are transformed as they are. Their counterparts are at -kz.

#include <warpfold/detail/core/block.hpp>

#include "poisson/squares/fused_column_pass.hpp"

namespace warpfold::inline v0::poisson {

/// Pairs of columns first ... first + pieces * (those of a block) - 1 of all lines.
struct column_range {
  int first;
  int pieces_log2;
};

/// Whole lines, Columns pairs a block.
template <class T, int Depth, int Points, int Columns>
using depth_shape = column_shape<T, 2 * Depth, Points, Columns>;

template <class T>
struct depth_arrays {
  complex_pair<T>* spectra;
  complex<T> const* factors; ///< of stages<depth, Points>
  int width;
  int lines_log2; ///< of a plane
  column_range range;
};

/// Where number i of a thread comes out, or comes from, as a frequency.
template <class Shape>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int depth_frequency(int rank, int i) {
  using digits = stages<Shape::length, Shape::points>;
  return digits::frequency(rank * Shape::points) + digits::frequency(i);
}

/// A block's pairs of columns of one line y, for all z.
template <bool Inverse, class Shape, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
transform_depths(Block const& block, depth_arrays<T> const& arrays, complex<T>* shared) {
  using line_type = column_line<Shape>;
  constexpr int points = Shape::points, columns = Shape::columns;
  int const column = block.thread_rank() % columns;
  line_type const line{arrays.factors, shared + column * Shape::line,
                       block.thread_rank() / columns};
  auto const piece = static_cast<unsigned>(block.block_rank());
  unsigned const y_of_all = piece >> arrays.range.pieces_log2;
  int const x = arrays.range.first +
                static_cast<int>(piece & ((1U << arrays.range.pieces_log2) - 1)) * columns + column;
  std::size_t const per_line = static_cast<std::size_t>(arrays.width) / 2;
  std::size_t plane = per_line << arrays.lines_log2;
  auto* const spectra = arrays.spectra + (y_of_all >> arrays.lines_log2) * (plane * Shape::length) +
                        (y_of_all & ((1U << arrays.lines_log2) - 1)) * per_line +
                        static_cast<std::size_t>(x);
  T const sign = x == 0 ? T(1) : T(-1);

  complex<T> v[2][points];
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) {
    int const z = Inverse ? depth_frequency<Shape>(line.rank, j) : line.rank + j * Shape::per_line;
    auto const both = load_pair(spectra + static_cast<std::size_t>(z) * plane);
    v[0][j] = both.first;
    v[1][j] = both.second;
    if (!Inverse) v[1][j].im *= sign;
  }
  if constexpr (Inverse) transform_of<line_type>::inverse(block, line, v);
  else transform_of<line_type>::forward(block, line, v);
  forget(plane);
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) {
    int const z = Inverse ? line.rank + j * Shape::per_line : depth_frequency<Shape>(line.rank, j);
    if (Inverse) v[1][j].im *= sign;
    spectra[static_cast<std::size_t>(z) * plane] = {v[0][j], v[1][j]};
  }
}

template <class T>
struct cube_column_arrays {
  column_arrays<T> of; ///< interleaved_log2 is 0
  T const* depth_eigenvalues;
  int depth_log2;
  column_range range;
  unsigned blocks; ///< without those for columns width / 2 of planes 0 and depth / 2
};

/// A block's pairs of columns of one plane kz. The pair x = 0 has two columns that need the plane
/// -kz: the lower of both planes takes columns 0, the upper one columns width / 2. The planes 0 and
/// depth / 2, which are their own counterparts, take columns 0, and blocks of their own the others.
/// So a block may read the half of a pair that another one writes, but does not use it.
template <class Shape, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_cube_columns(Block const& block, cube_column_arrays<T> const& arrays, complex<T>* shared) {
  using line_type = column_line<Shape>;
  constexpr int points = Shape::points, columns = Shape::columns;
  int const column = block.thread_rank() % columns;
  line_type const line{arrays.of.factors, shared + column * Shape::line,
                       block.thread_rank() / columns};
  auto const piece = static_cast<unsigned>(block.block_rank());
  bool const is_apart = piece >= arrays.blocks;
  unsigned const depth = 1U << arrays.depth_log2;
  unsigned const plane =
      is_apart ? (piece - arrays.blocks) * (depth / 2) : piece >> arrays.range.pieces_log2;
  unsigned const z = plane & (depth - 1);
  int const half_width = arrays.of.width / 2;
  int const x =
      is_apart
          ? 0
          : arrays.range.first +
                static_cast<int>(piece & ((1U << arrays.range.pieces_log2) - 1)) * columns + column;
  bool const has_upper = x == 0 && (is_apart || z > depth / 2);
  auto const per_line = static_cast<std::size_t>(half_width);
  auto* const spectra = arrays.of.spectra + plane * (Shape::length * per_line) +
                        static_cast<std::size_t>(line.rank) * per_line +
                        static_cast<std::size_t>(x);
  unsigned const opposite = (depth - z) & (depth - 1);
  auto* const counterpart =
      spectra + (static_cast<std::ptrdiff_t>(opposite) - static_cast<std::ptrdiff_t>(z)) *
                    static_cast<std::ptrdiff_t>(Shape::length * per_line);
  std::size_t step = Shape::per_line * per_line;

  complex<T> v[2][points];
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) {
    auto const own = load_pair(spectra + j * step);
    v[0][j] = own.first;
    v[1][j] = own.second;
  }
  if (x == 0) {
    WARPFOLD_UNROLL
    for (int j = 0; j < points; ++j) {
      auto const other = load_pair(counterpart + j * step);
      if (has_upper) v[0][j] = v[1][j];
      v[1][j] = conj(has_upper ? other.second : other.first);
    }
  }
  std::size_t const batch = plane >> arrays.depth_log2;
  T const lambda = arrays.of.lambda.of(batch);
  T const eigenvalue = arrays.of.eigenvalues[has_upper ? half_width : x] +
                       arrays.depth_eigenvalues[z] - lambda * arrays.of.lambda_unit;
  bool const is_first = x == 0 && z == 0 && !is_apart && line.rank == 0;
  bool const removes = is_first && lambda == 0;
  solve_modes<Shape>(block, line, arrays.of, is_first, removes, batch, v,
                     [&](int i) { return mode_pair_of(line, arrays.of, eigenvalue, removes, i); });

  if (is_apart && column != 0) return;
  forget(step);
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) {
    auto& own = spectra[j * step];
    if (x != 0) own = {v[0][j], v[1][j]};
    else {
      (has_upper ? own.second : own.first) = v[0][j];
      auto& other = counterpart[j * step];
      if (opposite != z) (has_upper ? other.second : other.first) = conj(v[1][j]);
    }
  }
}

} // namespace warpfold::inline v0::poisson
