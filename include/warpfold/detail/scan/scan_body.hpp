#pragma once
// A scan in one pass over the data, over a block that has a tile of neighbouring units. Its tree is
// that of scan_tree.hpp, whatever the grid and whoever comes first.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/scan/scan_look_back.hpp>
#include <warpfold/detail/scan/scan_row.hpp>

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
      has_packs && sizeof(element) == sizeof(kept_prefix_t<A>) && scan_lane_bytes<A> == 16;
  Iterator values;
  counted_size size; ///< tiles behind the count do nothing
  result* results;   ///< may be `values`
  Op op;
  Transform transform;
  A init;                      ///< of an exclusive scan
  bool is_exclusive;           ///< result i is without element i, and begins with init
  std::uint32_t const* begins; ///< of segments, as scan_start says
  bool are_aligned; ///< values and results, so that a lane's are read and written at once
};

/// Reads a lane's elements of neighbouring units; `live` are left in the tile from the first on, or
/// all are there.
template <bool All, class A, class Job, class V, int Units, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_units(Job const& job, std::uint64_t first,
                                                            int live, V (&x)[Units][Lanes]) {
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
          x[u][v] = kept_prefix<A>::value(job.transform(packs[u].element[v]));
      }
      return;
    }
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u) {
    WARPFOLD_UNROLL
    for (int v = 0; v < Lanes; ++v)
      if (All || u * unit + v < live)
        x[u][v] = kept_prefix<A>::value(job.transform(values[u * unit + v]));
  }
}

template <bool All, class A, class Job, class V, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
store_unit(Job const& job, std::uint64_t first, int live, scan_pack<V, Lanes> const& y) {
  using result = typename Job::result;
  result* const results = job.results + first;
  auto const finished = [&](int v) {
    return job.transform.finish(kept_prefix<A>::join(y.element[v], false));
  };
  if constexpr (All && Job::has_packs)
    if (job.are_aligned) {
      scan_pack<result, Lanes> pack;
      WARPFOLD_UNROLL
      for (int v = 0; v < Lanes; ++v) pack.element[v] = finished(v);
      return write_pack(reinterpret_cast<scan_pack<result, Lanes>*>(results), pack);
    }
  WARPFOLD_UNROLL
  for (int v = 0; v < Lanes; ++v)
    if (All || v < live) results[v] = finished(v);
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

/// Reads a lane's elements of neighbouring units, which the thread has staged.
template <class Job, class A, class V, int Units, int Count, int Lanes>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void read_stage(Job const& job, int first, int rank,
                                                            scan_shared<A, Units>& shared,
                                                            V (&x)[Count][Lanes]) {
  WARPFOLD_UNROLL
  for (int u = 0; u < Count; ++u) {
    WARPFOLD_UNROLL
    for (int v = 0; v < Lanes; ++v) {
      typename Job::element value;
      std::memcpy(&value, &shared.prefix(first + u, rank, v), sizeof value);
      x[u][v] = kept_prefix<A>::value(job.transform(value));
    }
  }
}

/// A thread's part of a tile, before it is known what precedes it.
template <bool All, int Units, thread_block Block, class Job, class A>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
scan_rows_of(Block const& block, Job const& job, scan_extent<Units, A> const& extent,
             thread_begins<A>& begins, scan_shared<A, Units>& shared) {
  constexpr bool can_stage = All && is_staged<Job, Units>;
  // With more elements in registers there would be fewer blocks.
  constexpr bool has_few = is_staged<Job, Units> || sizeof(A) > 4 || 16 < scan_lane_bytes<A>;
  constexpr int lanes = scan_lanes<A>, most = has_few ? 2 : 4,
                chunk = Units < most ? Units : most; // in registers at once
  int const rank = block.thread_rank(), row = rank / 32;
  bool is_staged_now = false;
  if constexpr (can_stage) {
    is_staged_now = job.are_aligned;
    if (is_staged_now) {
      std::uint64_t const policy = block.cache_policy(true);
      WARPFOLD_UNROLL
      for (int u = 0; u < Units; ++u)
        block.copy_async(&shared.prefix(u, rank, 0),
                         job.values + static_cast<std::ptrdiff_t>(extent.at(u, rank)), policy);
    }
  }
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u)
    begins.read(job.begins, extent.at(u, rank), All ? lanes : extent.left(u, rank), u * lanes);
  if constexpr (can_stage)
    if (is_staged_now) block.wait_for_copies();
  WARPFOLD_UNROLL_BY(1)
  for (int first = 0; first < Units; first += chunk) {
    kept_prefix_t<A> x[chunk][lanes];
    if constexpr (can_stage)
      if (is_staged_now) read_stage(job, first, rank, shared, x);
    if (!is_staged_now)
      load_units<All, A>(job, extent.at(first, rank), extent.left(first, rank), x);
    if constexpr (has_segments<A>)
      if (job.is_exclusive) {
        WARPFOLD_UNROLL
        for (int i = 0; i < chunk * lanes; ++i) {
          auto& value = x[i / lanes][i % lanes];
          if ((begins.here >> (first * lanes + i) & 1) != 0)
            value = static_cast<kept_prefix_t<A>>(
                value_operator(job.op)(kept_prefix<A>::value(job.init), value));
        }
      }
    WARPFOLD_UNROLL
    for (int u = 0; u < chunk; ++u) {
      int const complete = extent.left(first + u, row * 32) / lanes;
      A const total = scan_row_of<All>(block, x[u], extent.left(first + u, rank), complete, begins,
                                       (first + u) * lanes, value_operator(job.op));
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
              A const (&rows)[Parts], thread_begins<A> const& begins,
              scan_shared<A, Units>& shared) {
  using kept = kept_prefix<A>;
  using value_type = kept_prefix_t<A>;
  constexpr int lanes = scan_lanes<A>;
  int const rank = block.thread_rank(), row = rank / 32;
  auto const& op = value_operator(job.op);
  unsigned begun[Parts] = {}; // rows up to which a segment begins
  if constexpr (has_segments<A>) {
    WARPFOLD_UNROLL
    for (int i = 0; i < Parts; ++i) begun[i] = block.ballot(every_lane, kept::flag(rows[i]));
  }
  WARPFOLD_UNROLL
  for (int u = 0; u < Units; ++u) {
    int const last_row = u % 4 * scan_rows + (row > 0 ? row - 1 : 0);
    auto before = block.shuffle(kept::value(rows[u / 4]), last_row);
    bool has_before = row > 0, is_begun = has_before && (begun[u / 4] >> last_row & 1) != 0;
    int const live = extent.left(u, rank);
    bool const is_there = All || live > 0;
    if (is_there && (extent.tile > 0 || u > 0)) {
      A const preceding = shared.before(u);
      if (!has_before) before = kept::value(preceding);
      else if (!is_begun) before = static_cast<value_type>(op(kept::value(preceding), before));
      is_begun = is_begun || kept::flag(preceding);
      has_before = true;
    }
    scan_pack<value_type, lanes> y;
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) y.element[v] = shared.prefix(u, rank, v);
    unsigned from = begins.noted(u * lanes); // elements that nothing before the row is part of
    bool is_first = false;                   // of a row of an exclusive scan
    if (job.is_exclusive) {
      auto const& init = kept::value(job.init);
      if (!has_before || !is_there) before = init;
      else if (!is_begun) before = static_cast<value_type>(op(init, before));
      has_before = true;
      auto const previous = block.shuffle_up(y.element[lanes - 1], 1);
      if constexpr (has_segments<A>)
        from = from << 1 | (block.shuffle_up(from, 1) >> (lanes - 1) & 1);
      WARPFOLD_UNROLL
      for (int v = lanes - 1; v > 0; --v) y.element[v] = y.element[v - 1];
      y.element[0] = previous;
      is_first = block.lane() == 0;
    }
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) {
      if (!All && v >= live) continue;
      if (v == 0 && is_first) y.element[v] = before;
      else if (has_before && (from >> v & 1) == 0)
        y.element[v] = static_cast<value_type>(op(before, y.element[v]));
    }
    if constexpr (has_segments<A>)
      if (job.is_exclusive) {
        WARPFOLD_UNROLL
        for (int v = 0; v < lanes; ++v)
          if ((begins.here >> (u * lanes + v) & 1) != 0) y.element[v] = kept::value(job.init);
      }
    store_unit<All, A>(job, extent.at(u, rank), live, y);
  }
}

/// Scans a tile of `Units` units, of which the last block's may have fewer, or less than that.
template <int Units, thread_block Block, class Job, class A>
WARPFOLD_HOST_DEVICE void scan_tile(Block const& block, Job const& job, scan_levels const& levels,
                                    scan_scratch const& scratch, scan_shared<A, Units>& shared) {
  static_assert(Units <= thread_begins<A>::most_units);
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
  std::uint32_t tag = 0;        // of the kernel
  thread_begins<A> begins;
  if (looks_back) {
    tag = scan_word<A>::tag_of(block.load_relaxed(scratch.memory.epoch));
  } else {
    if (extent.is_whole()) scan_rows_of<true>(block, job, extent, begins, shared);
    else scan_rows_of<false>(block, job, extent, begins, shared);
  }
  block.sync();

  constexpr int parts = (Units * scan_rows + 31) / 32;
  A rows[parts] = {};
  if (looks_back) {
    if constexpr (is_staged<Job, Units>) {
      constexpr unsigned whole = Units * scan_unit<A>;
      std::uint64_t const later = extent.begin + std::uint64_t{scratch.ahead} * whole;
      if (scratch.ahead > 0 && block.lane() == 0 && later + whole <= size)
        block.prefetch(job.values + later, whole * sizeof(typename Job::element));
    }
    if (size > scan_unit<A>)
      look_back(block, tile * Units, extent.size / scan_unit<A>, levels, job.op, scratch.memory,
                tag, shared);
  } else {
    WARPFOLD_UNROLL
    for (int i = 0; i < parts; ++i)
      rows[i] =
          rows_prefix(block, shared, 32 * i + block.lane(), extent.size / scan_row<A>, job.op);
  }
  block.sync();
  if (looks_back) { // meanwhile the others write
    if (size <= scan_unit<A>) return;
    // All blocks that have elements know the tag by now. Added to, so that no thread keeps 64 bits.
    if (extent.begin + static_cast<unsigned>(extent.size) == size && block.lane() == 0)
      block.fetch_add(scratch.memory.epoch, std::uint64_t{1});
    if (tile == 0) clear_words<A>(block, levels, size / scan_unit<A>, scratch.memory, tag);
    return;
  }
  if (extent.is_whole()) store_results<true>(block, job, extent, rows, begins, shared);
  else store_results<false>(block, job, extent, rows, begins, shared);
}

} // namespace warpfold::inline v0::detail
