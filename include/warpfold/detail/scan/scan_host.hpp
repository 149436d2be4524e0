#pragma once
// Scans on a host: the kernels' tree and bits, with SIMD lanes for lanes.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/detail/scan/scan.hpp>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpfold::inline v0::detail {

/// Members become their prefixes by doubling. Returns where they are then: in one of both arrays.
template <int Members, class A, class Op>
A* scan_members_host(A* from, A* to, Op op) {
  for (int distance = 1; distance < Members; distance *= 2) {
    for (int i = 0; i < distance; ++i) to[i] = from[i];
    for (int i = distance; i < Members; ++i) to[i] = op(from[i - distance], from[i]);
    std::swap(from, to);
  }
  return from;
}
/// As above, of the first `live` members.
template <class A, class Op>
void scan_members_host(A* members, int live, Op op) {
  for (int distance = 1; distance < live; distance *= 2)
    for (int i = live - 1; i >= distance; --i) members[i] = op(members[i - distance], members[i]);
}

/// A scan of `size` elements from `first` on.
template <class Iterator, class A, class Op, class Transform>
struct host_scan {
  static constexpr int lanes = scan_lanes<A>, row = scan_row<A>, unit = scan_unit<A>;

  Iterator first;
  std::int64_t size;
  scan_start<A> start;
  Op op;
  Transform transform;
  A* results;
  std::vector<std::vector<A>> levels{}; ///< totals of complete units, of groups of them, ...

  void run(int threads) {
    std::int64_t const groups = (size + 32 * unit - 1) / (32 * unit);
    for (std::int64_t members = size / unit;; members /= 32) {
      levels.emplace_back(static_cast<std::size_t>(members));
      if (members < 32) break;
    }
    if (threads == 1) {
      for (std::int64_t group = 0; group < groups; ++group) {
        add_up(group);
        scan_group(group);
      }
      return;
    }
    parallel_for(threads, groups, [&](std::int64_t group) { add_up_units(group); });
    for (std::int64_t group = 0; group < groups; ++group) add_up_groups(group);
    parallel_for(threads, groups, [&](std::int64_t group) { scan_group(group); });
  }

private:
  /// Prefixes of the elements of each lane, by their place in the lane.
  using row_prefixes = A[lanes][32];

  void add_up(std::int64_t group) {
    add_up_units(group);
    add_up_groups(group);
  }
  void add_up_units(std::int64_t group) {
    auto const complete = std::ssize(levels[0]);
    for (std::int64_t u = 32 * group; u < std::min(32 * group + 32, complete); ++u) {
      A totals[scan_rows];
      for (int r = 0; r < scan_rows; ++r) {
        row_prefixes x;
        load(first + (u * unit + r * row), x);
        totals[r] = fold_pairs(x[lanes - 1], 32, op);
      }
      levels[0][static_cast<std::size_t>(u)] = fold_pairs(totals, scan_rows, op);
    }
  }
  /// Of the group, and of those that it is the last one of.
  void add_up_groups(std::int64_t group) {
    for (std::size_t level = 1; level < levels.size(); ++level, group /= 32) {
      if (group >= std::ssize(levels[level])) return;
      std::array<A, 32> members;
      std::copy_n(levels[level - 1].begin() + 32 * group, 32, members.begin());
      levels[level][static_cast<std::size_t>(group)] = fold_pairs(members.data(), 32, op);
      if (group % 32 != 31) return;
    }
  }

  void load(Iterator from, row_prefixes& x) const {
    for (int l = 0; l < 32; ++l)
      for (int v = 0; v < lanes; ++v) x[v][l] = transform(from[l * lanes + v]);
    for (int v = 1; v < lanes; ++v)
      for (int l = 0; l < 32; ++l) x[v][l] = op(x[v - 1][l], x[v][l]);
  }

  void scan_group(std::int64_t group) const {
    // What precedes a unit: its group's units, its group's neighbours, and so on.
    std::array<A, 32> units{};
    auto const complete = static_cast<int>(
        std::clamp<std::int64_t>(std::ssize(levels[0]) - 32 * group, 0, 32));
    std::copy_n(levels[0].begin() + 32 * group, complete, units.begin());
    scan_members_host(units.data(), complete, op);
    for (int u = 0; u < 32; ++u) {
      std::int64_t const begin = (32 * group + u) * unit;
      if (begin >= size) break;
      bool has_before = u > 0;
      A before = has_before ? units[static_cast<std::size_t>(u - 1)] : A{};
      std::int64_t member = group;
      for (std::size_t level = 1; level < levels.size(); ++level, member /= 32) {
        auto const place = static_cast<int>(member % 32);
        if (place == 0) continue;
        std::array<A, 32> members;
        std::copy_n(levels[level].begin() + (member - place), place, members.begin());
        scan_members_host(members.data(), place, op);
        A const preceding = members[static_cast<std::size_t>(place - 1)];
        before = has_before ? op(preceding, before) : preceding;
        has_before = true;
      }
      if (start.is_exclusive) before = has_before ? op(start.init, before) : start.init;
      scan_unit_of(begin, has_before || start.is_exclusive, before);
    }
  }

  void scan_unit_of(std::int64_t begin, bool has_before, A before) const {
    A rows[scan_rows]; // their totals, then prefixes
    int live = 0;
    for (int r = 0; r < scan_rows; ++r) {
      std::int64_t const from = begin + r * row;
      if (from >= size) break;
      A rows_before{};
      if (r > 0) {
        // Prefixes of earlier rows do not depend on later ones.
        A prefixes[scan_rows];
        std::copy_n(rows, live, prefixes);
        scan_members_host(prefixes, live, op);
        rows_before = prefixes[r - 1];
      }
      if (from + row <= size) rows[live++] = scan_row_of(from, r > 0, rows_before, has_before, before);
      else scan_end(from, static_cast<int>(size - from), r > 0, rows_before, has_before, before);
    }
  }

  /// A whole row; returns its total.
  A scan_row_of(std::int64_t from, bool has_rows, A rows_before, bool has_before, A before) const {
    row_prefixes x;
    load(first + from, x);
    A one[32], other[32];
    std::copy_n(x[lanes - 1], 32, one);
    A const* const prefixes = scan_members_host<32>(one, other, op);
    A const total = prefixes[31];
    A q[32]; // what precedes a lane in its unit
    q[0] = rows_before;
    for (int l = 1; l < 32; ++l) q[l] = has_rows ? op(rows_before, prefixes[l - 1]) : prefixes[l - 1];
    A* const to = results + from;
    auto const put = [&](auto with_units, auto with_first) {
      // Lane 0 of the first row has nothing before it in the unit.
      for (int v = 0; v < lanes; ++v) {
        A y[32];
        int const w = start.is_exclusive ? v - 1 : v;
        if (w < 0) std::copy_n(q, 32, y);
        else
          for (int l = 0; l < 32; ++l) y[l] = op(q[l], x[w][l]);
        if constexpr (!decltype(with_first)::value)
          if (w >= 0) y[0] = x[w][0];
        if constexpr (decltype(with_units)::value)
          for (int l = 0; l < 32; ++l) y[l] = op(before, y[l]);
        if constexpr (!decltype(with_first)::value)
          if (w < 0) y[0] = before;
        for (int l = 0; l < 32; ++l) to[l * lanes + v] = y[l];
      }
    };
    if (has_before) {
      if (has_rows) put(std::true_type{}, std::true_type{});
      else put(std::true_type{}, std::false_type{});
    } else {
      if (has_rows) put(std::false_type{}, std::true_type{});
      else put(std::false_type{}, std::false_type{});
    }
    return total;
  }

  /// The last row, of `live` elements.
  void scan_end(std::int64_t from, int live, bool has_rows, A rows_before, bool has_before,
                A before) const {
    A totals[32]; // of complete lanes
    int const complete = live / lanes;
    Iterator const elements = first + from;
    for (int l = 0; l < complete; ++l) {
      totals[l] = transform(elements[l * lanes]);
      for (int v = 1; v < lanes; ++v) totals[l] = op(totals[l], transform(elements[l * lanes + v]));
    }
    scan_members_host(totals, complete, op);
    A sum{};
    for (int i = 0; i < live; ++i) {
      int const l = i / lanes;
      A const x = transform(elements[i]); // before it may be written to
      A const earlier = sum;
      bool const begins = i % lanes == 0;
      sum = begins ? x : op(sum, x);
      bool has_q = has_rows || l > 0;
      A q = l == 0 ? rows_before : has_rows ? op(rows_before, totals[l - 1]) : totals[l - 1];
      if (!(start.is_exclusive && begins)) {
        A const within = start.is_exclusive ? earlier : sum;
        q = has_q ? op(q, within) : within;
        has_q = true;
      }
      results[from + i] = !has_q ? before : has_before ? op(before, q) : q;
    }
  }
};

template <class Iterator, class A, class Op, class Transform>
void scan_array(host const& place, Iterator first, std::size_t size, scan_start<A> start, Op op,
                Transform transform, A* results, bool) {
  if (size == 0) return;
  host_scan<Iterator, A, Op, Transform>{first,     static_cast<std::int64_t>(size),
                                        start,     op,
                                        transform, results}
      .run(place.threads());
}

} // namespace warpfold::inline v0::detail
