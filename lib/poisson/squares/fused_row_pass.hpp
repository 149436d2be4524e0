#pragma once
// What rows do, forward to the spectra and back.

#include <warpfold/detail/core/block.hpp>

#include "fused_spectra.hpp"
#include "poisson/engine/once.hpp"
#include "poisson/engine/paired_line.hpp"

#include <algorithm>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// How a pass divides its lines among threads.
struct row_layout {
  int points = 1;      ///< half of what a thread has of a line
  int lines = 1;       ///< of a block
  int interleaved = 1; ///< beside each other in the spectra
  /// Lines that go to neighbouring threads: with one, these would meet in the same banks of shared
  /// memory. 0: as many as there are.
  int beside = 0;
  bool keeps = false;  ///< factors in registers, from before its turn on
  bool streams = true; ///< past the second cache

  [[nodiscard]] constexpr row_layout keeping_nothing() const {
    row_layout other = *this;
    other.keeps = false;
    return other;
  }
};

/// Lines of Width numbers.
template <class T, int Width, row_layout Layout>
struct row_shape {
  using number = T;
  using keeping_nothing = row_shape<T, Width, Layout.keeping_nothing()>;
  static constexpr int width = Width, length = Width, points = Layout.points, lines = Layout.lines;
  static constexpr int interleaved = Layout.interleaved;
  static constexpr bool folded = false, tilted = false, keeps = Layout.keeps,
                        streams = Layout.streams;
  static_assert(lines >= interleaved); // a block reads no lines but those that it writes
  static constexpr int per_line = width / (2 * points);
  static constexpr int threads = per_line * lines;
  static constexpr int beside = Layout.beside > 0 ? Layout.beside : std::min(lines, interleaved);
  using digits = stages<width, points>;
  static constexpr int line = line_size<T, digits>(beside);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * lines;
};

template <class T>
struct row_arrays {
  T const* rhs;
  complex_pair<T>* spectra;
  T* solution;
  complex<T> const* factors; ///< of Shape::digits
  /// Of each right-hand side's solution, to be subtracted; or null.
  T* first_point;
  int lines_log2; ///< of one right-hand side
};

/// Whether two numbers can be read at once. Lines that keep their factors want that.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool is_in_pairs(T const* numbers) {
  return reinterpret_cast<std::uintptr_t>(numbers) % sizeof(complex<T>) == 0;
}

/// What rows do forward and back.
template <class Shape, detail::thread_block Block>
struct row_pass {
  using T = typename Shape::number;
  using line_type = paired_line<Shape>;
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

  template <class Arrays>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE row_pass(Block const& of, Arrays const& arrays,
                                                       std::size_t first, complex<T>* shared)
      : block{of} {
    constexpr int beside = Shape::beside;
    int const thread = block.thread_rank();
    local = thread % beside + thread / beside / Shape::per_line * beside;
    y = first + static_cast<std::size_t>(local);
    line = {arrays.factors, shared + local * Shape::line, thread / beside % Shape::per_line};
    transform::keep(line);
    spectra = arrays.spectra + y / interleaved * (interleaved * width / 2) + y % interleaved;
  }

  /// Calls use(index in the rows of an even point, and where it and the next one are in the
  /// registers).
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_point(Use use) {
    line.each_point(
        v, [&](int position, complex<T>& even, complex<T>& odd) { use(2 * position, even, odd); });
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_rows(T const* rhs) {
    T const* const row = rhs + 2 * y * width;
    bool const is_aligned = Shape::keeps || is_in_pairs(rhs);
    each_point([&](int x, complex<T>& even, complex<T>& odd) {
      auto const one = load_once<Shape::streams>(row + x, is_aligned),
                 other = load_once<Shape::streams>(row + width + x, is_aligned);
      even = {one.re, other.re};
      odd = {one.im, other.im};
    });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_rows(T* solution, T shift) {
    T* const row = solution + 2 * y * width;
    bool const is_aligned = Shape::keeps || is_in_pairs(solution);
    each_point([&](int x, complex<T> even, complex<T> odd) {
      store_once<Shape::streams>(row + x, {even.re - shift, odd.re - shift}, is_aligned);
      store_once<Shape::streams>(row + width + x, {even.im - shift, odd.im - shift}, is_aligned);
    });
  }

  /// Calls use(the pair of columns x and its opposite, both in the registers) for all of a thread.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_pair(Use use) {
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side) {
      auto* const first = spectra + line.low(side) * interleaved;
      WARPFOLD_UNROLL
      for (int b = 0; b < butterflies; ++b) {
        auto* run = first + line_type::high(side, b) * interleaved;
        if (side == 1 && b == 0 && line.rank == 0) run = spectra + stride / 2 * interleaved;
        WARPFOLD_UNROLL
        for (int i = 0; i < radix / 2; ++i)
          use(run[i * stride * interleaved], v[side][b * radix + i],
              v[1 - side][b * radix + radix - 1 - i]);
      }
    }
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_pairs() {
    line.arrange(v);
    each_pair([](complex_pair<T>& to, complex<T> left, complex<T> right) { to = {left, right}; });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_pairs() {
    each_pair([](complex_pair<T>& from, complex<T>& left, complex<T>& right) {
      auto const both = load_pair(&from);
      left = both.first;
      right = both.second;
    });
    line.restore(v);
  }
};

/// Lines first ... first + Lines - 1 of the right-hand side to spectra.
template <class Shape, detail::thread_block Block, class Arrays>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
rows_forward(Block const& block, Arrays const& arrays, std::size_t first,
             complex<typename Shape::number>* shared) {
  row_pass<Shape, Block> pass{block, arrays, first, shared};
  block.wait_for_previous_grid();
  pass.load_rows(arrays.rhs);
  row_pass<Shape, Block>::transform::forward(block, pass.line, pass.v);
  pass.store_pairs();
}

/// And back to the solution. `probes` writes nothing but the first number of all to first_point.
template <class Shape, detail::thread_block Block, class Arrays>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
rows_back(Block const& block, Arrays const& arrays, std::size_t first, bool probes,
          complex<typename Shape::number>* shared) {
  using T = typename Shape::number;
  row_pass<Shape, Block> pass{block, arrays, first, shared};
  block.wait_for_previous_grid();
  pass.load_pairs();
  row_pass<Shape, Block>::transform::inverse(block, pass.line, pass.v);
  T* const shift =
      arrays.first_point ? arrays.first_point + (pass.y >> arrays.lines_log2) : nullptr;
  if (!probes) pass.store_rows(arrays.solution, shift ? *shift : T(0));
  else if (block.thread_rank() == 0) *shift = pass.v[0][0].re;
}

} // namespace warpfold::inline v0::poisson
