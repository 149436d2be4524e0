#pragma once
// Sums by index, over a block. Every body adds the same integers, so that the choice among them
// changes no bit: to GPU memory at once, to bins of a block's own, or, where neighbours have
// indices near each other, to a window of bins in shared memory first.

#include <warpfold/detail/core/bounds.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/scatter/scatter_sums.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

inline constexpr int scatter_quad = 4; ///< neighbours that a thread reads at once

/// Threads of the block, quads that a thread has in flight, and 64-bit slots in shared memory.
template <int Threads, int Quads, int Slots>
struct scatter_shape {
  static constexpr int threads = Threads, quads = Quads, slots = Slots;
  static constexpr int tile = Threads * Quads * scatter_quad;
  static constexpr int warps = Threads / 32;
};

template <class T, class Key, class BinOf = bin_of_index<Key>>
struct scatter_job {
  T const* values;
  Key const* keys; ///< one for `components` neighbouring values
  counted_size size;
  BinOf bin_of;
  unsigned components;
  scatter_unit<T> unit;
  std::uint64_t* sums; ///< the words of bins, in GPU memory
  int bins;
  bool are_aligned; ///< values and keys lie at multiples of 16 bytes
  scatter_status* status;
};

/// More bins than L2 has room for are added to a range at a time. The first pass says which tiles
/// have work for the others.
struct scatter_pass {
  int first, count;         ///< bins
  unsigned char* scattered; ///< a byte a tile; null where one pass is enough
  std::uint64_t* any;       ///< not 0 if any of them is not 0

  WARPFOLD_HOST_DEVICE bool has(int bin) const {
    return static_cast<unsigned>(bin) - static_cast<unsigned>(first) < static_cast<unsigned>(count);
  }
};

/// Four neighbours, at a multiple of 16 bytes or of their size.
template <class X>
WARPFOLD_HOST_DEVICE void read_quad(X const* from, X (&to)[scatter_quad]) {
  constexpr int lanes = smaller(16 / static_cast<int>(sizeof(X)), scatter_quad);
  struct alignas(lanes * sizeof(X)) pack {
    X element[lanes];
  };
  WARPFOLD_UNROLL
  for (int k = 0; k < scatter_quad; k += lanes) {
    auto const some = read_pack(reinterpret_cast<pack const*>(from + k));
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) to[k + v] = some.element[v];
  }
}

/// A thread's elements of a tile.
template <class Shape, class T>
struct scatter_tile {
  T value[Shape::quads][scatter_quad];
  int bin[Shape::quads][scatter_quad]; ///< below 0: nothing is added

  /// Those that cannot be added are noted.
  template <class Terms, class Key, class BinOf>
  WARPFOLD_HOST_DEVICE void
  read(thread_block auto const& block, scatter_job<T, Key, BinOf> const& job, Terms const& terms,
       std::uint64_t tile, std::uint64_t size, scatter_refusals& refusals) {
    constexpr int stray = is_histogram<BinOf> ? -1 : -2, refused = -2;
    constexpr int row = Shape::threads * scatter_quad;
    std::uint64_t const begin =
        tile * Shape::tile + static_cast<unsigned>(block.thread_rank() * scatter_quad);
    T const* const values = job.values + begin;
    // Elements from here on, as far as they matter.
    int const left = begin < size ? static_cast<int>(smaller(size - begin, Shape::tile)) : 0;
    bool const are_quads = job.are_aligned && (tile + 1) * Shape::tile <= size;
    if (is_histogram<BinOf> || job.components == 1) {
      Key const* const keys = job.keys + begin;
      Key key[Shape::quads][scatter_quad];
      if (are_quads) {
        WARPFOLD_UNROLL
        for (int r = 0; r < Shape::quads; ++r) {
          read_quad(keys + r * row, key[r]);
          read_quad(values + r * row, value[r]);
        }
      } else {
        each_place([&](int r, int v) {
          bool const is_there = r * row + v < left;
          key[r][v] = is_there ? read_once(keys + r * row + v) : static_cast<Key>(-1);
          value[r][v] = is_there ? read_once(values + r * row + v) : T{0};
        });
      }
      each_place([&](int r, int v) { bin[r][v] = job.bin_of(key[r][v]); });
    } else {
      read_components(job, begin, left, are_quads);
    }
    bool are_good = true;
    each_place([&](int r, int v) {
      if (bin[r][v] < 0) bin[r][v] = stray;
      else if (!terms.accepts(value[r][v])) bin[r][v] = refused;
      are_good = are_good && bin[r][v] != refused;
    });
    if (!are_good)
      each_place([&](int r, int v) {
        if (bin[r][v] == refused && r * row + v < left)
          refusals.note(begin + static_cast<unsigned>(r * row + v));
      });
  }
  /// Calls use(bin, value) for all elements.
  template <class Use>
  WARPFOLD_HOST_DEVICE void each(Use use) const {
    each_place([&](int r, int v) { use(bin[r][v], value[r][v]); });
  }

private:
  /// Values of which several neighbours have one key.
  template <class Job>
  WARPFOLD_HOST_DEVICE void read_components(Job const& job, std::uint64_t begin, int left,
                                            bool are_quads) {
    constexpr int row = Shape::threads * scatter_quad;
    auto const* const keys = job.keys + begin / job.components;
    T const* const values = job.values + begin;
    auto const rest = static_cast<unsigned>(begin % job.components);
    if (are_quads) {
      WARPFOLD_UNROLL
      for (int r = 0; r < Shape::quads; ++r) read_quad(values + r * row, value[r]);
    } else {
      each_place([&](int r, int v) {
        value[r][v] = r * row + v < left ? read_once(values + r * row + v) : T{0};
      });
    }
    WARPFOLD_UNROLL
    for (int r = 0; r < Shape::quads; ++r) {
      unsigned const first = rest + static_cast<unsigned>(r * row);
      unsigned at = first / job.components, component = first % job.components;
      WARPFOLD_UNROLL
      for (int v = 0; v < scatter_quad; ++v) {
        int const b = r * row + v < left ? job.bin_of(keys[at]) : -1;
        bin[r][v] = b < 0 ? b : b * static_cast<int>(job.components) + static_cast<int>(component);
        if (++component == job.components) component = 0, ++at;
      }
    }
  }
  template <class Use>
  WARPFOLD_HOST_DEVICE static void each_place(Use use) {
    WARPFOLD_UNROLL
    for (int r = 0; r < Shape::quads; ++r) {
      WARPFOLD_UNROLL
      for (int v = 0; v < scatter_quad; ++v) use(r, v);
    }
  }
};

/// Calls use(number) for the tiles of the block.
template <class Shape, class Use>
WARPFOLD_HOST_DEVICE void for_each_tile(thread_block auto const& block, std::uint64_t size,
                                        Use use) {
  WARPFOLD_UNROLL_BY(1)
  for (auto t = static_cast<std::uint64_t>(block.block_rank()); t * Shape::tile < size;
       t += static_cast<unsigned>(block.grid_size()))
    use(t);
}

/// Adds what is in the pass to GPU memory.
template <class Terms, class Shape, class T>
WARPFOLD_HOST_DEVICE void add_at_once(thread_block auto const& block,
                                      scatter_tile<Shape, T> const& tile, Terms const& terms,
                                      scatter_pass const& pass, std::uint64_t* sums) {
  tile.each([&](int bin, T x) {
    if (bin >= 0 && pass.has(bin)) add_words(block, sums, static_cast<unsigned>(bin), terms, x);
  });
}

/// Bins of a block's own, all of them. Without copies, where `log_copies` is below 0, exact terms
/// go to GPU memory at once.
template <class Terms, class Shape, class T, class Key, class BinOf, thread_block Block>
WARPFOLD_HOST_DEVICE void scatter_private(Block const& block, scatter_job<T, Key, BinOf> const& job,
                                          int log_copies, unsigned* memory) {
  block.wait_for_previous_grid();
  bool const is_private = !Terms::are_exact || log_copies >= 0;
  if (!is_private) log_copies = 0;
  shared_sums<Terms::words> const own{memory, job.bins << log_copies};
  if (is_private) own.clear(block);
  Terms const terms(job.unit);
  scatter_refusals refusals;
  int const copy = block.thread_rank() & ((1 << log_copies) - 1);
  block.sync();
  std::uint64_t const size = job.size.get();
  for_each_tile<Shape>(block, size, [&](std::uint64_t t) {
    scatter_tile<Shape, T> tile;
    tile.read(block, job, terms, t, size, refusals);
    tile.each([&](int bin, T x) {
      if (bin < 0) return;
      if (is_private) own.add(block, (bin << log_copies) + copy, terms, x);
      else add_words(block, job.sums, static_cast<unsigned>(bin), terms, x);
    });
  });
  block.sync();
  if (is_private) own.spill(block, job.sums, 0, job.bins, log_copies);
  refusals.add_to(block, &job.status->refused, &job.status->first_refused);
}

template <class Shape>
struct window_shared {
  unsigned memory[2 * Shape::slots];
  int least[2][Shape::warps], most[2][Shape::warps]; ///< of warps, of this tile and the next one
};

/// The least and the most of all bins of the block's tile, in all its threads; most < least if
/// there are none.
struct bin_range {
  int least, most;
};
template <class Shape, thread_block Block>
WARPFOLD_HOST_DEVICE bin_range range_of_block(Block const& block, bin_range own,
                                              int (&least)[Shape::warps],
                                              int (&most)[Shape::warps]) {
  own.least = block.reduce_min(own.least);
  own.most = -block.reduce_min(-own.most);
  if (block.lane() == 0) {
    least[block.thread_rank() / 32] = own.least;
    most[block.thread_rank() / 32] = own.most;
  }
  block.sync();
  WARPFOLD_UNROLL
  for (int w = 0; w < Shape::warps; ++w) {
    own.least = smaller(own.least, least[w]);
    own.most = larger(own.most, most[w]);
  }
  return own;
}

/// Copies of a bin in a window: few bins have several, but no thread adds up more than four slots.
WARPFOLD_HOST_DEVICE inline int log_window_copies(int span, int threads, int slots) {
  int const most = smaller(4 * threads, slots);
  int log_copies = 0;
  while (log_copies < 3 && span << (log_copies + 1) <= most) ++log_copies;
  return log_copies;
}

/// A tile after the other: through a window if its bins lie near each other.
template <class Terms, class Shape, class T, class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void scatter_windows(Block const& block, scatter_job<T, Key> const& job,
                                          scatter_pass pass, window_shared<Shape>& shared) {
  constexpr int most_skipped = 15;
  block.wait_for_previous_grid();
  shared_sums<Terms::words> const window{shared.memory, Shape::slots / Terms::words};
  window.clear(block);
  Terms const terms(job.unit);
  scatter_refusals refusals;
  // Where tiles are scattered, more and more of them are taken for scattered without a look.
  int skipped = 0, to_skip = 0, parity = 0;
  std::uint64_t const size = job.size.get();
  for_each_tile<Shape>(block, size, [&](std::uint64_t t) {
    scatter_tile<Shape, T> tile;
    tile.read(block, job, terms, t, size, refusals);
    bool is_scattered = true;
    if (to_skip > 0) {
      --to_skip;
    } else {
      bin_range own{job.bins, -1};
      tile.each([&](int bin, T) {
        if (bin >= 0 && bin < own.least) own.least = bin;
        if (bin > own.most) own.most = bin;
      });
      bin_range const all =
          range_of_block<Shape>(block, own, shared.least[parity], shared.most[parity]);
      parity ^= 1;
      int const span = all.most < all.least ? 0 : all.most - all.least + 1;
      is_scattered = span > window.slots;
      if (is_scattered) {
        skipped = smaller(2 * skipped + 1, most_skipped);
        to_skip = skipped;
      } else {
        skipped = 0;
        int const log_copies = log_window_copies(span, Shape::threads, window.slots);
        int const copy = block.thread_rank() & ((1 << log_copies) - 1);
        tile.each([&](int bin, T x) {
          if (bin >= 0) window.add(block, ((bin - all.least) << log_copies) + copy, terms, x);
        });
        block.sync();
        window.spill(block, job.sums, all.least, span, log_copies);
      }
    }
    if (is_scattered) add_at_once(block, tile, terms, pass, job.sums);
    if (pass.scattered != nullptr && block.thread_rank() == 0) {
      pass.scattered[t] = is_scattered ? 1 : 0;
      if (is_scattered) block.store_relaxed(pass.any, 1);
    }
  });
  refusals.add_to(block, &job.status->refused, &job.status->first_refused);
}

/// A later pass over the scattered tiles.
template <class Terms, class Shape, class T, class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void scatter_again(Block const& block, scatter_job<T, Key> const& job,
                                        scatter_pass pass) {
  block.wait_for_previous_grid();
  if (block.load_relaxed(pass.any) == 0) return;
  Terms const terms(job.unit);
  scatter_refusals known; // from the first pass
  std::uint64_t const size = job.size.get();
  for_each_tile<Shape>(block, size, [&](std::uint64_t t) {
    if (pass.scattered[t] == 0) return;
    scatter_tile<Shape, T> tile;
    tile.read(block, job, terms, t, size, known);
    add_at_once(block, tile, terms, pass, job.sums);
  });
}

/// Before the first pass.
template <thread_block Block>
WARPFOLD_HOST_DEVICE void scatter_clear(Block const& block, std::uint64_t* words,
                                        std::uint64_t size, std::uint64_t* any,
                                        scatter_status* status) {
  block.wait_for_previous_grid();
  std::uint64_t const step = static_cast<unsigned>(block.grid_size() * block.size());
  std::uint64_t const rank =
      static_cast<unsigned>(block.block_rank() * block.size() + block.thread_rank());
  for (std::uint64_t i = rank; i < size; i += step) words[i] = 0;
  if (rank == 0) {
    *any = 0;
    *status = {0, no_position, 0, no_position};
  }
}

template <class Terms, class T, thread_block Block>
WARPFOLD_HOST_DEVICE void scatter_finish(Block const& block, scatter_rounding<T> const& job,
                                         scatter_end end) {
  scatter_status* const status = job.status;
  block.wait_for_previous_grid();
  if (end == scatter_end::keep &&
      (block.load_relaxed(&status->refused) != 0 || block.load_relaxed(&status->overflows) != 0))
    return;
  Terms const terms(job.unit);
  scatter_refusals overflows;
  int const step = block.grid_size() * block.size();
  for (std::int64_t b = block.block_rank() * block.size() + block.thread_rank(); b < job.bins;
       b += step) {
    T result;
    if (!terms.round(job, b, end, result)) overflows.note(static_cast<std::uint64_t>(b));
    if (end != scatter_end::look) job.results[b] = result;
  }
  if (end != scatter_end::keep)
    overflows.add_to(block, &status->overflows, &status->first_overflow);
}

} // namespace warpfold::inline v0::detail
