#pragma once
// Compaction in one pass over the data, over a block, by decoupled look-back (D. Merrill and
// M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA NVR-2016-002).
//
// The input is cut into tiles. A block takes the next tile by a ticket, counts what it selects and
// says so in the tile's word, so that blocks behind it need not wait; adds up the words of the
// tiles before, as far as one that knows the sum of all that came before it; and says its own sum.
// A tile waits only for tiles with earlier tickets, which running blocks have: there is no
// deadlock.
//
// Before it asks for the others' counts, a block loads its next tile and says the count of that. So
// almost nobody ever waits for a count.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/streaming.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// NVIDIA H200, 2026-11-21, half of 2^28 floats: 454 us, 500 us with the tuning for few elements,
/// and 581 us when a block looks back before it counts its next tile.
struct compaction_tuning {
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;
  static constexpr int bytes_per_thread = 128;
  /// Words that a lane reads at a time in the first tiles, which all come at once.
  static constexpr int first_words = 1;
};

/// Up to max_bytes: more threads for a tile, and so few tiles that most are among the first. Half
/// of 2^20 and 2^22 floats, same machine and day: 6.2 and 11.7 us, 7.0 and 12.8 us with the other.
struct compaction_of_few_tuning : compaction_tuning {
  static constexpr int threads = 512;
  static constexpr int min_blocks = 2;
  static constexpr int bytes_per_thread = 64;
  static constexpr int first_words = 4;
  static constexpr std::size_t max_bytes = std::size_t{16} << 20;
};

/// Elements of a tile in a thread: their flags are bits of a word.
template <class Tuning, class T>
inline constexpr int compaction_items = [] {
  constexpr int items = Tuning::bytes_per_thread / static_cast<int>(sizeof(T));
  return items < 1 ? 1 : items > 32 ? 32 : items;
}();
template <class Tuning, class T>
inline constexpr int compaction_tile = Tuning::threads* compaction_items<Tuning, T>;

/// The state of a tile: nothing known (0), its own count, or the sum of its count and all before.
struct tile_word {
  static constexpr std::uint64_t count = std::uint64_t{1} << 62, sum = std::uint64_t{2} << 62;
  static constexpr std::uint64_t value = count - 1;
};

/// GPU memory that the blocks of a kernel share. ticket, cleared and arrived are 0 between kernels.
struct compaction_scratch {
  std::uint64_t* words; ///< one a tile, of any value
  std::uint64_t* ticket;
  std::uint64_t* cleared; ///< not 0 once the words are
  unsigned* arrived;
};

template <class Tuning, class T>
struct compaction_shared {
  static constexpr int warps = Tuning::threads / 32;
  alignas(T) unsigned char stage[compaction_tile<Tuning, T> * sizeof(T)];
  unsigned of_warp[2][warps]; ///< of one tile and of the next
  unsigned of_block[2];       ///< their sums, and in the highest byte how many have come
  std::uint64_t tile;
  std::uint64_t before; ///< how many the tiles before the staged one select

  /// The elements that a tile selects, in order.
  WARPFOLD_HOST_DEVICE T* staged() { return reinterpret_cast<T*>(stage); }
};

/// How many all tiles before `tile` select; all threads of a warp call it.
template <int Words, thread_block Block>
WARPFOLD_HOST_DEVICE std::uint64_t look_back(Block const& block, std::uint64_t const* words,
                                             std::uint64_t tile) {
  int const lane = block.lane();
  std::uint64_t sum = 0;
  for (std::uint64_t end = tile;;) {
    std::uint64_t word[Words];
    WARPFOLD_UNROLL
    for (int j = 0; j < Words; ++j) {
      auto const back = static_cast<std::uint64_t>(32 * j + lane);
      word[j] = back < end ? block.load_relaxed(words + (end - 1 - back)) : tile_word::sum;
    }
    WARPFOLD_UNROLL
    for (int j = 0; j < Words; ++j) {
      unsigned const sums = block.ballot(every_lane, word[j] >= tile_word::sum);
      unsigned silent = block.ballot(every_lane, word[j] < tile_word::count);
      if (sums != 0) silent &= (sums & (0 - sums)) - 1; // those nearer than the nearest sum
      if (silent != 0) break;                           // ask again
      int const nearest = sums != 0 ? first_of(sums) : 32;
      sum += block.reduce_add(every_lane, lane < nearest ? static_cast<unsigned>(word[j]) : 0u);
      if (sums != 0) return sum + (block.shuffle(every_lane, word[j], nearest) & tile_word::value);
      end -= 32;
    }
  }
}

/// Writes to output[i], i < capacity, the i-th of `size` elements from `first` on that the
/// predicate holds for, and to *count how many there are of them. Any grid has the same result.
template <class Tuning, thread_block Block, class Iterator, class T, class Predicate>
WARPFOLD_HOST_DEVICE void compact(Block const& block, Iterator first, std::uint64_t size,
                                  Predicate predicate, T* output, std::uint64_t capacity,
                                  std::uint64_t* count, compaction_scratch scratch,
                                  compaction_shared<Tuning, T>& shared) {
  constexpr int items = compaction_items<Tuning, T>, size_of_tile = compaction_tile<Tuning, T>;
  constexpr int warps = compaction_shared<Tuning, T>::warps;
  constexpr std::uint64_t none = ~std::uint64_t{0};
  int const rank = block.thread_rank(), lane = block.lane(), warp = rank / 32;
  std::uint64_t const tiles = (size + size_of_tile - 1) / size_of_tile;
  block.wait_for_previous_grid();

  if (rank == 0) {
    shared.tile = block.fetch_add(scratch.ticket, std::uint64_t{1});
    shared.of_block[0] = shared.of_block[1] = 0;
    if (tiles == 0) *count = 0;
  }
  block.sync();
  std::uint64_t tile = shared.tile;
  if (tile == 0) {
    for (std::uint64_t t = rank; t < tiles; t += Tuning::threads)
      block.store_relaxed(scratch.words + t, 0);
    block.sync();
    if (rank == 0) block.store_release(scratch.cleared, 1);
  }

  T element[items];
  unsigned selected = 0; // of a thread's elements, as bits
  auto const read = [&] {
    std::uint64_t const begin =
        tile * size_of_tile + static_cast<unsigned>(warp * 32 * items + lane);
    Iterator const at = first + static_cast<std::ptrdiff_t>(begin < size ? begin : 0);
    selected = 0;
    if ((tile + 1) * size_of_tile <= size) {
      selected = items == 32 ? ~0u : (1u << items % 32) - 1;
      WARPFOLD_UNROLL
      for (int i = 0; i < items; ++i) element[i] = read_once(at + 32 * i);
    } else {
      WARPFOLD_UNROLL
      for (int i = 0; i < items; ++i)
        if (begin + 32 * i < size) {
          element[i] = read_once(at + 32 * i);
          selected |= 1u << i;
        }
    }
  };
  if (tile < tiles) read();

  std::uint64_t staged = none; // the tile in the stage
  unsigned in_stage = 0;
  for (unsigned turn = 0;; turn ^= 1) {
    if (tile < tiles) {
      WARPFOLD_UNROLL
      for (int i = 0; i < items; ++i)
        if ((selected >> i & 1) != 0 && !predicate(element[i])) selected &= ~(1u << i);
      unsigned const of_warp =
          block.reduce_add(every_lane, static_cast<unsigned>(number_of(selected)));
      if (lane == 0) {
        shared.of_warp[turn][warp] = of_warp;
        unsigned const others = block.fetch_add(&shared.of_block[turn], of_warp + (1u << 24));
        if (others >> 24 == warps - 1) { // the last warp speaks for the block
          shared.of_block[turn] = 0;
          if (staged == none)
            while (block.load_acquire(scratch.cleared) == 0) {
            }
          unsigned const of_tile = (others & 0xffffff) + of_warp;
          block.store_relaxed(scratch.words + tile,
                              (tile == 0 ? tile_word::sum : tile_word::count) | of_tile);
        }
      }
    }
    if (warp == 0 && staged != none) {
      std::uint64_t const sum = staged == 0 ? 0
                                : staged < static_cast<unsigned>(block.grid_size())
                                    ? look_back<Tuning::first_words>(block, scratch.words, staged)
                                    : look_back<1>(block, scratch.words, staged);
      if (lane == 0) {
        if (staged > 0)
          block.store_relaxed(scratch.words + staged, tile_word::sum | (sum + in_stage));
        if (staged + 1 == tiles) *count = sum + in_stage;
        shared.before = sum;
      }
    }
    block.sync();
    if (rank == 0) shared.tile = block.fetch_add(scratch.ticket, std::uint64_t{1});
    if (staged != none) {
      std::uint64_t const begin = shared.before;
      std::uint64_t const room = begin < capacity ? capacity - begin : 0;
      unsigned const end = in_stage < room ? in_stage : static_cast<unsigned>(room);
      WARPFOLD_UNROLL_BY(4)
      for (unsigned i = static_cast<unsigned>(rank); i < end; i += Tuning::threads)
        write_once(output + begin + i, shared.staged()[i]);
    }
    if (tile >= tiles) break;

    unsigned const of_lane = lane < warps ? shared.of_warp[turn][lane] : 0;
    unsigned at = block.reduce_add(every_lane, lane < warp ? of_lane : 0);
    in_stage = block.reduce_add(every_lane, of_lane);
    staged = tile;
    block.sync();
    tile = shared.tile;
    WARPFOLD_UNROLL
    for (int i = 0; i < items; ++i) {
      bool const mine = (selected >> i & 1) != 0;
      unsigned const of_row = block.ballot(every_lane, mine);
      if (mine)
        shared.staged()[at + static_cast<unsigned>(number_of(before(of_row, lane)))] = element[i];
      at += static_cast<unsigned>(number_of(of_row));
    }
    if (tile < tiles) read();
  }
  if (rank == 0 && block.arrives_last(scratch.arrived)) *scratch.ticket = *scratch.cleared = 0;
}

} // namespace warpfold::inline v0::detail
