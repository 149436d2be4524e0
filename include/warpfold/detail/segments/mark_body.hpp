#pragma once
// The body of the kernel that marks runs of equal neighbouring keys, in one pass over the keys.
//
// A block takes tile after tile, of which each warp but the last has a part. The last warp adds the
// number of runs that begin in a tile to a tree of sums: of tiles, of 32 tiles, of 32 times 32, and
// so on. How many begin before a tile is what complete sums on its left say. It asks for that two
// tiles later, while the others look at keys, and those behind these arrive.

#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/scan/scan_tree.hpp>
#include <warpfold/detail/segments/run_marks.hpp>
#include <warpfold/detail/segments/segments_offsets_body.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// As many warps as shared memory has room for. NVIDIA H100, 2026-11-26, 14 warps, where copies did
/// not keep their place in a line: 2^28 keys in runs of 128 took 439 us; with 16 warps and numbers
/// a turn earlier 459.
struct marking_tuning {
  static constexpr int warps = 13;          ///< that have parts
  static constexpr bool keeps_lines = true; ///< see segments_input::line
  static constexpr int min_blocks = 1;
};
/// Where a block has not that much shared memory, 221 KiB for keys of 32 bits: 48 KiB, so that two
/// blocks fit into 100.
struct small_marking_tuning : marking_tuning {
  static constexpr int warps = 3;
  static constexpr bool keeps_lines = false;
};
template <class Tuning>
inline constexpr int marking_threads = 32 * (Tuning::warps + 1);

/// Keys of a warp's part: up to 4 KiB, a word of marks for each lane at most.
template <class K>
inline constexpr int part_keys = [] {
  constexpr unsigned fit = std::bit_floor(static_cast<unsigned>((4 << 10) / sizeof(K)));
  return fit < 32 ? 32 : fit > run_marks_keys ? run_marks_keys : static_cast<int>(fit);
}();
template <class Tuning, class K>
inline constexpr int marking_tile = Tuning::warps* part_keys<K>;

/// A tree of sums over tiles.
struct tile_sums {
  static constexpr int value_bits = 42; ///< and behind them how many tiles have added theirs
  static constexpr std::uint64_t one = std::uint64_t{1} << value_bits;
  static constexpr std::uint64_t most_tiles = std::uint64_t{1} << 25; ///< that they count
  std::uint64_t* words;  ///< of any value; the block of the first tile makes them 0
  tree_levels<1> levels; ///< of complete groups

  WARPFOLD_HOST_DEVICE static bool is_complete(std::uint64_t word, int level) {
    return word >> value_bits == std::uint64_t{1} << 5 * level;
  }
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE void add(Block const& block, std::uint64_t tile, unsigned value) const {
    for (int level = 0; level < levels.count; ++level) {
      std::uint64_t const group = tile >> 5 * level;
      std::uint64_t const end = level + 1 < levels.count ? levels.begin[level + 1] : levels.end;
      if (levels.begin[level] + group < end)
        block.fetch_add(words + levels.begin[level] + group, one + value);
    }
  }

  /// The lane's words of the complete groups before a tile: of every level one.
  struct words_before {
    static constexpr int most = tree_levels<1>::most;
    std::uint64_t const* at[most]; ///< null: none
    std::uint64_t value[most];
  };
  /// Asks for them.
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE words_before ask(Block const& block, std::uint64_t tile) const {
    words_before asked{};
    WARPFOLD_UNROLL
    for (int level = 0; level < words_before::most; ++level) {
      std::uint64_t const group = tile >> 5 * level;
      if (level >= levels.count || block.lane() >= static_cast<int>(group % 32)) continue;
      asked.at[level] = words + levels.begin[level] + group / 32 * 32 + block.lane();
      asked.value[level] = block.load_relaxed(asked.at[level]);
    }
    return asked;
  }
  /// Their sum, of all tiles before; asks again for those that are not complete. All threads of a
  /// warp call it.
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE std::uint64_t before(Block const& block, words_before asked) const {
    std::uint64_t sum = 0;
    WARPFOLD_UNROLL
    for (int level = 0; level < words_before::most; ++level) {
      if (level >= levels.count) break;
      std::uint64_t& value = asked.value[level];
      auto const is_late = [&] { return asked.at[level] && !is_complete(value, level); };
      while (block.any(is_late())) {
        block.pause();
        if (is_late()) value = block.load_relaxed(asked.at[level]);
      }
      sum += value & (one - 1);
    }
    return sum_of_lanes(block, every_lane, sum);
  }
};

template <class Tuning, class K>
struct marking_shared {
  /// Keys of a line, or of a pack: a part begins at its place in one.
  static constexpr int line = Tuning::keeps_lines ? segments_input<K>::line : lanes_per_thread<K>;
  /// What comes before a part: the rest of its line, and the line before that, which may have the
  /// key before.
  static constexpr int stage_keys = 2 * line + part_keys<K>;
  static constexpr unsigned stages = 4; ///< for tiles that are numbered, wait, are marked, arrive
  alignas(128) alignas(K) unsigned char stage[stages][Tuning::warps][stage_keys * sizeof(K)];
  unsigned of_warp[2][Tuning::warps]; ///< runs that begin in a part, of a tile and the next
  std::uint64_t before[2];            ///< and before a tile
  std::uint64_t tile[2];              ///< tiles that come next
};

/// GPU memory that is 0 between kernels.
struct marking_tickets {
  std::uint64_t* tile;
  std::uint64_t* cleared; ///< not 0 once the sums are 0
  unsigned* arrived;
};

/// A warp's part of a tile: its marks, and how many runs begin in it.
struct marked_part {
  std::uint32_t word; ///< of the lane
  int prefix;         ///< runs that begin in the lane's word and those before
  unsigned of_lane;   ///< runs that begin in the part of warp number `lane`
};

/// The marks of `Words` times 32 keys, of which `left` exist; key -1 is the one before them, unless
/// they are the first of all. A key of a user's own is compared only if it exists.
template <int Words, thread_block Block, class K>
WARPFOLD_HOST_DEVICE std::uint32_t find_marks(Block const& block, K const* keys, std::int64_t left,
                                              bool are_first) {
  int const lane = block.lane();
  std::uint32_t word = 0;
  WARPFOLD_UNROLL
  for (int w = 0; w < Words; ++w) {
    int const i = 32 * w + lane;
    bool const can_compare = std::is_arithmetic_v<K> || (i < left && !(are_first && i == 0));
    bool const begins = can_compare && !(keys[i - 1] == keys[i]);
    std::uint32_t const of_row = block.ballot(every_lane, begins);
    if (lane == w) word = of_row;
  }
  std::int64_t const of_lane = left - 32 * lane;
  if (are_first && lane == 0) word |= 1;
  if (of_lane < 32) word &= of_lane > 0 ? (std::uint32_t{1} << of_lane) - 1 : 0;
  return word;
}

/// Writes the first keys of a part's runs, the first of which goes to unique[0], as far as there is
/// room.
template <int Words, thread_block Block, class K>
WARPFOLD_HOST_DEVICE void write_unique(Block const& block, K const* keys, marked_part const& part,
                                       K* unique, unsigned room) {
  int const lane = block.lane();
  int const first = part.prefix - number_of(part.word);
  if (!block.any(number_of(part.word) > 2)) { // more would read from the same banks
    auto run = static_cast<unsigned>(first);
    for (std::uint32_t bits = part.word; bits != 0; bits &= bits - 1, ++run)
      if (run < room) write_once(unique + run, keys[32 * lane + first_of(bits)]);
    return;
  }
  K* const to = unknown(unique);
  WARPFOLD_UNROLL_BY(8)
  for (int w = 0; w < Words; ++w) {
    std::uint32_t const bits = block.shuffle(part.word, w);
    auto const run = static_cast<unsigned>(block.shuffle(first, w) + number_of(before(bits, lane)));
    if ((bits >> lane & 1) != 0 && run < room) write_once(to + run, keys[32 * w + lane]);
  }
}

/// Marks the runs of `size` keys, writes the first key of run i to unique[i], i < capacity, and the
/// number of runs to *count. Any grid has the same result.
template <class Tuning, thread_block Block, class K>
WARPFOLD_HOST_DEVICE void mark(Block const& block, K const* keys, std::uint64_t size, K* unique,
                               std::uint64_t capacity, std::uint64_t* count,
                               run_marks<std::uint64_t> const& marks, tile_sums const& sums,
                               marking_tickets tickets, marking_shared<Tuning, K>& shared) {
  constexpr int words = part_keys<K> / 32, warps = Tuning::warps;
  constexpr std::uint64_t of_tile = marking_tile<Tuning, K>, none = ~std::uint64_t{0};
  constexpr unsigned stages = marking_shared<Tuning, K>::stages;
  int const lane = block.lane(), warp = block.thread_rank() / 32;
  bool const adds_up = warp == warps;
  std::uint64_t const tiles = (size + of_tile - 1) / of_tile;
  segments_input<K> const input{keys, static_cast<std::int64_t>(size)};
  block.wait_for_previous_grid();
  auto const take_tile = [&](int i) {
    if (adds_up && lane == 0) shared.tile[i] = block.fetch_add(tickets.tile, std::uint64_t{1});
  };
  // One after the other: blocks have their first tiles before one has its second, mostly.
  take_tile(0);
  if (adds_up && lane == 0 && tiles == 0) *count = *marks.count() = 0;
  block.sync();
  std::uint64_t tile = shared.tile[0];
  take_tile(1);
  if (tile == 0) {
    for (std::uint64_t i = block.thread_rank(); i < sums.levels.end; i += marking_threads<Tuning>)
      block.store_relaxed(sums.words + i, 0);
    block.sync();
    if (adds_up && lane == 0) block.store_release(tickets.cleared, 1);
  }

  auto const start_of = [&](std::uint64_t t) {
    return static_cast<std::int64_t>(t * of_tile) + warp * part_keys<K>;
  };
  auto const keys_in = [&](unsigned stage, std::int64_t start) {
    constexpr int line = marking_shared<Tuning, K>::line;
    return reinterpret_cast<K*>(shared.stage[stage][warp]) + line + input.before(start, line);
  };
  auto const fetch_part = [&](std::uint64_t t, unsigned stage) {
    std::int64_t const start = start_of(t);
    if (adds_up || t >= tiles || start >= input.size) return;
    constexpr int pack = lanes_per_thread<K>;
    K* const to = keys_in(stage, start);
    int const before = input.before(start);
    std::uint64_t const policy = block.cache_policy(size * sizeof(K) <= most_evicted_keys);
    if (before == 0 && input.can_align() && start + part_keys<K> <= input.size) {
      WARPFOLD_UNROLL
      for (int i = 0; i < part_keys<K>; i += 32 * pack)
        if (int const k = i + lane * pack; i + 32 * pack <= part_keys<K> || k < part_keys<K>)
          block.copy_async(to + k, keys + start + k, policy);
    } else {
      fetch(block, input, start - before, before + part_keys<K>, to - before, most_evicted_keys);
    }
    if (before > 0 || start == 0 || lane > 0) return;
    if (input.can_align()) // the key before, too
      block.copy_async(to - pack, keys + start - pack, policy);
    else std::memcpy(static_cast<void*>(to - 1), keys + start - 1, sizeof(K));
  };
  fetch_part(tile, 0);
  block.sync();
  std::uint64_t next = shared.tile[1];

  // The runs of a tile are numbered two turns after it was marked, lest a late block keep all.
  std::uint64_t counted = none, waiting = none; // the tiles of the turns before
  marked_part part{}, waiting_part{};
  unsigned stage = 0; // of `tile`
  WARPFOLD_UNROLL_BY(1)
  for (int turn = 0;; turn ^= 1) {
    bool const has_tile = tile < tiles;
    marked_part new_part{};
    if (adds_up) {
      tile_sums::words_before asked{};
      if (counted != none) asked = sums.ask(block, counted);
      std::uint64_t taken = none;
      if (has_tile && lane == 0) taken = block.fetch_add(tickets.tile, std::uint64_t{1});
      if (counted != none) {
        std::uint64_t const sum = sums.before(block, asked);
        unsigned const all = block.reduce_add(every_lane, part.of_lane);
        if (lane == 0) {
          shared.before[turn ^ 1] = sum;
          if (counted + 1 == tiles) *count = *marks.count() = sum + all;
        }
      }
      if (lane == 0) shared.tile[turn] = taken;
    } else if (has_tile) {
      std::int64_t const start = start_of(tile);
      block.wait_for_copies();
      block.sync_warp();
      fetch_part(next, (stage + 1) % stages);
      new_part.word =
          find_marks<words>(block, keys_in(stage, start), input.size - start, start == 0);
      std::int64_t const row = start / 32 + lane;
      if (lane < words && row < marks.written_words()) marks.bits[row] = new_part.word;
      new_part.prefix = number_of(new_part.word);
      WARPFOLD_UNROLL
      for (int distance = 1; distance < 32; distance *= 2) {
        int const other = block.shuffle_up(new_part.prefix, distance);
        if (lane >= distance) new_part.prefix += other;
      }
      if (lane == 31) shared.of_warp[turn][warp] = static_cast<unsigned>(new_part.prefix);
    }
    block.sync();

    if (!adds_up && counted != none) {
      std::int64_t const start = start_of(counted);
      unsigned const earlier = block.reduce_add(every_lane, lane < warp ? part.of_lane : 0);
      std::uint64_t const first = shared.before[turn ^ 1] + earlier;
      if (lane == 0 && start % run_marks_keys == 0 && start < input.size)
        marks.ranks[start / run_marks_keys] = first;
      if (first < capacity) {
        std::uint64_t const room = capacity - first;
        write_unique<words>(block, keys_in((stage + 2) % stages, start), part, unique + first,
                            room < run_marks_keys ? static_cast<unsigned>(room) : run_marks_keys);
      }
    }
    if (!has_tile && waiting == none) break;
    if (has_tile) {
      if (lane < warps) new_part.of_lane = shared.of_warp[turn][lane];
      if (adds_up) {
        unsigned const all = block.reduce_add(every_lane, new_part.of_lane);
        if (lane == 0) {
          if (waiting == none)
            while (block.load_acquire(tickets.cleared) == 0) block.pause();
          sums.add(block, tile, all);
        }
        block.sync_warp(); // no lane asks for sums before they are cleared
      }
    }
    part = waiting_part;
    counted = waiting;
    waiting_part = new_part;
    waiting = has_tile ? tile : none;
    tile = next;
    next = shared.tile[turn];
    stage = (stage + 1) % stages;
  }
  if (adds_up && lane == 0 && block.arrives_last(tickets.arrived))
    *tickets.tile = *tickets.cleared = 0;
}

} // namespace warpfold::inline v0::detail
