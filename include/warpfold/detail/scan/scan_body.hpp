#pragma once
// A scan in one pass over the data, over a block that has a tile of neighbouring units. Its tree is
// that of scan_tree.hpp, whatever the grid and whoever comes first.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/scan/scan_look_back.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// What to scan, and where to.
template <class A, class Iterator, class Op, class Transform>
struct scan_job {
  using element = iterator_element<Iterator>;
  using result = typename Transform::result;
  /// True if a lane's elements can be read at once, and its results be written so.
  static constexpr bool has_packs = std::is_pointer_v<Iterator> && std::is_arithmetic_v<result> &&
                                    sizeof(element) * scan_lanes<A> <= 16 &&
                                    std::has_single_bit(sizeof(element) * scan_lanes<A>);
  /// True if elements can be copied to where their prefixes will be, without registers.
  static constexpr bool has_stage =
      has_packs && sizeof(element) == sizeof(A) && scan_lane_bytes<A> == 16;
  Iterator values;
  counted_size size; ///< tiles behind the count do nothing
  result* results;   ///< may be `values`
  Op op;
  Transform transform;
  A init;            ///< of an exclusive scan
  bool is_exclusive; ///< result i is without element i, and begins with init
  bool are_aligned;  ///< values and results, so that a lane's are read and written at once
};

/// The number of a lane's element. The compiler must see that marks of a lane are in one word.
template <int Lanes>
WARPFOLD_HOST_DEVICE constexpr std::uint64_t lane_element(std::uint64_t first, int v) {
  auto const place = static_cast<unsigned>(v);
  return (Lanes & (Lanes - 1)) == 0 ? first | place : first + place;
}

/// Reads a lane's elements of neighbouring units as accumulators; `live` are left in the tile from
/// the first on, or all are there.
template <bool All, class Job, class A, int Units, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_units(Job const& job, std::uint64_t first,
                                                            int live, A (&x)[Units][Lanes]) {
  using T = typename Job::element;
  decltype(job.values) const values = job.values + static_cast<std::ptrdiff_t>(first);
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
        for (int v = 0; v < Lanes; ++v)
          x[u][v] = job.transform(packs[u].element[v], lane_element<Lanes>(first + u * unit, v));
      }
      return;
    }
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u) {
    WARPFOLD_UNROLL
    for (int v = 0; v < Lanes; ++v)
      if (All || u * unit + v < live)
        x[u][v] = job.transform(values[u * unit + v], lane_element<Lanes>(first + u * unit, v));
  }
}

template <bool All, class Job, class A, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
store_unit(Job const& job, std::uint64_t first, int live, scan_pack<A, Lanes> const& y) {
  using result = typename Job::result;
  result* const results = job.results + first;
  if constexpr (All && Job::has_packs)
    if (job.are_aligned) {
      scan_pack<result, Lanes> pack;
      WARPFOLD_UNROLL
      for (int v = 0; v < Lanes; ++v)
        pack.element[v] = job.transform.finish(y.element[v], lane_element<Lanes>(first, v));
      return write_pack(reinterpret_cast<scan_pack<result, Lanes>*>(results), pack);
    }
  WARPFOLD_UNROLL
  for (int v = 0; v < Lanes; ++v)
    if (All || v < live)
      results[v] = job.transform.finish(y.element[v], lane_element<Lanes>(first, v));
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

/// What a tile's threads know of it.
template <int Units, class A>
struct scan_extent {
  unsigned tile;
  std::uint64_t begin; ///< its first element
  int size;            ///< its number of elements

  WARPFOLD_HOST_DEVICE scan_extent(unsigned number, std::uint64_t all) : tile{number} {
    constexpr int whole = Units * scan_unit<A>;
    begin = std::uint64_t{tile} * whole;
    size = all <= begin ? 0 : all - begin < whole ? static_cast<int>(all - begin) : whole;
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

/// Tiles of so many units are staged: all elements are on their way at once.
inline constexpr int staged_units = 8;
template <class Job, int Units>
inline constexpr bool is_staged = Units == staged_units ? Job::has_stage : false;

/// Reads a lane's elements of neighbouring units, which the thread has staged, as accumulators.
template <class Job, class A, int Units, int Count, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
read_stage(Job const& job, std::uint64_t begin, int first, int rank, scan_shared<A, Units>& shared,
           A (&x)[Count][Lanes]) {
  WARPFOLD_UNROLL
  for (int u = 0; u < Count; ++u) {
    WARPFOLD_UNROLL
    for (int v = 0; v < Lanes; ++v) {
      typename Job::element value;
      std::memcpy(&value, &shared.prefix(first + u, rank, v), sizeof value);
      x[u][v] = job.transform(value, lane_element<Lanes>(begin + u * scan_unit<A>, v));
    }
  }
}

/// A thread's part of a tile, before it is known what precedes it.
template <bool All, int Units, thread_block Block, class Job, class A>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void scan_rows_of(Block const& block, Job const& job,
                                                              scan_extent<Units, A> const& extent,
                                                              scan_shared<A, Units>& shared) {
  constexpr bool can_stage = All && is_staged<Job, Units>;
  // With more elements in registers there would be fewer blocks.
  constexpr bool has_few = is_staged<Job, Units> || sizeof(A) > 4 || 16 < scan_lane_bytes<A>;
  constexpr int lanes = scan_lanes<A>, most = has_few ? 2 : 4,
                chunk = Units < most ? Units : most; // in registers at once
  int const rank = block.thread_rank(), row = rank / 32;
  if constexpr (can_stage)
    if (job.are_aligned) {
      WARPFOLD_UNROLL
      for (int u = 0; u < Units; ++u)
        block.copy_async(&shared.prefix(u, rank, 0),
                         job.values + static_cast<std::ptrdiff_t>(extent.at(u, rank)));
      block.wait_for_copies();
    }
  WARPFOLD_UNROLL_BY(1)
  for (int first = 0; first < Units; first += chunk) {
    A x[chunk][lanes];
    bool is_read = false;
    if constexpr (can_stage) {
      is_read = job.are_aligned;
      if (is_read) read_stage(job, extent.at(first, rank), first, rank, shared, x);
    }
    if (!is_read) load_units<All>(job, extent.at(first, rank), extent.left(first, rank), x);
    WARPFOLD_UNROLL
    for (int u = 0; u < chunk; ++u) {
      int const complete = extent.left(first + u, row * 32) / lanes;
      A const total = scan_row_of<All>(block, x[u], extent.left(first + u, rank), complete, job.op);
      if (block.lane() == 31) shared.row_total((first + u) * scan_rows + row) = total;
      WARPFOLD_UNROLL
      for (int v = 0; v < lanes; ++v) shared.prefix(first + u, rank, v) = x[u][v];
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
    scan_pack<A, lanes> y;
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) y.element[v] = shared.prefix(u, rank, v);
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
    if (rank == 0) {
      shared.tile = static_cast<unsigned>(block.fetch_add(scratch.ticket, std::uint64_t{1}));
      if (shared.tile + 1 == static_cast<unsigned>(block.grid_size())) // all are taken
        block.store_relaxed(scratch.ticket, 0);
    }
    block.sync();
    tile = shared.tile;
  }
  std::uint64_t const size = job.size.get();
  scan_extent<Units, A> const extent(tile, size);
  if (extent.size == 0) return; // behind the count
  std::uint64_t epoch = 0;
  if (looks_back) {
    epoch = block.load_relaxed(scratch.memory.epoch); // arrives while the others read the tile
  } else {
    if (extent.is_whole()) scan_rows_of<true>(block, job, extent, shared);
    else scan_rows_of<false>(block, job, extent, shared);
  }
  block.sync();

  constexpr int parts = (Units * scan_rows + 31) / 32;
  A rows[parts] = {};
  if (looks_back) {
    if (size > scan_unit<A>) {
      look_back(block, tile * Units, extent.size / scan_unit<A>, levels, job.op, scratch.memory,
                epoch, shared);
      if (extent.begin + static_cast<unsigned>(extent.size) == size)
        end_scan<A>(block, levels, size / scan_unit<A>, scratch.memory, epoch);
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
