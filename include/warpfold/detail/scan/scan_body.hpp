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
// that values need neither fences nor cleared memory. Tiles are taken by tickets, or there are so
// few that all blocks run at once: nobody waits for a block that has not begun.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/scan/scan_tree.hpp>

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

template <class A, int Units>
struct scan_shared {
  alignas(A) unsigned char row_totals[Units * scan_rows * sizeof(A)];
  alignas(A) unsigned char unit_totals[Units * sizeof(A)];
  alignas(A) unsigned char preceding[Units * sizeof(A)];
  std::uint64_t tile;

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
  static constexpr bool has_packs = std::is_pointer_v<Iterator> &&
                                    std::is_arithmetic_v<A> && sizeof(element) <= sizeof(A);
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
/// the first `live` exist.
template <int Members, thread_block Block, class A, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void scan_members(Block const& block, A& value,
                                                              int member, int live, Op op) {
  WARPFOLD_UNROLL_BY(sizeof(A) <= 32 ? 5 : 1)
  for (int distance = 1; distance < Members; distance *= 2) {
    A const other = block.shuffle_up(value, distance);
    if (member >= distance && member < live) value = op(other, value);
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
    for (int i = 0; i < words; ++i)
      block.store_relaxed(at + i, std::uint64_t{tag} << 32 | bits[i]);
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

/// Says the totals of a tile's units, of which `complete` ones have all their elements, and finds
/// what precedes each of them. All lanes of a warp call it, when the rows' totals are there. Returns
/// the kernel's number.
template <class A, int Units, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE std::uint64_t look_back(Block const& block, std::uint64_t unit, int complete,
                                    scan_levels const& levels, Op op, lookback_memory const& memory,
                                    scan_shared<A, Units>& shared) {
  constexpr int early = 4; // levels that are asked for at once
  using word = scan_word<A>;
  int const lane = block.lane();
  // Kernels begin with tag 1, and memory with 0.
  std::uint64_t const epoch = block.load_relaxed(memory.epoch);
  auto const tag = static_cast<std::uint32_t>(epoch % 0xffffffffu) + 1;
  auto const at = [&](int level, std::uint64_t index) {
    return memory.words + (levels.begin[level] + index) * word::words;
  };

  static_assert(32 % Units == 0 && Units * scan_rows <= 32);
  A total{};
  bool const is_row = lane < complete * scan_rows;
  if (is_row) total = shared.row_total(lane);
  scan_members<scan_rows>(block, total, lane % scan_rows, is_row ? scan_rows : 0, op);
  if (is_row && lane % scan_rows == scan_rows - 1) {
    word::say(block, at(0, unit + static_cast<unsigned>(lane / scan_rows)), tag, total);
    shared.unit_total(lane / scan_rows) = total;
  }
  block.sync_warp();

  A value[early];
  bool is_there[early];
  WARPFOLD_UNROLL
  for (int level = 0; level < early; ++level) {
    std::uint64_t const member = unit >> 5 * level;
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
    std::uint64_t const member = unit >> 5 * level;
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
    scan_members<32>(block, mine, lane, live, op);
    int const own = level == 0 ? place + lane % Units : place; // the member that a lane's unit is in
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

/// A lane's elements of a number of whole units.
template <class T, int Lanes>
struct alignas(sizeof(T) * Lanes <= 16 ? sizeof(T) * Lanes : alignof(T)) scan_pack {
  T element[Lanes];
};

/// Reads elements from `first` on, a lane's of each unit, as accumulators; `live` are left in the
/// tile from there.
template <class Job, class A, int Units, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_tile(Job const& job, std::uint64_t first,
                                                           int live, bool is_whole,
                                                           A (&x)[Units][Lanes]) {
  using T = typename Job::element;
  auto const values = job.values + static_cast<std::ptrdiff_t>(first);
  constexpr int unit = scan_unit<A>;
  if constexpr (Job::has_packs)
    if (is_whole && job.are_aligned) {
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
      if (is_whole || u * unit + v < live) x[u][v] = job.transform(values[u * unit + v]);
  }
}

template <class Job, class A, int Units, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_tile(Job const& job, std::uint64_t first,
                                                            int live, bool is_whole,
                                                            A const (&x)[Units][Lanes]) {
  A* const results = job.results + first;
  constexpr int unit = scan_unit<A>;
  if constexpr (Job::has_packs)
    if (is_whole && job.are_aligned) {
      using pack = scan_pack<A, Lanes>;
      WARPFOLD_UNROLL
      for (int u = 0; u < Units; ++u) {
        pack whole;
        WARPFOLD_UNROLL
        for (int v = 0; v < Lanes; ++v) whole.element[v] = x[u][v];
        write_pack(reinterpret_cast<pack*>(results + u * unit), whole);
      }
      return;
    }
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u) {
    WARPFOLD_UNROLL
    for (int v = 0; v < Lanes; ++v)
      if (is_whole || u * unit + v < live) results[u * unit + v] = x[u][v];
  }
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

/// Scans a tile of `Units` units, of which the last block's may have fewer, or less than that.
template <int Units, thread_block Block, class Job, class A>
WARPFOLD_HOST_DEVICE void scan_tile(Block const& block, Job const& job, scan_levels const& levels,
                                    scan_scratch const& scratch, scan_shared<A, Units>& shared) {
  constexpr int lanes = scan_lanes<A>, unit_size = scan_unit<A>;
  int const rank = block.thread_rank(), lane = block.lane(), row = rank / 32;
  bool const looks_back = row == scan_rows;
  block.wait_for_previous_grid();
  auto tile = static_cast<std::uint64_t>(block.block_rank());
  if (scratch.ticket) {
    if (rank == 0) shared.tile = block.fetch_add(scratch.ticket, std::uint64_t{1});
    block.sync();
    tile = shared.tile;
  }
  std::uint64_t const begin = tile * Units * unit_size, left = job.size - begin;
  bool const is_whole = left >= Units * unit_size;
  int const size = is_whole ? Units * unit_size : static_cast<int>(left); // of the tile
  int const mine = rank * lanes; // a lane's first element in a unit

  A x[Units][lanes];   // elements, then the lane's prefixes, then those of the unit
  A before_lane[Units]; // in its row
  if (!looks_back) {
    load_tile(job, begin + mine, size - mine, is_whole, x);
    WARPFOLD_UNROLL
    for (int u = 0; u < Units; ++u) {
      int const live = size - u * unit_size - mine;
      WARPFOLD_UNROLL
      for (int v = 1; v < lanes; ++v)
        if (v < live) x[u][v] = job.op(x[u][v - 1], x[u][v]);
      A total = x[u][lanes - 1];
      int const of_row = size - u * unit_size - row * scan_row<A>;
      scan_members<32>(block, total, lane, of_row / lanes, job.op);
      if (lane == 31) shared.row_total(u * scan_rows + row) = total;
      before_lane[u] = block.shuffle_up(total, 1);
    }
  }
  block.sync();

  bool const is_last = begin + size == job.size;
  if (looks_back) {
    if (job.size > unit_size) {
      std::uint64_t const epoch =
          look_back(block, tile * Units, size / unit_size, levels, job.op, scratch.memory, shared);
      if (is_last) end_scan<A>(block, levels, scratch, epoch);
    }
  } else {
    // Totals of the rows before, in lanes u * scan_rows + row.
    A rows{};
    int const complete = size / scan_row<A>;
    if (lane < complete && lane < Units * scan_rows) rows = shared.row_total(lane);
    scan_members<scan_rows>(block, rows, lane % scan_rows,
                            complete - lane / scan_rows * scan_rows, job.op);
    WARPFOLD_UNROLL
    for (int u = 0; u < Units; ++u) {
      A q = block.shuffle(rows, u * scan_rows + (row > 0 ? row - 1 : 0)); // before the lane
      bool const has_before = row > 0 || lane > 0;
      int const live = size - u * unit_size - mine;
      if (live > 0) {
        if (lane > 0) q = row > 0 ? job.op(q, before_lane[u]) : before_lane[u];
        if (job.is_exclusive) {
          WARPFOLD_UNROLL
          for (int v = lanes - 1; v > 0; --v)
            if (v < live) x[u][v] = has_before ? job.op(q, x[u][v - 1]) : x[u][v - 1];
          x[u][0] = q;
        } else if (has_before) {
          WARPFOLD_UNROLL
          for (int v = 0; v < lanes; ++v)
            if (v < live) x[u][v] = job.op(q, x[u][v]);
        }
      }
    }
  }
  block.sync();

  if (looks_back) return;
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u) {
    int const live = size - u * unit_size - mine;
    bool const has_units = tile > 0 || u > 0;
    A before{};
    if (live > 0 && has_units) before = shared.before(u);
    if (job.is_exclusive) before = has_units && live > 0 ? job.op(job.init, before) : job.init;
    bool const is_empty = job.is_exclusive && rank == 0; // x[u][0] is nothing then
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) {
      if (v >= live) continue;
      if (v == 0 && is_empty) x[u][v] = before;
      else if (has_units || job.is_exclusive) x[u][v] = job.op(before, x[u][v]);
    }
  }
  store_tile(job, begin + mine, size - mine, is_whole, x);
}

} // namespace warpfold::inline v0::detail
