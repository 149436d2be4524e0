#pragma once
// What columns do between the rows' two passes.

#include <warpfold/detail/core/block.hpp>

#include "fused_spectra.hpp"
#include "poisson/lambda.hpp"

#include <type_traits>

namespace warpfold::inline v0::poisson {

/// By a number that is neither tiny nor huge. The reciprocal is good to a few units of the last
/// place.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T quotient(T a, T by) {
#ifdef __CUDA_ARCH__
  T r;
  if constexpr (sizeof(T) == 4) {
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(by));
  } else {
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(by));
    r = r + r * (T(1) - by * r);
    r = r + r * (T(1) - by * r);
  }
  return a * r;
#else
  return a / by;
#endif
}

/// Lines of half the height, in pairs of columns, Columns pairs a block.
template <class T, int Height, int Points, int Columns, bool Keeps = false>
struct column_shape {
  using number = T;
  static constexpr int length = Height / 2, points = Points, columns = Columns;
  static constexpr bool keeps = Keeps;
  static constexpr int per_line = length / Points;
  static constexpr int threads = per_line * Columns;
  using digits = stages<length, Points>;
  static constexpr int line = line_size<T, digits>(Columns);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * 2 * Columns;
  using keeping_nothing = column_shape<T, Height, Points, Columns>;
};

template <class T>
struct column_arrays {
  complex_pair<T>* spectra;
  T* removed_mean;           ///< of each right-hand side; or null
  complex<T> const* factors; ///< of stages<length, Points>
  /// exp(-2 pi i k / (2 length)) for the first frequency k of butterfly b: [b][rank]
  complex<T> const* roots;
  /// Eigenvalues of modes k and k + length: [i][rank] for number i of a thread.
  complex<T> const* modes;
  T const* eigenvalues; ///< of the rows, 0 ... width / 2
  entry_lambda<T> lambda;
  T lambda_unit; ///< what makes it one of the eigenvalues' unit
  T scale;
  T mean_scale; ///< of a right-hand side whose lambda is 0
  int width;
  int interleaved_log2;
};

template <class Shape>
struct column_line {
  using number = typename Shape::number;
  static constexpr int length = Shape::length, points = Shape::points;
  template <int>
  static constexpr bool shares = true;
  static constexpr bool tilted = false;
  using digits = typename Shape::digits;
  static constexpr int last_radix = digits::radix(digits::last);

  static constexpr bool keeps = Shape::keeps;

  complex<number> const* factors;
  complex<number>* shared;
  int rank;
  std::conditional_t<keeps, kept_factors<number, digits::last, 1, points>, no_factors> kept{};

  WARPFOLD_HOST_DEVICE complex<number>* memory(int side) const {
    return shared + side * Shape::line * Shape::columns;
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int first(int) const {
    if constexpr (Stage == digits::last) return rank * points;
    else {
      constexpr int stride = digits::stride(Stage);
      return rank / stride * (stride * points) + rank % stride;
    }
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE static constexpr int offset(int, int b) {
    return Stage == digits::last ? b * last_radix : 0;
  }

  template <int Stage, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(Block const& block) const {
    if constexpr (digits::within(Stage) / points * Shape::columns <= 32) block.sync_warp();
    else block.sync();
  }
};

/// Keeps a compiler from holding in registers what it can compute again from the number.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forget(std::size_t& number) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+l"(number));
#else
  static_cast<void>(number);
#endif
}

/// A pair of modes: by what the odd rows are turned to make them, and their divisors.
template <class T>
struct mode_pair {
  complex<T> factor;
  T below, above, scale;
  bool removes_lower;

  /// What they are multiplied by.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T lower() const {
    return removes_lower ? T(0) : quotient(scale, below);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T upper() const { return quotient(scale, above); }
};

/// Number i of a thread. `removes` says that its first one's lower mode is 0.
template <class Shape, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mode_pair<T>
mode_pair_of(column_line<Shape> const& line, column_arrays<T> const& arrays, T eigenvalue,
             bool removes, int i) {
  constexpr int radix = column_line<Shape>::last_radix;
  auto const root =
      load_table<Shape::keeps>(arrays.roots + i / radix * Shape::per_line + line.rank);
  auto const modes = load_table<Shape::keeps>(arrays.modes + i * Shape::per_line + line.rank);
  return {i % radix == 0 ? root : root * half_turn<T>(i % radix, radix), eigenvalue + modes.re,
          eigenvalue + modes.im, arrays.scale, i == 0 && removes};
}

/// The same when the quotients are there before they are needed.
template <class T>
struct kept_mode_pair {
  complex<T> factor;
  T by_lower, by_upper;

  WARPFOLD_HOST_DEVICE T lower() const { return by_lower; }
  WARPFOLD_HOST_DEVICE T upper() const { return by_upper; }
};

/// Of the pair of numbers a thread has of column x and, conjugate, of width - x, those of the
/// solution. Returns the real part of the lower mode of the right-hand side, times two.
template <class T, class ModePair>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T divide(complex<T>& a, complex<T>& b,
                                                     ModePair const& by) {
  auto const even = a + b, odd = quarter_turned<false>(a - b) * by.factor;
  auto lower = even + odd, upper = even - odd;
  T const mode = lower.re;
  lower = by.lower() * lower;
  upper = by.upper() * upper;
  auto const even_rows = lower + upper;
  auto const odd_rows = quarter_turned<true>((lower - upper) * conj(by.factor));
  a = even_rows + odd_rows;
  b = even_rows - odd_rows;
  return mode;
}

/// From columns' pairs of numbers to those of the solution. `is_first` says which thread has the
/// first mode of right-hand side `batch`, and `removes` that it is to be 0; mode_of(i) is the
/// mode_pair of number i.
template <class Shape, detail::thread_block Block, class T, class ModeOf>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_modes(Block const& block, column_line<Shape> const& line, column_arrays<T> const& arrays,
            bool is_first, bool removes, std::size_t batch, complex<T> (&v)[2][Shape::points],
            ModeOf mode_of) {
  using line_type = column_line<Shape>;
  transform_of<line_type>::forward(block, line, v);
  WARPFOLD_UNROLL
  for (int i = 0; i < Shape::points; ++i) {
    T const mode = divide(v[0][i], v[1][i], mode_of(i));
    if (i == 0 && is_first && arrays.removed_mean)
      arrays.removed_mean[batch] = removes ? arrays.mean_scale * mode : T{0};
  }
  transform_of<line_type>::inverse(block, line, v);
}

/// As load_pair; but of two loads from one sector the second one finds it in the first cache:
/// N = 8192 in double 658 us, past that cache 715.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T>
load_column_pair(complex_pair<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(complex_pair<T>) == 32) {
    complex_pair<T> v;
    asm volatile("ld.global.L2::128B.v2.f64 {%0, %1}, [%2];"
                 : "=d"(v.first.re), "=d"(v.first.im)
                 : "l"(&from->first));
    asm volatile("ld.global.L2::128B.v2.f64 {%0, %1}, [%2];"
                 : "=d"(v.second.re), "=d"(v.second.im)
                 : "l"(&from->second));
    return v;
  }
#endif
  return load_pair(from);
}

/// Pairs first ... first + Columns - 1 of the width / 2 + 1 pairs of columns of one right-hand
/// side: 0 and width / 2 are alone and go with themselves.
template <class Shape, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_columns(Block const& block, column_arrays<T> const& arrays, std::size_t batch, int first,
              complex<T>* shared) {
  using line_type = column_line<Shape>;
  constexpr int points = Shape::points, columns = Shape::columns;
  int const thread = block.thread_rank();
  int const beside = thread & ((1 << arrays.interleaved_log2) - 1);
  int const column = (thread >> arrays.interleaved_log2) % columns;
  int const group = (thread >> arrays.interleaved_log2) / columns;
  int const half_width = arrays.width / 2;
  bool const is_there = first + column <= half_width;
  int const x = is_there ? first + column : half_width, stored = x == half_width ? 0 : x;
  line_type line{arrays.factors, shared + column * Shape::line,
                 (group << arrays.interleaved_log2) + beside};
  std::size_t const per_line = static_cast<std::size_t>(half_width);
  auto* const spectra = arrays.spectra + batch * Shape::length * per_line +
                        ((group * per_line + stored) << arrays.interleaved_log2) + beside;
  std::size_t step = Shape::per_line * per_line;

  bool const is_first = x == 0 && line.rank == 0;
  T eigenvalue = Shape::keeps ? load_now(arrays.eigenvalues + x) : arrays.eigenvalues[x];
  // What ran before the solve may have written it.
  if (arrays.lambda.each) block.wait_for_previous_grid();
  T const lambda = arrays.lambda.of(batch);
  eigenvalue -= lambda * arrays.lambda_unit;
  bool const removes = is_first && lambda == 0;
  auto const read_mode = [&](int i) { return mode_pair_of(line, arrays, eigenvalue, removes, i); };
  kept_mode_pair<T> kept[points];
  if constexpr (Shape::keeps) {
    transform_of<line_type>::keep(line);
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      auto const read = read_mode(i);
      kept[i] = {read.factor, read.lower(), read.upper()};
    }
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      pin(kept[i].factor);
      pin(kept[i].by_lower);
      pin(kept[i].by_upper);
    }
  }
  block.wait_for_previous_grid();

  complex<T> v[2][points];
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) {
    auto const both = load_column_pair(spectra + j * step);
    v[0][j] = both.first;
    v[1][j] = both.second;
  }
  bool const alone = x == 0 || x == half_width;
  if (alone) {
    WARPFOLD_UNROLL
    for (int j = 0; j < points; ++j) v[0][j] = v[1][j] = x == 0 ? v[0][j] : v[1][j];
  }
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) v[1][j] = conj(v[1][j]);

  solve_modes<Shape>(block, line, arrays, is_first, removes, batch, v, [&](int i) {
    if constexpr (Shape::keeps) return kept[i];
    else return read_mode(i);
  });

  if (!is_there) return;
  forget(step);
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) {
    auto& to = spectra[j * step];
    if (!alone) to = {v[0][j], conj(v[1][j])};
    else if (x == 0) to.first = v[0][j];
    else to.second = v[0][j];
  }
}

} // namespace warpfold::inline v0::poisson