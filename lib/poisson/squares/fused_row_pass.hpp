#pragma once
// What rows do, forward to the spectra and back.

#include <warpfold/detail/core/block.hpp>

#include "fused_spectra.hpp"
#include "poisson/engine/once.hpp"
#include "poisson/engine/paired_line.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::poisson {

/// How a pass divides its lines among threads.
struct row_layout {
  int points = 1;      ///< half of what a thread has of a line
  int lines = 1;       ///< of a block
  int interleaved = 1; ///< beside each other in the spectra
  /// Lines that go to neighbouring threads: with one, these would meet in the same banks of shared
  /// memory. 0: as many as there are.
  int beside = 0;
  unsigned wide = 0; ///< as in stages
  /// Blocks that exchange their spectra, so that they store wider pieces.
  int cluster = 1;
  bool keeps = false;  ///< factors in registers, from before its turn on
  bool streams = true; ///< past the second cache
  bool tiled = false;  ///< spectra are in tiles (slab_tiles.hpp)

  [[nodiscard]] constexpr row_layout without_cluster() const {
    row_layout other = *this;
    other.cluster = 1;
    return other;
  }
  [[nodiscard]] constexpr row_layout keeping_nothing() const {
    row_layout other = *this;
    other.keeps = false;
    return other;
  }
  [[nodiscard]] constexpr row_layout in_tiles() const {
    row_layout other = *this;
    other.tiled = true;
    return other;
  }
};

/// Lines of Width numbers.
template <class T, int Width, row_layout Layout>
struct row_shape {
  using number = T;
  using without_cluster = row_shape<T, Width, Layout.without_cluster()>;
  using keeping_nothing = row_shape<T, Width, Layout.keeping_nothing()>;
  static constexpr int width = Width, length = Width, points = Layout.points, lines = Layout.lines;
  static constexpr int interleaved = Layout.interleaved, cluster = Layout.cluster;
  static constexpr bool folded = false, tilted = false, keeps = Layout.keeps,
                        streams = Layout.streams;
  static constexpr bool tiled = Layout.tiled;
  static_assert(cluster == 1 || (lines == 1 && interleaved % cluster == 0 && !keeps));
  static constexpr int per_line = width / (2 * points);
  static constexpr int threads = per_line * lines;
  static constexpr int beside = Layout.beside > 0 ? Layout.beside : std::min(lines, interleaved);
  /// Whether a block reads no lines but those that it writes.
  static constexpr bool in_place = lines >= interleaved;
  /// Whether threads load pairs together: they take two accesses, and are far enough from each
  /// other.
  static constexpr bool shares = sizeof(complex_pair<T>) == 32 && interleaved >= 4;
  static_assert(!shares || threads % 32 == 0);
  using digits = stages<width, points, Layout.wide>;
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
  /// Of all right-hand sides; and how far before a line those lines are that are worked on when its
  /// turn comes: what it reads is fetched into the second cache meanwhile. 0: never.
  std::size_t lines, ahead;
};

/// Where spectra in tiles are: [block of columns][line / n][x in the block][line % n].
struct row_tiles {
  int block_log2; ///< columns of a block
  unsigned apart; ///< from a tile to that of the next block
};
template <class T>
struct tiled_row_arrays : row_arrays<T> {
  row_tiles tiles;
};
struct no_tiles {};

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
  [[no_unique_address]] std::conditional_t<Shape::tiled, row_tiles, no_tiles> tiles;
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
    if constexpr (Shape::tiled) {
      tiles = arrays.tiles;
      spectra = arrays.spectra + (y / interleaved << tiles.block_log2) * interleaved;
    } else spectra = arrays.spectra + y / interleaved * (interleaved * width / 2);
    spectra += y % interleaved;
  }

  /// How far column x of the spectra is from the first one. Of a sum of numbers without common bits
  /// it is the sum.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto place(int x) const {
    if constexpr (Shape::tiled) {
      int const number = x >> tiles.block_log2;
      return std::size_t{tiles.apart} * static_cast<unsigned>(number) +
             static_cast<unsigned>((x - (number << tiles.block_log2)) * interleaved);
    } else return x * interleaved;
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
    if constexpr (line_type::digits::is_wide(0)) {
      line.each_single(v, [&](int x, complex<T>& point) {
        point = {load_once<Shape::streams>(row + x), load_once<Shape::streams>(row + width + x)};
      });
      return;
    }
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
    if constexpr (line_type::digits::is_wide(0)) {
      line.each_single(v, [&](int x, complex<T> point) {
        store_once<Shape::streams>(row + x, point.re - shift);
        store_once<Shape::streams>(row + width + x, point.im - shift);
      });
      return;
    }
    bool const is_aligned = Shape::keeps || is_in_pairs(solution);
    each_point([&](int x, complex<T> even, complex<T> odd) {
      store_once<Shape::streams>(row + x, {even.re - shift, odd.re - shift}, is_aligned);
      store_once<Shape::streams>(row + width + x, {even.im - shift, odd.im - shift}, is_aligned);
    });
  }

  /// Calls use(the first pair of the spectra of a butterfly, side, butterfly). Pairs x of the line
  /// are at of[at(x)].
  template <class At, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_run(complex_pair<T>* of, At at, Use use) {
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side) {
      auto* const first = of + at(line.low(side));
      WARPFOLD_UNROLL
      for (int b = 0; b < butterflies; ++b) {
        auto* to = first + at(line_type::high(side, b));
        // (The sum may have carried.)
        if constexpr (Shape::tiled) to = of + at(line.low(side) + line_type::high(side, b));
        if (side == 1 && b == 0 && line.rank == 0) to = of + at(stride / 2);
        use(to, side, b);
      }
    }
  }
  /// Calls use(number i of such a run, and where its columns are in the registers).
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_of_run(int side, int b, Use use) {
    WARPFOLD_UNROLL
    for (int i = 0; i < radix / 2; ++i)
      use(i, v[side][b * radix + i], v[1 - side][b * radix + radix - 1 - i]);
  }
  template <class At>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_pairs_to(complex_pair<T>* to, At at) {
    line.arrange(v);
    each_run(to, at, [&](complex_pair<T>* run, int side, int b) {
      each_of_run(side, b, [&](int i, complex<T> left, complex<T> right) {
        run[at(i * stride)] = {left, right};
      });
    });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_pairs() {
    store_pairs_to(spectra, [&](int x) { return place(x); });
  }
  /// The same of a cluster. A block puts its line into its own shared memory and stores a part of
  /// all lines, 16 bytes a thread, so that an access has whole sectors.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_pairs_of_cluster() {
    struct alignas(16) unit {
      float numbers[4];
    };
    constexpr int cluster = Shape::cluster, apart = Shape::threads / cluster;
    constexpr int units = sizeof(complex_pair<T>) / sizeof(unit);
    auto* const own = reinterpret_cast<complex_pair<T>*>(line.shared);
    block.sync();
    store_pairs_to(own, [](int x) { return x; });
    block.sync_cluster();
    int const thread = block.thread_rank(), rank = block.cluster_rank(), part = thread % units;
    int const beside = thread / units % cluster;
    int const x = rank * (width / 2 / cluster) + thread / (units * cluster);
    auto const* const from =
        reinterpret_cast<unit const*>(block.map_shared_rank(own + x, beside)) + part;
    auto* const to = reinterpret_cast<unit*>(spectra + (place(x) + (beside - rank))) + part;
    WARPFOLD_UNROLL
    for (int i = 0; i < units * (width / 2) / Shape::threads; ++i)
      to[units * place(i * (apart / units))] = from[i * apart];
    block.sync_cluster();
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_pairs() {
    auto const at = [&](int x) { return place(x); };
    each_run(spectra, at, [&](complex_pair<T>* run, int side, int b) {
      if constexpr (Shape::shares) load_shared_run(run, side, b);
      else
        each_of_run(side, b, [&](int i, complex<T>& left, complex<T>& right) {
          auto const both = load_pair(run + at(i * stride));
          left = both.first;
          right = both.second;
        });
    });
    line.restore(v);
  }

private:
  /// Threads beside each other load one half each of the even one's pair and then of the odd one's,
  /// so that an access has whole sectors.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_shared_run(complex_pair<T>* own, int side,
                                                                   int b) {
    bool const is_odd = (block.lane() & 1) != 0;
    auto const* const other = reinterpret_cast<complex_pair<T> const*>(
        from_beside(block, reinterpret_cast<std::uintptr_t>(own)));
    auto const* const even = &(is_odd ? other : own)->first + is_odd;
    auto const* const odd = &(is_odd ? own : other)->first + is_odd;
    each_of_run(side, b, [&](int i, complex<T>& left, complex<T>& right) {
      auto const at = 2 * place(i * stride);
      complex<T> const p = load_past(even + at), q = load_past(odd + at);
      complex<T> const given = is_odd ? p : q;
      complex<T> const got{from_beside(block, given.re), from_beside(block, given.im)};
      left = is_odd ? got : p;
      right = is_odd ? q : got;
    });
  }
};

/// Fetches what as many lines as a block has will read, those `ahead` of its own.
template <class Shape, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_lines(Block const& block, row_arrays<T> const& arrays, void const* from, std::size_t first) {
  constexpr unsigned bytes = 2 * Shape::width * sizeof(T);
  std::size_t const later = first + arrays.ahead;
  if (block.thread_rank() == 0 && arrays.ahead != 0 && later + Shape::lines <= arrays.lines)
    block.prefetch(static_cast<char const*>(from) + later * bytes, Shape::lines * bytes);
}

template <class Shape, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_spectra(Block const& block, row_arrays<T> const& arrays, std::size_t first) {
  fetch_lines<Shape>(block, arrays, arrays.spectra, first);
}
/// A thread fetches of one tile.
template <class Shape, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
fetch_spectra(Block const& block, tiled_row_arrays<T> const& arrays, std::size_t first) {
  auto const tile = static_cast<unsigned>(block.thread_rank());
  std::size_t const later = first + arrays.ahead;
  if (tile < static_cast<unsigned>(Shape::width / 2 >> arrays.tiles.block_log2) &&
      arrays.ahead != 0 && later + Shape::lines <= arrays.lines)
    block.prefetch(arrays.spectra + std::size_t{tile} * arrays.tiles.apart +
                       (later << arrays.tiles.block_log2),
                   (Shape::lines * unsigned{sizeof(complex_pair<T>)}) << arrays.tiles.block_log2);
}

/// Lines first ... first + Lines - 1 of the right-hand side to spectra.
template <class Shape, detail::thread_block Block, class Arrays>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
rows_forward(Block const& block, Arrays const& arrays, std::size_t first,
             complex<typename Shape::number>* shared) {
  row_pass<Shape, Block> pass{block, arrays, first, shared};
  block.wait_for_previous_grid();
  pass.load_rows(arrays.rhs);
  fetch_lines<Shape>(block, arrays, arrays.rhs, first);
  row_pass<Shape, Block>::transform::forward(block, pass.line, pass.v);
  if constexpr (Shape::cluster == 1) pass.store_pairs();
  else pass.store_pairs_of_cluster();
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
  if (!probes) fetch_spectra<Shape>(block, arrays, first);
  row_pass<Shape, Block>::transform::inverse(block, pass.line, pass.v);
  T* const shift =
      arrays.first_point ? arrays.first_point + (pass.y >> arrays.lines_log2) : nullptr;
  if (!probes) pass.store_rows(arrays.solution, shift ? *shift : T(0));
  else if (block.thread_rank() == 0) *shift = pass.v[0][0].re;
}

} // namespace warpfold::inline v0::poisson
