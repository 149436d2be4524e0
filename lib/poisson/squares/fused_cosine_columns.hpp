#pragma once
// What columns do between the rows' two passes where an axis, or both, are cells between Neumann
// boundaries twice, or Dirichlet ones: cosines of type 2, whose lines are folded, or sines, which
// are cosines of lines with alternating signs and their modes in reverse.
//
// Columns x and width - x of the rows' spectra give modes x and width - x of both rows of a line,
// by one factor. They are two real columns, which make one complex line of the full height: its
// entries 2 p and 2 p + 1 are the two rows of line p, and folded they are where the thread begins
// that has loaded them. Its frequencies k and height - k give modes k and height - k of both
// columns the same way, in one thread again. Periodic rows have one complex column instead.

#include <warpfold/detail/core/block.hpp>

#include "fused_column_pass.hpp"
#include "fused_paired_line.hpp"

namespace warpfold::inline v0::poisson {

/// Lines of the full height, a pair of columns each, Columns of them a block. Folded: the columns.
template <class T, int Height, int Points, int Columns, bool Folded = true, bool FoldedRows = true>
struct cosine_shape {
  using number = T;
  static constexpr int length = Height, points = Points, columns = Columns;
  static constexpr bool folded = Folded, folded_rows = FoldedRows, keeps = false;
  static constexpr int per_line = Height / (2 * Points);
  static constexpr int threads = per_line * Columns;
  using digits = stages<length, Points>;
  static constexpr int line = line_size<T, digits>(Columns);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * Columns;
};

/// Of frequencies k and n - k of two real lines in one complex one, modes k and n - k of both;
/// factor is exp(-pi i k / (2 n)). Frequencies 0 and n / 2 are their own counterparts.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void to_modes(complex<T>& a, complex<T>& b,
                                                          complex<T> factor) {
  auto const p = a * factor, q = b * conj(factor);
  a = p + q;
  b = quarter_turned<true>(p - q);
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void to_own_modes(complex<T>& a, complex<T>& b) {
  a = T(2) * a;
  b = T(1.4142135623730950488) * b;
}
/// Undo them, times 2.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void from_modes(complex<T>& a, complex<T>& b,
                                                            complex<T> factor) {
  auto const turned = quarter_turned<false>(b);
  b = (a - turned) * factor;
  a = (a + turned) * conj(factor);
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void from_own_modes(complex<T>&, complex<T>& b) {
  b = T(1.4142135623730950488) * b;
}

/// Of columns x and width - x of two rows' spectra, the entries of both rows in the complex line.
template <bool Folded, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void to_entries(complex<T>& a, complex<T>& b,
                                                            complex<T> factor) {
  if constexpr (Folded) {
    to_modes(a, b, factor);
    auto const odd = complex<T>{a.im, b.im};
    a = {a.re, b.re};
    b = odd;
  } else {
    auto const odd = quarter_turned<false>(a - conj(b));
    a = a + conj(b);
    b = odd;
  }
}
/// Undoes that, times 2.
template <bool Folded, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void from_entries(complex<T>& a, complex<T>& b,
                                                              complex<T> factor) {
  if constexpr (Folded) {
    auto const right = complex<T>{a.im, b.im};
    a = {a.re, b.re};
    b = right;
    from_modes(a, b, factor);
  } else {
    auto const turned = quarter_turned<true>(b);
    b = conj(a - turned);
    a = a + turned;
  }
}
/// Of columns 0 and width / 2.
template <bool Folded, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void to_own_entries(complex<T>& a, complex<T>& b) {
  if constexpr (Folded) to_own_modes(a, b);
  else {
    a = T(2) * a;
    b = T(2) * b;
  }
  auto const odd = complex<T>{a.im, b.im};
  a = {a.re, b.re};
  b = odd;
}
template <bool Folded, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void from_own_entries(complex<T>& a, complex<T>& b) {
  auto const right = complex<T>{a.im, b.im};
  a = {a.re, b.re};
  b = right;
  if constexpr (Folded) from_own_modes(a, b);
}

/// Pairs first ... first + Columns - 1 of the width / 2 pairs of columns of one right-hand side;
/// the first pair are columns 0 and width / 2.
template <class Shape, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_cosine_columns(Block const& block, column_arrays<T> const& arrays, std::size_t batch,
                     int first, complex<T>* shared) {
  using line_type = paired_line<Shape>;
  constexpr int points = Shape::points, columns = Shape::columns;
  int const beside_log2 = arrays.interleaved_log2, last_beside = (1 << beside_log2) - 1;
  int const thread = block.thread_rank();
  int const x = first + (thread >> beside_log2) % columns;
  line_type const line{arrays.factors, shared + (thread >> beside_log2) % columns * Shape::line,
                       ((thread >> beside_log2) / columns << beside_log2) + (thread & last_beside)};
  int const half_width = arrays.width / 2;
  auto const per_line = static_cast<std::size_t>(half_width);
  auto const spectra_of = [&](int side) {
    int const at = line.first_point(side);
    auto const group = static_cast<std::size_t>(at >> beside_log2);
    return arrays.spectra + (batch * (Shape::length / 2) + (group << beside_log2)) * per_line +
           ((x << beside_log2) + (at & last_beside));
  };
  complex_pair<T>* const spectra[] = {spectra_of(0), spectra_of(line_type::halves - 1)};
  std::size_t step = line_type::apart * per_line;
  constexpr int halves = line_type::halves, each = points / halves;

  complex<T> v[2][points];
  WARPFOLD_UNROLL
  for (int side = 0; side < halves; ++side) {
    WARPFOLD_UNROLL
    for (int j = 0; j < each; ++j) {
      auto const both = load_pair(spectra[side] + j * step);
      v[side][j] = both.first;
      v[1 - side][Shape::folded ? points - 1 - j : j] = both.second;
    }
  }
  if (arrays.ahead != 0 && x + arrays.ahead < half_width) {
    WARPFOLD_UNROLL
    for (int side = 0; side < halves; ++side) {
      auto* const later = spectra[side] + (arrays.ahead << beside_log2);
      WARPFOLD_UNROLL
      for (int j = 0; j < each; ++j) block.prefetch(later + j * step);
    }
  }
  auto const row_root = load_constant(arrays.row_roots + x);
  bool const is_own = x == 0;
  constexpr bool rows = Shape::folded_rows;
  if (is_own)
    line.each_point(v, [](int, complex<T>& a, complex<T>& b) { to_own_entries<rows>(a, b); });
  else
    line.each_point(v,
                    [=](int, complex<T>& a, complex<T>& b) { to_entries<rows>(a, b, row_root); });
  auto const turn_odd = [&](int, complex<T>&, complex<T>& b) { b = arrays.odd * b; };
  if constexpr (Shape::folded) line.each_point(v, turn_odd);

  transform_of<line_type>::forward(block, line, v);
  line.arrange(v);
  T const left = arrays.eigenvalues[x],
          right = arrays.eigenvalues[is_own ? half_width : arrays.width - x];
  constexpr int radix = line_type::last_radix, butterflies = line_type::butterflies;
  WARPFOLD_UNROLL
  for (int c = 0; c < 2 * butterflies; ++c) {
    int const side = c / butterflies, begin = c % butterflies * radix;
    auto const root = load_constant(arrays.roots + c * Shape::per_line + line.rank);
    WARPFOLD_UNROLL
    for (int i = 0; i < radix / 2; ++i) {
      int const n = c * (radix / 2) + i;
      auto const modes = load_constant(arrays.modes + n * Shape::per_line + line.rank);
      auto const factor = i == 0 ? root : root * half_turn<T>(i, 2 * radix);
      auto &a = v[side][begin + i], &b = v[1 - side][begin + radix - 1 - i];
      bool const are_own = n == 0 && line.rank == 0;
      bool const is_first = are_own && is_own, removes = is_first && arrays.mean_scale != 0;
      if constexpr (Shape::folded) {
        if (are_own) to_own_modes(a, b);
        else to_modes(a, b, factor);
      } else {
        auto const odd = are_own ? T(2) * b : a - conj(b);
        a = are_own ? T(2) * a : a + conj(b);
        b = odd;
      }
      if (is_first && arrays.removed_mean) arrays.removed_mean[batch] = mean_of(arrays, a.re);
      T const low_left = removes ? T(0) : quotient(arrays.scale, left + modes.re),
              low_right = quotient(arrays.scale, right + modes.re);
      if (Shape::folded || are_own) {
        a = {low_left * a.re, low_right * a.im};
        b = {quotient(arrays.scale, left + modes.im) * b.re,
             quotient(arrays.scale, right + modes.im) * b.im};
      } else {
        auto const p = low_left * a, q = low_right * b;
        a = p + q;
        b = conj(p - q);
      }
      if constexpr (Shape::folded) {
        if (are_own) from_own_modes(a, b);
        else from_modes(a, b, factor);
      }
    }
  }
  line.restore(v);
  transform_of<line_type>::inverse(block, line, v);

  if constexpr (Shape::folded) line.each_point(v, turn_odd);
  if (is_own)
    line.each_point(v, [](int, complex<T>& a, complex<T>& b) { from_own_entries<rows>(a, b); });
  else
    line.each_point(v,
                    [=](int, complex<T>& a, complex<T>& b) { from_entries<rows>(a, b, row_root); });
  forget(step);
  WARPFOLD_UNROLL
  for (int side = 0; side < halves; ++side) {
    WARPFOLD_UNROLL
    for (int j = 0; j < each; ++j)
      spectra[side][j * step] = {v[side][j], v[1 - side][Shape::folded ? points - 1 - j : j]};
  }
}

} // namespace warpfold::inline v0::poisson
