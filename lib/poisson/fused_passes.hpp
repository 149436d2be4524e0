#pragma once
// Poisson's equation on two periodic axes in three passes over the data, each a template over a
// block (warpfold/detail/cuda_block.cuh or test/simt/block.hpp).
//
// Two rows are the real and imaginary part of one line. Its transform is not taken apart: what
// columns x and width - x hold of it are the transforms of both rows, from which a block that has
// both columns makes those of the even and of the odd rows when it divides by the symbol. So what
// lies between the passes has the size of the right-hand side and no column more.
//
// It is ours to order: [line / n][x][line % n], where an element, a pair of numbers, are columns x
// and width - x of a line, and of x = 0 columns 0 and width / 2, which each are their own
// counterpart. The n lines beside each other make pieces of some 32-byte sectors for columns.

#include "fused_line.hpp"

#include <cstddef>
#include <cstdint>

namespace warpfold::poisson {

template <class T>
struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) complex_pair {
  complex<T> first, second;
};

/// Two numbers that are not wanted again. Both halves of a pair are aligned alike in a kernel.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> load_once(T const* from, bool is_aligned) {
#ifdef __CUDA_ARCH__
  if (!is_aligned) return {__ldcs(from), __ldcs(from + 1)};
  if constexpr (sizeof(T) == 4) {
    auto const v = __ldcs(reinterpret_cast<float2 const*>(from));
    return {v.x, v.y};
  } else {
    auto const v = __ldcs(reinterpret_cast<double2 const*>(from));
    return {v.x, v.y};
  }
#else
  static_cast<void>(is_aligned);
  return {from[0], from[1]};
#endif
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_once(T* to, complex<T> value,
                                                            bool is_aligned) {
#ifdef __CUDA_ARCH__
  if (!is_aligned) {
    __stcs(to, value.re);
    __stcs(to + 1, value.im);
  } else if constexpr (sizeof(T) == 4)
    __stcs(reinterpret_cast<float2*>(to), make_float2(value.re, value.im));
  else __stcs(reinterpret_cast<double2*>(to), make_double2(value.re, value.im));
#else
  static_cast<void>(is_aligned);
  to[0] = value.re;
  to[1] = value.im;
#endif
}
/// Past the first cache, which is not told of what other multiprocessors write.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T>
load_shared(complex_pair<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) {
    auto const v = __ldcg(reinterpret_cast<float4 const*>(from));
    return {{v.x, v.y}, {v.z, v.w}};
  } else {
    auto const a = __ldcg(reinterpret_cast<double2 const*>(from));
    auto const b = __ldcg(reinterpret_cast<double2 const*>(from) + 1);
    return {{a.x, a.y}, {b.x, b.y}};
  }
#else
  return *from;
#endif
}

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

// ---- rows ---------------------------------------------------------------------------------------

/// Lines of Width numbers, Lines a block and Interleaved beside each other in the spectra.
template <class T, int Width, int Points, int Lines, int Interleaved>
struct row_shape {
  using number = T;
  static constexpr int width = Width, points = Points, lines = Lines;
  static constexpr int per_line = Width / (2 * Points);
  static constexpr int threads = per_line * Lines;
  static constexpr int interleaved = Interleaved;
  static constexpr int beside = Lines < interleaved ? Lines : interleaved;
  /// Whether a block reads no lines but those that it writes.
  static constexpr bool in_place = Lines >= interleaved;
  static constexpr int line = line_size<T, Width, Points>(beside);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * Lines;
};

template <class T>
struct row_arrays {
  T const* rhs;
  complex_pair<T>* spectra;
  T* solution;
  complex<T> const* factors; ///< of stages<Width, Points>
  /// Of each right-hand side's solution, to be subtracted; or null.
  T* first_point;
  int lines_log2; ///< of one right-hand side
  /// Of all right-hand sides; and how far before a line those lines are that are worked on when its
  /// turn comes: what it reads is fetched into the second cache meanwhile. 0: never.
  std::size_t lines, ahead;
};

/// A thread's part of one line: butterflies of neighbours in the first stage, of opposite
/// frequencies in the last one.
template <class Shape>
struct row_line {
  using number = typename Shape::number;
  static constexpr int length = Shape::width, points = Shape::points;
  static constexpr bool same = false;
  using digits = stages<length, points>;
  static constexpr int last_radix = digits::radix(digits::last);
  static constexpr int last_stride = length / last_radix; ///< between a butterfly's frequencies

  complex<number> const* factors;
  complex<number>* shared;
  int rank; ///< among the line's threads

  WARPFOLD_HOST_DEVICE complex<number>* memory(int) const { return shared; }
  /// The frequencies of the last stage's butterflies, below last_stride, are one half of
  /// low(half) + high(half, b), and the other half those that sum up to last_stride with them.
  WARPFOLD_HOST_DEVICE int low(int side) const { return side == 0 ? rank : Shape::per_line - rank; }
  WARPFOLD_HOST_DEVICE static constexpr int high(int side, int b) {
    return (side == 0 ? b : 2 * (points / last_radix) - 1 - b) * Shape::per_line;
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int first(int side) const {
    if constexpr (Stage == digits::last) return digits::position(low(side) & (Shape::per_line - 1));
    else if constexpr (Stage == 0) return 2 * rank + side;
    else {
      constexpr int stride = digits::stride(Stage);
      int const u = rank + side * Shape::per_line;
      return u / stride * (stride * points) + u % stride;
    }
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE static constexpr int offset(int side, int b) {
    return Stage == digits::last ? digits::position(high(side, b)) : 0;
  }
  template <int, class Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(Block const& block) const {
    block.sync();
  }
};

/// What rows do forward and back.
template <class Shape, class Block>
struct row_pass {
  using T = typename Shape::number;
  using line_type = row_line<Shape>;
  using transform = transform_of<line_type>;
  static constexpr int width = Shape::width, points = Shape::points;
  static constexpr int radix = line_type::last_radix, stride = line_type::last_stride;
  static constexpr int butterflies = points / radix;
  static constexpr int interleaved = Shape::interleaved;

  Block const& block;
  line_type line;
  int local; ///< line in the block
  std::size_t y;
  complex_pair<T>* spectra;
  complex<T> v[2][points];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE row_pass(Block const& of, row_arrays<T> const& arrays,
                                                       std::size_t first, complex<T>* shared)
      : block{of} {
    constexpr int beside = Shape::beside;
    int const thread = block.thread_rank();
    local = thread % beside + thread / beside / Shape::per_line * beside;
    y = first + static_cast<std::size_t>(local);
    line = {arrays.factors, shared + local * Shape::line, thread / beside % Shape::per_line};
    spectra = arrays.spectra + y / interleaved * (interleaved * width / 2) + y % interleaved;
  }

  /// Calls use(index in the rows, [j] of both halves).
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_point(Use use) const {
    WARPFOLD_UNROLL
    for (int j = 0; j < points; ++j) use(2 * line.rank + width / points * j, j);
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_rows(T const* rhs) {
    T const* const row = rhs + 2 * y * width;
    bool const is_aligned = reinterpret_cast<std::uintptr_t>(rhs) % sizeof(complex<T>) == 0;
    each_point([&](int x, int j) {
      auto const even = load_once(row + x, is_aligned),
                 odd = load_once(row + width + x, is_aligned);
      v[0][j] = {even.re, odd.re};
      v[1][j] = {even.im, odd.im};
    });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_rows(T* solution, T shift) const {
    T* const row = solution + 2 * y * width;
    bool const is_aligned = reinterpret_cast<std::uintptr_t>(solution) % sizeof(complex<T>) == 0;
    each_point([&](int x, int j) {
      store_once(row + x, {v[0][j].re - shift, v[1][j].re - shift}, is_aligned);
      store_once(row + width + x, {v[0][j].im - shift, v[1][j].im - shift}, is_aligned);
    });
  }

  /// Calls use(pair of the spectra, and where its columns are in the registers).
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_pair(Use use) {
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side) {
      auto* const first = spectra + line.low(side) * interleaved;
      WARPFOLD_UNROLL
      for (int b = 0; b < butterflies; ++b) {
        auto* to = first + line_type::high(side, b) * interleaved;
        if (side == 1 && b == 0 && line.rank == 0) to = spectra + stride / 2 * interleaved;
        WARPFOLD_UNROLL
        for (int i = 0; i < radix / 2; ++i)
          use(to[i * stride * interleaved], v[side][b * radix + i],
              v[1 - side][b * radix + radix - 1 - i]);
      }
    }
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_pairs() {
    if (line.rank == 0) {
      // Frequency 0 is its own counterpart, and so is the middle, which comes last of its half; the
      // others' are one place later.
      rotate<1>();
      auto const own = v[0][radix / 2];
      WARPFOLD_UNROLL
      for (int i = radix / 2; i < radix; ++i) {
        auto const next = i == radix - 1 ? own : v[0][i + 1 == radix ? i : i + 1];
        v[0][i] = v[1][i];
        v[1][i] = next;
      }
    }
    each_pair([](complex_pair<T>& to, complex<T> a, complex<T> b) { to = {a, b}; });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_pairs() {
    each_pair([](complex_pair<T>& from, complex<T>& a, complex<T>& b) {
      auto const both = load_shared(&from);
      a = both.first;
      b = both.second;
    });
    if (line.rank == 0) {
      auto const own = v[1][radix - 1];
      WARPFOLD_UNROLL
      for (int i = radix - 1; i >= radix / 2; --i) {
        auto const next = i == radix / 2 ? own : v[1][i - 1];
        v[1][i] = v[0][i];
        v[0][i] = next;
      }
      rotate<butterflies - 1>();
    }
  }

private:
  /// Butterfly b of the second half becomes b + By.
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void rotate() {
    if constexpr (butterflies > 1) {
      complex<T> old[points];
      WARPFOLD_UNROLL
      for (int i = 0; i < points; ++i) old[i] = v[1][i];
      WARPFOLD_UNROLL
      for (int i = 0; i < points; ++i) v[1][(i + By * radix) % points] = old[i];
    }
  }
};

/// Fetches what as many lines as a block has will read, those `ahead` of its own.
template <class Shape, class Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_lines(Block const& block, row_arrays<T> const& arrays, void const* from, std::size_t first) {
  constexpr unsigned bytes = 2 * Shape::width * sizeof(T);
  std::size_t const later = first + arrays.ahead;
  if (block.thread_rank() == 0 && arrays.ahead != 0 && later + Shape::lines <= arrays.lines)
    block.prefetch(static_cast<char const*>(from) + later * bytes, Shape::lines * bytes);
}

/// Lines first ... first + Lines - 1 of the right-hand side to spectra.
template <class Shape, class Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
rows_forward(Block const& block, row_arrays<T> const& arrays, std::size_t first,
             complex<T>* shared) {
  row_pass<Shape, Block> pass{block, arrays, first, shared};
  pass.load_rows(arrays.rhs);
  fetch_lines<Shape>(block, arrays, arrays.rhs, first);
  row_pass<Shape, Block>::transform::forward(block, pass.line, pass.v);
  pass.store_pairs();
}

/// And back to the solution. `probes` writes nothing but the first number of all to first_point.
template <class Shape, class Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
rows_back(Block const& block, row_arrays<T> const& arrays, std::size_t first, bool probes,
          complex<T>* shared) {
  row_pass<Shape, Block> pass{block, arrays, first, shared};
  pass.load_pairs();
  fetch_lines<Shape>(block, arrays, arrays.spectra, first);
  row_pass<Shape, Block>::transform::inverse(block, pass.line, pass.v);
  T* const shift =
      arrays.first_point ? arrays.first_point + (pass.y >> arrays.lines_log2) : nullptr;
  if (!probes) pass.store_rows(arrays.solution, shift ? *shift : T(0));
  else if (block.thread_rank() == 0) *shift = pass.v[0][0].re;
}

// ---- columns ------------------------------------------------------------------------------------

/// Lines of half the height, in pairs of columns, Columns pairs a block.
template <class T, int Height, int Points, int Columns>
struct column_shape {
  using number = T;
  static constexpr int length = Height / 2, points = Points, columns = Columns;
  static constexpr int per_line = length / Points;
  static constexpr int threads = per_line * Columns;
  static constexpr int line = line_size<T, length, Points>(Columns);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * 2 * Columns;
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
  T const* eigenvalues; ///< of the rows, 0 ... width / 2, less lambda
  T scale;
  T mean_scale; ///< 0 if the problem is not singular
  int width;
  int interleaved_log2;
  int ahead; ///< pairs of columns, as row_arrays::ahead
};

template <class Shape>
struct column_line {
  using number = typename Shape::number;
  static constexpr int length = Shape::length, points = Shape::points;
  static constexpr bool same = true;
  using digits = stages<length, points>;
  static constexpr int last_radix = digits::radix(digits::last);

  complex<number> const* factors;
  complex<number>* shared;
  int rank;

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

  template <int Stage, class Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(Block const& block) const {
    if constexpr (digits::within(Stage) / points * Shape::columns <= 32) block.sync_warp();
    else block.sync();
  }
};

/// exp(-pi i j / n), for j < n and n of 2, 4, 8 and 16.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> half_turn(int j, int n) {
  constexpr T cosine[] = {1,
                          T(0.98078528040323044913),
                          T(0.92387953251128675613),
                          T(0.83146961230254523708),
                          T(0.70710678118654752440),
                          T(0.55557023301960222474),
                          T(0.38268343236508977173),
                          T(0.19509032201612826785),
                          0};
  int const m = j * (16 / n);
  return {m <= 8 ? cosine[m] : -cosine[16 - m], -cosine[m <= 8 ? 8 - m : m - 8]};
}

/// Keeps a compiler from holding in registers what it can compute again from the number.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forget(std::size_t& number) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+l"(number));
#else
  static_cast<void>(number);
#endif
}

/// Of the pair of numbers a thread has of column x and, conjugate, of width - x, those of the
/// solution; 0 for the lower of the modes, if so. Returns the real part of that mode of the
/// right-hand side, times two.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T divide(complex<T>& a, complex<T>& b, complex<T> modes,
                                                     T eigenvalue, complex<T> factor, T scale,
                                                     bool removes_lower) {
  auto const even = a + b, odd = quarter_turned<false>(a - b) * factor;
  auto lower = even + odd, upper = even - odd;
  T const mode = lower.re, below = eigenvalue + modes.re, above = eigenvalue + modes.im;
  lower = (removes_lower ? T(0) : quotient(scale, below)) * lower;
  upper = quotient(scale, above) * upper;
  auto const even_rows = lower + upper;
  auto const odd_rows = quarter_turned<true>((lower - upper) * conj(factor));
  a = even_rows + odd_rows;
  b = even_rows - odd_rows;
  return mode;
}

/// Pairs first ... first + Columns - 1 of the width / 2 + 1 pairs of columns of one right-hand
/// side: 0 and width / 2 are alone and go with themselves.
template <class Shape, class Block, class T>
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
  int const x = is_there ? first + column : half_width;
  line_type const line{arrays.factors, shared + column * Shape::line,
                       (group << arrays.interleaved_log2) + beside};
  int const stored = x == half_width ? 0 : x;
  std::size_t const per_line = static_cast<std::size_t>(arrays.width) / 2;
  auto* const spectra = arrays.spectra + batch * Shape::length * per_line +
                        ((group * per_line + stored) << arrays.interleaved_log2) + beside;
  std::size_t step = Shape::per_line * per_line;

  complex<T> v[2][points];
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) {
    auto const both = load_shared(spectra + j * step);
    v[0][j] = both.first;
    v[1][j] = both.second;
  }
  if (arrays.ahead != 0 && x + arrays.ahead < half_width) {
    auto* const later = spectra + (arrays.ahead << arrays.interleaved_log2);
    WARPFOLD_UNROLL
    for (int j = 0; j < points; ++j) block.prefetch(later + j * step);
  }
  bool const alone = x == 0 || x == half_width;
  if (alone) {
    WARPFOLD_UNROLL
    for (int j = 0; j < points; ++j) v[0][j] = v[1][j] = x == 0 ? v[0][j] : v[1][j];
  }
  WARPFOLD_UNROLL
  for (int j = 0; j < points; ++j) v[1][j] = conj(v[1][j]);

  transform_of<line_type>::forward(block, line, v);
  T const eigenvalue = arrays.eigenvalues[x];
  bool const is_first = x == 0 && line.rank == 0;
  constexpr int radix = line_type::last_radix;
  WARPFOLD_UNROLL
  for (int b = 0; b < points / radix; ++b) {
    auto const root = load_constant(arrays.roots + b * Shape::per_line + line.rank);
    WARPFOLD_UNROLL
    for (int j = 0; j < radix; ++j) {
      int const i = b * radix + j;
      auto const modes = load_constant(arrays.modes + i * Shape::per_line + line.rank);
      T const mode =
          divide(v[0][i], v[1][i], modes, eigenvalue, j == 0 ? root : root * half_turn<T>(j, radix),
                 arrays.scale, i == 0 && is_first && arrays.mean_scale != 0);
      if (i == 0 && is_first && arrays.removed_mean)
        arrays.removed_mean[batch] = arrays.mean_scale * mode;
    }
  }
  transform_of<line_type>::inverse(block, line, v);

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

} // namespace warpfold::poisson
