#pragma once
// Scans on a host: the kernels' tree and bits, with SIMD lanes for lanes.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/detail/scan/scan.hpp>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpfold::inline v0::detail {

/// The first `live` members become their prefixes by doubling.
template <class A, class Op>
void scan_members_host(A* members, int live, Op op) {
  for (int distance = 1; distance < live; distance *= 2)
    for (int i = live - 1; i >= distance; --i) members[i] = op(members[i - distance], members[i]);
}

/// Parts of a host_scan, as a header's user has them; the library has clones of them for every
/// generation of processors.
struct scan_parts {
  template <class Scan>
  static void add_up(Scan& scan, std::int64_t group) {
    scan.add_up_units(group);
  }
  template <class Scan>
  static void finish(Scan const& scan, std::int64_t group) {
    scan.scan_group(group);
  }
};

/// A scan of `size` elements from `first` on.
template <class Iterator, class A, class Op, class Transform>
struct host_scan {
  static constexpr int lanes = scan_lanes<A>, row = scan_row<A>, unit = scan_unit<A>;

  Iterator first;
  std::int64_t size;
  scan_start<A> start;
  Op op;
  Transform transform;
  typename Transform::result* results;

  /// Totals of complete units, or of complete groups of lower totals. (No vector: one of bool has
  /// no elements that two threads could write.)
  struct member_totals {
    std::int64_t size;
    std::unique_ptr<A[]> totals;
  };
  std::vector<member_totals> levels{};

  template <class Parts = scan_parts>
  void run(int threads) {
    std::int64_t const groups = (size + 32 * unit - 1) / (32 * unit);
    for (std::int64_t members = size / unit;; members /= 32) {
      levels.push_back({members, std::make_unique<A[]>(static_cast<std::size_t>(members))});
      if (members < 32) break;
    }
    // What is read twice stays in the caches for the second time.
    std::int64_t const at_once = std::int64_t{32} * threads;
    for (std::int64_t begin = 0; begin < groups; begin += at_once) {
      std::int64_t const count = std::min(at_once, groups - begin);
      parallel_for(threads, count, [&](std::int64_t i) { Parts::add_up(*this, begin + i); });
      for (std::int64_t group = begin; group < begin + count; ++group) add_up_groups(group);
      parallel_for(threads, count, [&](std::int64_t i) { Parts::finish(*this, begin + i); });
    }
  }

  /// A row, by the place in a lane and the lane.
  using row_values = A[lanes][32];
  /// A number for each lane of each row, so that rows are the lanes of vectors.
  using lane_values = A[32][scan_rows];

  [[nodiscard]] bool is_begin(std::int64_t i) const {
    if constexpr (has_segments<A>)
      return begins_of<1>(start.begins, static_cast<std::uint64_t>(i), 1) != 0;
    return false;
  }
  A read(std::int64_t i) const {
    A const x = transform(first[i]);
    if constexpr (has_segments<A>)
      if (is_begin(i))
        return {start.is_exclusive ? static_cast<kept_prefix_t<A>>(op.op(start.init.value, x.value))
                                   : x.value,
                1};
    return x;
  }
  void write(std::int64_t i, A const& y) const {
    results[i] = transform.finish(start.is_exclusive && is_begin(i) ? start.init : y);
  }

  /// Elements from `from` on, and in each lane the sums up to them.
  void load(std::int64_t from, row_values& x) const {
    for (int l = 0; l < 32; ++l)
      for (int v = 0; v < lanes; ++v) x[v][l] = read(from + l * lanes + v);
    for (int v = 1; v < lanes; ++v)
      for (int l = 0; l < 32; ++l) x[v][l] = op(x[v - 1][l], x[v][l]);
  }

  /// result = op(x, y), of which one may be the other.
  void combine(A const* x, A const* y, A* result) const {
    A both[scan_rows];
    for (int r = 0; r < scan_rows; ++r) both[r] = op(x[r], y[r]);
    std::copy_n(both, scan_rows, result);
  }

  void add_up_units(std::int64_t group) {
    std::int64_t const complete = levels[0].size;
    for (std::int64_t u = 32 * group; u < std::min(32 * group + 32, complete); ++u) {
      lane_values totals;
      for (int r = 0; r < scan_rows; ++r) {
        row_values x;
        load(u * unit + r * row, x);
        for (int l = 0; l < 32; ++l) totals[l][r] = x[lanes - 1][l];
      }
      for (int live = 16; live > 0; live /= 2) // in pairs of neighbours, as by doubling
        for (int l = 0; l < live; ++l) combine(totals[2 * l], totals[2 * l + 1], totals[l]);
      levels[0].totals[u] = detail::fold_pairs(totals[0], scan_rows, op);
    }
  }
  /// Adds up the group, and the groups above that it is the last member of.
  void add_up_groups(std::int64_t group) {
    for (std::size_t level = 1; level < levels.size(); ++level, group /= 32) {
      if (group >= levels[level].size) return;
      A members[32];
      std::copy_n(levels[level - 1].totals.get() + 32 * group, 32, members);
      levels[level].totals[group] = detail::fold_pairs(members, 32, op);
      if (group % 32 != 31) return;
    }
  }

  void scan_group(std::int64_t group) const {
    // What precedes a unit: its group's units, its group's neighbours, and so on.
    A units[32] = {};
    auto const complete =
        static_cast<int>(std::clamp<std::int64_t>(levels[0].size - 32 * group, 0, 32));
    std::copy_n(levels[0].totals.get() + 32 * group, complete, units);
    scan_members_host(units, complete, op);
    for (int u = 0; u < 32; ++u) {
      std::int64_t const begin = (32 * group + u) * unit;
      if (begin >= size) break;
      bool has_before = u > 0;
      A before = has_before ? units[u - 1] : A{};
      std::int64_t member = group;
      for (std::size_t level = 1; level < levels.size(); ++level, member /= 32) {
        auto const place = static_cast<int>(member % 32);
        if (place == 0) continue;
        A members[32];
        std::copy_n(levels[level].totals.get() + (member - place), place, members);
        scan_members_host(members, place, op);
        before = has_before ? op(members[place - 1], before) : members[place - 1];
        has_before = true;
      }
      if (begin + unit <= size) scan_unit_of(begin, has_before, before);
      else scan_end(begin, has_before, before);
    }
  }

  /// What precedes a row, with `init`, from what precedes its unit and the prefixes of its rows.
  /// Returns false if that is nothing.
  bool precede(int r, A const* rows, bool has_units, A const& units, A& before) const {
    bool const has_before = has_units || r > 0;
    if (r == 0) before = units;
    else before = has_units ? op(units, rows[r - 1]) : rows[r - 1];
    if (start.is_exclusive) before = has_before ? op(start.init, before) : start.init;
    return has_before || start.is_exclusive;
  }

  void scan_unit_of(std::int64_t begin, bool has_units, A const& units) const {
    row_values x[scan_rows];
    lane_values totals;
    for (int r = 0; r < scan_rows; ++r) {
      load(begin + r * row, x[r]);
      for (int l = 0; l < 32; ++l) totals[l][r] = x[r][lanes - 1][l];
    }
    for (int distance = 1; distance < 32; distance *= 2)
      for (int l = 31; l >= distance; --l) combine(totals[l - distance], totals[l], totals[l]);

    A rows[scan_rows], before[scan_rows] = {};
    std::copy_n(totals[31], scan_rows, rows);
    scan_members_host(rows, scan_rows, op);
    bool is_first_alone = false; // nothing precedes the first row
    for (int r = 0; r < scan_rows; ++r)
      if (!precede(r, rows, has_units, units, before[r])) is_first_alone = true;
    A lanes_before[scan_rows][32];
    for (int r = 0; r < scan_rows; ++r) {
      lanes_before[r][0] = before[r]; // not used, but no other operands than those of the tree
      for (int l = 1; l < 32; ++l) lanes_before[r][l] = totals[l - 1][r];
    }
    for (int r = 0; r < scan_rows; ++r) {
      if (r == 0 && is_first_alone) {
        scan_row_of(begin, row, false, before[0]);
        continue;
      }
      for (int v = 0; v < lanes; ++v) {
        for (int l = 0; l < 32; ++l) {
          A const y = op(lanes_before[r][l], x[r][v][l]); // lane 0 has none before it
          x[r][v][l] = l > 0 ? y : x[r][v][l];
        }
        for (int l = 0; l < 32; ++l) x[r][v][l] = op(before[r], x[r][v][l]);
      }
      store(x[r], before[r], begin + r * row);
    }
  }
  /// An exclusive scan's results go one place up, and `before` to the first one.
  void store(row_values const& y, A const& before, std::int64_t to) const {
    if (!start.is_exclusive) {
      for (int l = 0; l < 32; ++l)
        for (int v = 0; v < lanes; ++v) write(to + l * lanes + v, y[v][l]);
      return;
    }
    write(to, before);
    for (int l = 0; l < 31; ++l)
      for (int v = 0; v < lanes; ++v) write(to + l * lanes + v + 1, y[v][l]);
    for (int v = 0; v < lanes - 1; ++v) write(to + 31 * lanes + v + 1, y[v][31]);
  }

  /// The last unit, which is not complete.
  void scan_end(std::int64_t begin, bool has_units, A const& units) const {
    A totals[scan_rows];
    for (int r = 0; begin + r * row < size; ++r) {
      A before{};
      A rows[scan_rows];
      std::copy_n(totals, r, rows);
      scan_members_host(rows, r, op);
      bool const has_before = precede(r, rows, has_units, units, before);
      auto const live = static_cast<int>(std::min<std::int64_t>(size - (begin + r * row), row));
      totals[r] = scan_row_of(begin + r * row, live, has_before, before);
    }
  }
  /// A row of `live` elements; returns the total, if it is complete.
  A scan_row_of(std::int64_t from, int live, bool has_before, A const& before) const {
    A totals[32] = {}; // of complete lanes
    int const complete = live / lanes;
    for (int l = 0; l < complete; ++l) {
      totals[l] = read(from + l * lanes);
      for (int v = 1; v < lanes; ++v) totals[l] = op(totals[l], read(from + l * lanes + v));
    }
    scan_members_host(totals, complete, op);
    A own{}, previous{};
    for (int i = 0; i < live; ++i) {
      A const x = read(from + i); // before it may be written to
      own = i % lanes == 0 ? x : op(own, x);
      A const y = i < lanes ? own : op(totals[i / lanes - 1], own);
      if (!start.is_exclusive) write(from + i, has_before ? op(before, y) : y);
      else write(from + i, i > 0 ? op(before, previous) : before);
      previous = y;
    }
    return totals[31];
  }
};

template <class Iterator, class A, class Op, class Transform>
void scan_array(host const& place, Iterator first, std::size_t size, scan_start<A> start, Op op,
                Transform transform, typename Transform::result* results, bool) {
  if (size == 0) return;
  host_scan<Iterator, A, Op, Transform>{
      first, static_cast<std::int64_t>(size), start, op, transform, results}
      .run(place.threads());
}

} // namespace warpfold::inline v0::detail
