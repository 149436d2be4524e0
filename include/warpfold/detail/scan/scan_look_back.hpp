#pragma once
// How the blocks of a scan learn what precedes their tiles.
//
// A block says the totals of its units, and a warp of its own asks for those of the units and
// groups before, at most 31 a level, several levels at once (after D. Merrill and M. Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA NVR-2016-002, which takes
// what is there first, so that the tree is another in every run). Who completes a group says the
// group's total.
//
// A word that blocks exchange holds 32 bits of a value, a flag and the number of the kernel, so
// that values need neither fences nor cleared memory. Nobody waits for a block that has not begun:
// tiles are taken by tickets, unless there are so few that a GPU has room for all blocks at once;
// where other work leaves less room, these begin in their order (as those of CUB's scan must).

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/padding.hpp>
#include <warpfold/detail/scan/scan_tree.hpp>
#include <warpfold/reduction/operations.hpp>

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
  unsigned ahead = 0;    ///< a tile so many behind a block's is prefetched; none if 0
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
  using kept = kept_prefix_t<A>;
  static constexpr int lanes = scan_lanes<A>;
  /// Elements that a thread reads or writes at once, of up to 16 bytes.
  static constexpr int packed = scan_lane_bytes<A> <= 16              ? lanes
                                : sizeof(kept) == 8 && lanes % 2 == 0 ? 2
                                                                      : 1;
  using pack = scan_pack<kept, packed>;
  /// In their rows, of each thread.
  alignas(pack) unsigned char prefixes[Units * scan_rows * 32 * scan_lane_bytes<A>];
  alignas(A) unsigned char row_totals[Units * scan_rows * sizeof(A)];
  alignas(A) unsigned char unit_totals[Units * sizeof(A)];
  alignas(A) unsigned char preceding[Units * sizeof(A)];
  unsigned tile;

  WARPFOLD_HOST_DEVICE kept& prefix(int unit, int rank, int v) {
    int const row = unit * (lanes / packed) + v / packed;
    return reinterpret_cast<pack*>(prefixes)[row * scan_rows * 32 + rank].element[v % packed];
  }
  WARPFOLD_HOST_DEVICE A& row_total(int i) { return reinterpret_cast<A*>(row_totals)[i]; }
  WARPFOLD_HOST_DEVICE A& unit_total(int i) { return reinterpret_cast<A*>(unit_totals)[i]; }
  /// What precedes a unit; nothing precedes the first one.
  WARPFOLD_HOST_DEVICE A& before(int i) { return reinterpret_cast<A*>(preceding)[i]; }
};

/// y = op(x, y) if `condition`. Numbers that exist are combined in any case, since a select is
/// faster than a branch: 2^22 doubles took 27.3 us instead of 28.2 (NVIDIA H200, 2026-11-29). A
/// user's operator sees no other operands than the tree's.
template <bool Exist, class A, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void combine_if(bool condition, A const& x, A& y,
                                                            Op const& op) {
  if constexpr (Exist && std::is_arithmetic_v<A> && takes_any_numbers<Op>) {
    A const both = static_cast<A>(op(x, y));
    y = condition ? both : y;
  } else {
    if (condition) y = static_cast<A>(op(x, y));
  }
}

/// The members of a warp, `Members` neighbouring lanes, become their prefixes by doubling, if they
/// exist, as all do where `All`. A prefix goes back at most `reach` members; `longest` exist, and
/// steps that none of them takes are left out.
template <int Members, bool All, thread_block Block, class A, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
scan_members(Block const& block, A& value, int reach, bool is_live, Op op, int longest = Members) {
  WARPFOLD_UNROLL_BY(sizeof(A) <= 32 ? 5 : 1)
  for (int distance = 1; distance < Members; distance *= 2) {
    if (distance >= longest) break;
    A const other = block.shuffle_up(value, distance);
    combine_if<All>(reach >= distance && (All || is_live), other, value, op);
  }
}

/// A value that another block says.
template <class A>
struct scan_word {
  using kept = kept_prefix<A>;
  static constexpr int words = scan_words<A>;
  static constexpr std::uint32_t flag = 1u << 31;
  /// Kernels begin with tag 1, and memory with 0.
  WARPFOLD_HOST_DEVICE static std::uint32_t tag_of(std::uint64_t epoch) {
    return static_cast<std::uint32_t>(epoch % (flag - 1)) + 1;
  }

  template <thread_block Block>
  WARPFOLD_HOST_DEVICE static void say(Block const& block, std::uint64_t* at, std::uint32_t tag,
                                       A const& x) {
    std::uint32_t bits[words] = {};
    auto const& value = kept::value(x);
    std::memcpy(bits, &value, sizeof value);
    if (kept::flag(x)) tag |= flag;
    WARPFOLD_UNROLL
    for (int i = 0; i < words; ++i) block.store_relaxed(at + i, std::uint64_t{tag} << 32 | bits[i]);
  }
  /// Returns false if it is not there yet.
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE static bool hear(Block const& block, std::uint64_t const* at,
                                        std::uint32_t tag, A& x) {
    std::uint32_t bits[words];
    bool is_there = true, has_flag = false;
    WARPFOLD_UNROLL
    for (int i = 0; i < words; ++i) {
      std::uint64_t const word = block.load_relaxed(at + i);
      bits[i] = static_cast<std::uint32_t>(word);
      auto const high = static_cast<std::uint32_t>(word >> 32);
      is_there = is_there && (high & ~flag) == tag;
      has_flag = high >= flag;
    }
    typename kept::type value;
    std::memcpy(static_cast<void*>(&value), bits, sizeof value);
    x = kept::join(value, has_flag);
    return is_there;
  }
};

/// In each lane, the total of rows of a unit up to row number `row` of the tile, of which
/// `complete` have all elements.
template <class A, int Units, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE A rows_prefix(Block const& block,
                                                          scan_shared<A, Units>& shared, int row,
                                                          int complete, Op op) {
  A total{};
  if (row < complete) total = shared.row_total(row);
  scan_members<scan_rows, false>(block, total, row % scan_rows, row < complete, op);
  return total;
}

/// The total of neighbouring rows. That of a unit's rows is the last of their prefixes.
template <int Rows, class A, int Units, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE A rows_total(scan_shared<A, Units>& shared, int first,
                                                         Op const& op) {
  if constexpr (Rows == 1) {
    return shared.row_total(first);
  } else {
    A const left = rows_total<Rows / 2>(shared, first, op);
    return static_cast<A>(op(left, rows_total<Rows / 2>(shared, first + Rows / 2, op)));
  }
}

/// Says the totals of a tile's units, of which `complete` ones have all their elements, and finds
/// what precedes each of them. All lanes of a warp call it, when the rows' totals are there;
/// `tag` says which words are of this kernel.
template <class A, int Units, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE void look_back(Block const& block, unsigned unit, int complete,
                                    scan_levels const& levels, Op op, lookback_memory const& memory,
                                    std::uint32_t tag, scan_shared<A, Units>& shared) {
  constexpr int early = 4; // levels that are asked for at once
  using word = scan_word<A>;
  int const lane = block.lane();
  unsigned const copy = unit / Units % scan_levels::copies;
  auto const at = [&](int level, unsigned member, unsigned copy_of) {
    return memory.words + levels.at(level, member, copy_of) * word::words;
  };

  static_assert(32 % Units == 0);
  if (lane < complete) {
    A const total = rows_total<scan_rows>(shared, lane * scan_rows, op);
    word::say(block, at(0, unit + static_cast<unsigned>(lane), 0), tag, total);
    shared.unit_total(lane) = total;
  }
  block.sync_warp();

  // Few blocks say theirs at the same time and are heard then. NVIDIA H200, 2026-11-29, 2^14, 2^16
  // and 2^18 floats: 2.29, 3.11 and 3.66 us instead of 2.38, 3.16 and 3.74. Others look at the
  // clock once: without that compilers order the loads otherwise, and 2^20 floats took 5.86 instead
  // of 5.79, 2^22 doubles 26.25 instead of 25.97. docs/validation/2026-11-29-scan-copies-h200.txt
  block.spin(Units == 1 ? 150 : 0);
  A value[early];
  bool is_there[early];
  WARPFOLD_UNROLL
  for (int level = 0; level < early; ++level) {
    unsigned const member = unit >> 5 * level;
    int const place = static_cast<int>(member % 32);
    is_there[level] = lane >= place;
    if (lane < place)
      is_there[level] = word::hear(
          block, at(level, member - static_cast<unsigned>(place - lane), copy), tag, value[level]);
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
        is_mine_there = word::hear(
            block, at(level, member - static_cast<unsigned>(place - lane), copy), tag, mine);
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
    scan_members<32, false>(block, mine, lane, lane < live, op, live);
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
      if (auto const i = static_cast<unsigned>(lane); i < scan_levels::copies)
        word::say(block, at(level + 1, member / 32, i), tag, carry);
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
}

/// A kernel's number comes again after 2^31 - 1 kernels. So that no word keeps one that long, each
/// kernel clears 32 of the words that it does not write.
template <class A, thread_block Block>
WARPFOLD_HOST_DEVICE void clear_words(Block const& block, scan_levels const& levels,
                                      std::uint64_t units, lookback_memory const& memory,
                                      std::uint32_t tag) {
  std::uint64_t const at =
      (std::uint64_t{tag} * 32 + static_cast<unsigned>(block.lane())) % memory.capacity;
  std::uint64_t const place = at / scan_words<A>;
  bool is_written = false;
  for (int level = 0; level < levels.count; ++level)
    is_written = is_written || (place >= levels.begin[level] &&
                                levels.member_at(level, place) < units >> 5 * level);
  if (!is_written) block.store_relaxed(memory.words + at, 0);
}

} // namespace warpfold::inline v0::detail
