#pragma once
// What rows do, forward to the spectra and back.

#include "fused_spectra.hpp"

#include <cstdint>

namespace warpfold::poisson {

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
/// Lines of Width numbers, Lines a block and Interleaved beside each other in the spectra. Beside
/// of them go to neighbouring threads: with one, these would meet in the same banks of shared
/// memory.
template <class T, int Width, int Points, int Lines, int Interleaved,
          int Beside = Lines<Interleaved ? Lines : Interleaved> struct row_shape {
  using number = T;
  static constexpr int width = Width, points = Points, lines = Lines;
  static constexpr int per_line = Width / (2 * Points);
  static constexpr int threads = per_line * Lines;
  static constexpr int interleaved = Interleaved;
  static constexpr int beside = Beside;
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
      auto const both = load_pair(&from);
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
  if (!probes) fetch_lines<Shape>(block, arrays, arrays.spectra, first);
  row_pass<Shape, Block>::transform::inverse(block, pass.line, pass.v);
  T* const shift =
      arrays.first_point ? arrays.first_point + (pass.y >> arrays.lines_log2) : nullptr;
  if (!probes) pass.store_rows(arrays.solution, shift ? *shift : T(0));
  else if (block.thread_rank() == 0) *shift = pass.v[0][0].re;
}

} // namespace warpfold::poisson
