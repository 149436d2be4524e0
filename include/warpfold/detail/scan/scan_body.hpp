#pragma once
// A scan in one pass over the data, over a block. Its tree is that of scan_tree.hpp, whatever the
// grid and whoever comes first.
//
// A block has a tile of neighbouring units. It says their totals, and a warp of its own asks for
// those of the units and groups before, at most 31 a level, all levels at once (after D. Merrill
// and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA NVR-2016-002,
// which takes what is there first, so that the tree is another in every run). Who completes a group
// says the group's total.
//
// A word that blocks exchange holds half of a value's bits or less and the number of the kernel, so
// that values need neither fences nor cleared memory. Nobody waits for a block that has not begun:
// tiles are taken by tickets, unless there are so few that a GPU has room for all blocks at once;
// where other work leaves less room, these begin in their order (as those of CUB's scan must).

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/scan/scan_tree.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfold::inline v0::detail {

inline constexpr int scan_threads = 32 * scan_rows + 32; ///< the last warp looks back

struct scan_scratch {
  lookback_memory memory;
  std::uint64_t* ticket; ///< 0 between kernels; null if block i has tile i
};

/// A lane's elements of a unit.
template <class T, int Lanes>
struct alignas(std::has_single_bit(sizeof(T) * Lanes) && sizeof(T) * Lanes <= 16
                   ? sizeof(T) * Lanes
                   : alignof(T)) scan_pack {
  T element[Lanes];
};

template <class A, int Units>
struct scan_shared {
  using pack = scan_pack<A, scan_lanes<A>>;
  /// In their rows, of each thread.
  alignas(pack) unsigned char prefixes[Units * scan_rows * 32 * sizeof(pack)];
  alignas(A) unsigned char row_totals[Units * scan_rows * sizeof(A)];
  alignas(A) unsigned char unit_totals[Units * sizeof(A)];
  alignas(A) unsigned char preceding[Units * sizeof(A)];
  unsigned tile;

  WARPFOLD_HOST_DEVICE pack& prefixes_of(int unit, int rank) {
    return reinterpret_cast<pack*>(prefixes)[unit * scan_rows * 32 + rank];
  }
  WARPFOLD_HOST_DEVICE A& row_total(int i) { return reinterpret_cast<A*>(row_totals)[i]; }
  WARPFOLD_HOST_DEVICE A& unit_total(int i) { return reinterpret_cast<A*>(unit_totals)[i]; }
  /// What precedes a unit; nothing precedes the first one.
  WARPFOLD_HOST_DEVICE A& before(int i) { return reinterpret_cast<A*>(preceding)[i]; }
};

/// What to scan, and where to.
template <class A, class Iterator, class Op, class Transform>
struct scan_job {
  using element = iterator_element<Iterator>;
  /// True if a lane's elements can be read at once, and its results be written so.
  static constexpr bool has_packs = std::is_pointer_v<Iterator> && std::is_arithmetic_v<A> &&
                                    sizeof(element) <= sizeof(A) &&
                                    std::has_single_bit(sizeof(element) * scan_lanes<A>);
  Iterator values;
  std::uint64_t size;
  A* results; ///< may be `values`
  Op op;
  Transform transform;
  A init;            ///< of an exclusive scan
  bool is_exclusive; ///< result i is without element i, and begins with init
  bool are_aligned;  ///< values and results, so that a lane's are read and written at once
};

/// The members of a warp, `Members` neighbouring lanes, become their prefixes by doubling; of them
/// the first `live` exist, or all.
template <int Members, bool All, thread_block Block, class A, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void scan_members(Block const& block, A& value,
                                                              int member, int live, Op op) {
  WARPFOLD_UNROLL_BY(sizeof(A) <= 32 ? 5 : 1)
  for (int distance = 1; distance < Members; distance *= 2) {
    A const other = block.shuffle_up(value, distance);
    if (member >= distance && (All || member < live)) value = op(other, value);
  }
}

/// A value that another block says.
template <class A>
struct scan_word {
  static constexpr int words = scan_words<A>;

  template <thread_block Block>
  WARPFOLD_HOST_DEVICE static void say(Block const& block, std::uint64_t* at, std::uint32_t tag,
                                       A const& value) {
    std::uint32_t bits[words] = {};
    std::memcpy(bits, &value, sizeof(A));
    WARPFOLD_UNROLL
    for (int i = 0; i < words; ++i) block.store_relaxed(at + i, std::uint64_t{tag} << 32 | bits[i]);
  }
  /// Returns false if it is not there yet.
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE static bool hear(Block const& block, std::uint64_t const* at,
                                        std::uint32_t tag, A& value) {
    std::uint32_t bits[words];
    bool is_there = true;
    WARPFOLD_UNROLL
    for (int i = 0; i < words; ++i) {
      std::uint64_t const word = block.load_relaxed(at + i);
      bits[i] = static_cast<std::uint32_t>(word);
      is_there = is_there && static_cast<std::uint32_t>(word >> 32) == tag;
    }
    std::memcpy(static_cast<void*>(&value), bits, sizeof(A));
    return is_there;
  }
};

/// Reads a lane's elements of neighbouring units as accumulators; `live` are left in the tile from
/// the first on, or all are there.
template <bool All, class Job, class A, int Units, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_units(Job const& job, std::uint64_t first,
                                                            int live, A (&x)[Units][Lanes]) {
  using T = typename Job::element;
  auto const values = job.values + static_cast<std::ptrdiff_t>(first);
  constexpr int unit = scan_unit<A>;
  if constexpr (All && Job::has_packs)
    if (job.are_aligned) {
      using pack = scan_pack<T, Lanes>;
      pack packs[Units];
      WARPFOLD_UNROLL
      for (int u = 0; u < Units; ++u)
        packs[u] = read_pack(reinterpret_cast<pack const*>(values + u * unit));
      WARPFOLD_UNROLL
      for (int u = 0; u < Units; ++u) {
        WARPFOLD_UNROLL
        for (int v = 0; v < Lanes; ++v) x[u][v] = job.transform(packs[u].element[v]);
      }
      return;
    }
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u) {
    WARPFOLD_UNROLL
    for (int v = 0; v < Lanes; ++v)
      if (All || u * unit + v < live) x[u][v] = job.transform(values[u * unit + v]);
  }
}

template <bool All, class Job, class A, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
store_unit(Job const& job, std::uint64_t first, int live, scan_pack<A, Lanes> const& y) {
  A* const results = job.results + first;
  if constexpr (All && Job::has_packs)
    if (job.are_aligned) return write_pack(reinterpret_cast<scan_pack<A, Lanes>*>(results), y);
  WARPFOLD_UNROLL
  for (int v = 0; v < Lanes; ++v)
    if (All || v < live) results[v] = y.element[v];
}

/// A lane's elements, of which `live` exist or all, become what precedes them in their row, with
/// themselves. Returns the total of the lanes up to this one, of which `complete` have all theirs.
template <bool All, thread_block Block, class A, int Lanes, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE A scan_row_of(Block const& block, A (&x)[Lanes],
                                                          int live, int complete, Op op) {
  WARPFOLD_UNROLL
  for (int v = 1; v < Lanes; ++v)
    if (All || v < live) x[v] = op(x[v - 1], x[v]);
  A total = x[Lanes - 1];
  scan_members<32, All>(block, total, block.lane(), complete, op);
  A const before = block.shuffle_up(total, 1);
  if (block.lane() > 0) {
    WARPFOLD_UNROLL
    for (int v = 0; v < Lanes; ++v)
      if (All || v < live) x[v] = op(before, x[v]);
  }
  return total;
}

/// In each lane, the total of rows of a unit up to row number `row` of the tile, of which
/// `complete` have all elements.
template <class A, int Units, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE A rows_prefix(Block const& block,
                                                          scan_shared<A, Units>& shared, int row,
                                                          int complete, Op op) {
  A total{};
  if (row < complete) total = shared.row_total(row);
  scan_members<scan_rows, false>(block, total, row % scan_rows,
                                 complete - row / scan_rows * scan_rows, op);
  return total;
}

/// Says the totals of a tile's units, of which `complete` ones have all their elements, and finds
/// what precedes each of them. All lanes of a warp call it, when the rows' totals are there.
/// Returns the kernel's number.
template <class A, int Units, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE std::uint64_t
look_back(Block const& block, unsigned unit, int complete, scan_levels const& levels, Op op,
          lookback_memory const& memory, scan_shared<A, Units>& shared) {
  constexpr int early = 4; // levels that are asked for at once
  using word = scan_word<A>;
  int const lane = block.lane();
  // Kernels begin with tag 1, and memory with 0.
  std::uint64_t const epoch = block.load_relaxed(memory.epoch);
  auto const tag = static_cast<std::uint32_t>(epoch % 0xffffffffu) + 1;
  auto const at = [&](int level, unsigned index) {
    return memory.words + std::uint64_t{levels.begin[level] + index} * word::words;
  };

  static_assert(32 % Units == 0);
  WARPFOLD_UNROLL
  for (int first = 0; first < Units * scan_rows; first += 32) {
    int const row = first + lane, of_unit = row / scan_rows;
    A const total = rows_prefix(block, shared, row, complete * scan_rows, op);
    if (of_unit < complete && row % scan_rows == scan_rows - 1) {
      word::say(block, at(0, unit + static_cast<unsigned>(of_unit)), tag, total);
      shared.unit_total(of_unit) = total;
    }
  }
  block.sync_warp();

  // Blocks that say theirs at the same time are heard then. NVIDIA H100, 2026-11-26, 2^16 and 2^18
  // floats: 3.54 and 4.27 us instead of 3.67 and 4.55.
  block.spin(150);
  A value[early];
  bool is_there[early];
  WARPFOLD_UNROLL
  for (int level = 0; level < early; ++level) {
    unsigned const member = unit >> 5 * level;
    int const place = static_cast<int>(member % 32);
    is_there[level] = lane >= place;
    if (lane < place)
      is_there[level] = word::hear(block, at(level, member - static_cast<unsigned>(place - lane)),
                                   tag, value[level]);
  }

  // Lane i has what precedes unit i of the tile, as far as the levels before know.
  A before{};
  bool has_before = false;
  bool has_carry = false; // a member of this level that the tile completes
  A carry{};
  auto const climb = [&](int level, A mine, bool is_mine_there) {
    unsigned const member = unit >> 5 * level;
    int const place = static_cast<int>(member % 32);
    while (block.ballot(every_lane, !is_mine_there) != 0) {
      block.pause();
      if (!is_mine_there)
        is_mine_there =
            word::hear(block, at(level, member - static_cast<unsigned>(place - lane)), tag, mine);
    }
    int live = place; // members that are known
    if (level == 0) {
      if (lane >= place && lane < place + complete) mine = shared.unit_total(lane - place);
      live += complete;
    } else if (has_carry) {
      if (lane == place) mine = carry;
      live += 1;
    }
    if (live == 0) return;
    scan_members<32, false>(block, mine, lane, live, op);
    int const own =
        level == 0 ? place + lane % Units : place; // the member that a lane's unit is in
    A const preceding = block.shuffle(mine, own > 0 ? own - 1 : 0);
    if (own > 0 && own <= live) {
      before = has_before ? op(preceding, before) : preceding;
      has_before = true;
    }
    has_carry = live == 32;
    if (has_carry) {
      carry = block.shuffle(mine, 31);
      if (lane == 0) word::say(block, at(level + 1, member / 32), tag, carry);
    }
  };
  WARPFOLD_UNROLL
  for (int level = 0; level < early; ++level)
    if (level < levels.count) climb(level, value[level], is_there[level]);
  WARPFOLD_UNROLL_BY(1)
  for (int level = early; level < levels.count; ++level) {
    A mine{};
    climb(level, mine, lane >= static_cast<int>((unit >> 5 * level) % 32));
  }
  if (lane < Units && has_before) shared.before(lane) = before;
  return epoch;
}

/// The last tile's warp, once it knows what precedes it: all blocks have their tiles and the
/// kernel's number by then. Words that no kernel of this size writes are cleared from time to time,
/// 32 a kernel, so that none keeps a number until that comes again, after 2^32 - 1 kernels.
template <class A, thread_block Block>
WARPFOLD_HOST_DEVICE void end_scan(Block const& block, scan_levels const& levels,
                                   scan_scratch const& scratch, std::uint64_t epoch) {
  lookback_memory const& memory = scratch.memory;
  std::uint64_t const at = (epoch * 32 + static_cast<unsigned>(block.lane())) % memory.capacity;
  if (at >= levels.end * scan_words<A>) block.store_relaxed(memory.words + at, 0);
  if (block.lane() != 0) return;
  block.store_relaxed(memory.epoch, epoch + 1);
  if (scratch.ticket) *scratch.ticket = 0;
}

/// What a tile's threads know of it.
template <int Units, class A>
struct scan_extent {
  unsigned tile;
  std::uint64_t begin; ///< its first element
  int size;            ///< its number of elements

  WARPFOLD_HOST_DEVICE scan_extent(unsigned number, std::uint64_t all) : tile{number} {
    constexpr int whole = Units * scan_unit<A>;
    begin = std::uint64_t{tile} * whole;
    size = all - begin < whole ? static_cast<int>(all - begin) : whole;
  }
  WARPFOLD_HOST_DEVICE bool is_whole() const { return size == Units * scan_unit<A>; }
  /// Elements from a thread's own ones of a unit on.
  WARPFOLD_HOST_DEVICE int left(int unit, int rank) const {
    return size - unit * scan_unit<A> - rank * scan_lanes<A>;
  }
  WARPFOLD_HOST_DEVICE std::uint64_t at(int unit, int rank) const {
    return begin + static_cast<unsigned>(unit * scan_unit<A> + rank * scan_lanes<A>);
  }
};

/// A thread's part of a tile, before it is known what precedes it.
template <bool All, int Units, thread_block Block, class Job, class A>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void scan_rows_of(Block const& block, Job const& job,
                                                              scan_extent<Units, A> const& extent,
                                                              scan_shared<A, Units>& shared) {
  constexpr int lanes = scan_lanes<A>, chunk = Units < 4 ? Units : 4; // read at once
  int const rank = block.thread_rank(), row = rank / 32;
  WARPFOLD_UNROLL_BY(1)
  for (int first = 0; first < Units; first += chunk) {
    A x[chunk][lanes];
    load_units<All>(job, extent.at(first, rank), extent.left(first, rank), x);
    WARPFOLD_UNROLL
    for (int u = 0; u < chunk; ++u) {
      int const complete = extent.left(first + u, row * 32) / lanes;
      A const total = scan_row_of<All>(block, x[u], extent.left(first + u, rank), complete, job.op);
      if (block.lane() == 31) shared.row_total((first + u) * scan_rows + row) = total;
      WARPFOLD_UNROLL
      for (int v = 0; v < lanes; ++v) shared.prefixes_of(first + u, rank).element[v] = x[u][v];
    }
  }
}

/// And then; `rows` are the totals of rows of a unit, four units in each.
template <bool All, int Units, thread_block Block, class Job, class A, int Parts>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
store_results(Block const& block, Job const& job, scan_extent<Units, A> const& extent,
              A const (&rows)[Parts], scan_shared<A, Units>& shared) {
  constexpr int lanes = scan_lanes<A>;
  int const rank = block.thread_rank(), row = rank / 32;
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u) {
    A before = block.shuffle(rows[u / 4], u % 4 * scan_rows + (row > 0 ? row - 1 : 0));
    bool has_before = row > 0;
    int const live = extent.left(u, rank);
    bool const is_there = All || live > 0;
    if (is_there && (extent.tile > 0 || u > 0)) {
      before = has_before ? job.op(shared.before(u), before) : shared.before(u);
      has_before = true;
    }
    auto y = shared.prefixes_of(u, rank);
    bool is_first = false; // of a row of an exclusive scan
    if (job.is_exclusive) {
      before = has_before && is_there ? job.op(job.init, before) : job.init;
      has_before = true;
      A const previous = block.shuffle_up(y.element[lanes - 1], 1);
      WARPFOLD_UNROLL
      for (int v = lanes - 1; v > 0; --v) y.element[v] = y.element[v - 1];
      y.element[0] = previous;
      is_first = block.lane() == 0;
    }
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) {
      if (!All && v >= live) continue;
      if (v == 0 && is_first) y.element[v] = before;
      else if (has_before) y.element[v] = job.op(before, y.element[v]);
    }
    store_unit<All>(job, extent.at(u, rank), live, y);
  }
}

/// Scans a tile of `Units` units, of which the last block's may have fewer, or less than that.
template <int Units, thread_block Block, class Job, class A>
WARPFOLD_HOST_DEVICE void scan_tile(Block const& block, Job const& job, scan_levels const& levels,
                                    scan_scratch const& scratch, scan_shared<A, Units>& shared) {
  int const rank = block.thread_rank();
  bool const looks_back = rank / 32 == scan_rows;
  block.wait_for_previous_grid();
  auto tile = static_cast<unsigned>(block.block_rank());
  if (scratch.ticket) {
    if (rank == 0)
      shared.tile = static_cast<unsigned>(block.fetch_add(scratch.ticket, std::uint64_t{1}));
    block.sync();
    tile = shared.tile;
  }
  scan_extent<Units, A> const extent(tile, job.size);
  if (!looks_back) {
    if (extent.is_whole()) scan_rows_of<true>(block, job, extent, shared);
    else scan_rows_of<false>(block, job, extent, shared);
  }
  block.sync();

  constexpr int parts = (Units * scan_rows + 31) / 32;
  A rows[parts] = {};
  if (looks_back) {
    if (job.size > scan_unit<A>) {
      std::uint64_t const epoch = look_back(block, tile * Units, extent.size / scan_unit<A>, levels,
                                            job.op, scratch.memory, shared);
      if (extent.begin + static_cast<unsigned>(extent.size) == job.size)
        end_scan<A>(block, levels, scratch, epoch);
    }
  } else {
    WARPFOLD_UNROLL
    for (int i = 0; i < parts; ++i)
      rows[i] =
          rows_prefix(block, shared, 32 * i + block.lane(), extent.size / scan_row<A>, job.op);
  }
  block.sync();
  if (looks_back) return;
  if (extent.is_whole()) store_results<true>(block, job, extent, rows, shared);
  else store_results<false>(block, job, extent, rows, shared);
}

} // namespace warpfold::inline v0::detail
