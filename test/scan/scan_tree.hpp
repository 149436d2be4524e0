#pragma once
// A scan by what docs/scan.md says of its tree, written from that text alone: slow, and unlike the
// library's own.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace test {

/// The members' prefixes: for the distances 1, 2, 4, ... member i becomes op(member i - distance,
/// member i).
template <class A, class Op>
std::vector<A> prefixes_by_doubling(std::vector<A> members, Op op) {
  for (std::size_t distance = 1; distance < members.size(); distance *= 2) {
    std::vector<A> const before = members;
    for (std::size_t i = distance; i < members.size(); ++i)
      members[i] = op(before[i - distance], before[i]);
  }
  return members;
}

/// `Bytes`: of a result, if accumulators have more.
template <class A, class Op, std::size_t Bytes = sizeof(A)>
class scan_tree {
public:
  /// @param values of the accumulator's type, transformed
  scan_tree(std::vector<A> const& values, Op op) : values_(values), op_(op) {}

  std::vector<A> inclusive() const { return scan({}, false); }
  std::vector<A> exclusive(A init) const { return scan(init, true); }

private:
  using maybe = std::optional<A>;
  maybe join(maybe a, maybe b) const { return !a ? b : !b ? a : maybe(op_(*a, *b)); }
  static constexpr std::size_t lane_size = Bytes >= 16 ? 1 : 16 / Bytes;

  /// The values [begin, end) one after the other.
  maybe in_turn(std::size_t begin, std::size_t end) const {
    maybe sum;
    for (std::size_t i = begin; i < end && i < values_.size(); ++i) sum = join(sum, values_[i]);
    return sum;
  }
  /// Totals of parts of `size` values that are all there, of which each has `count` parts of its
  /// own.
  std::vector<A> totals_of(std::vector<A> const& parts, std::size_t count) const {
    std::vector<A> totals;
    for (std::size_t i = 0; i + count <= parts.size(); i += count) {
      auto const from = parts.begin() + static_cast<std::ptrdiff_t>(i);
      totals.push_back(
          prefixes_by_doubling(std::vector<A>(from, from + static_cast<std::ptrdiff_t>(count)), op_)
              .back());
    }
    return totals;
  }
  /// What precedes each part, and the end of all, among the `count` parts that it is one of.
  std::vector<maybe> before(std::vector<A> const& parts, std::size_t count) const {
    std::vector<maybe> all;
    for (std::size_t i = 0; i <= parts.size(); i += count) {
      auto const from = parts.begin() + static_cast<std::ptrdiff_t>(i);
      auto const size = static_cast<std::ptrdiff_t>(std::min(count, parts.size() - i));
      all.emplace_back();
      for (A const& x : prefixes_by_doubling(std::vector<A>(from, from + size), op_))
        all.push_back(x);
      if (all.size() > i + count) all.pop_back(); // what precedes those that follow is another's
    }
    return all;
  }

  std::vector<A> scan(maybe init, bool is_exclusive) const {
    std::vector<A> lanes;
    for (std::size_t i = 0; i + lane_size <= values_.size(); i += lane_size)
      lanes.push_back(*in_turn(i, i + lane_size));
    std::vector<A> const rows = totals_of(lanes, 32);
    std::vector<maybe> const before_lanes = before(lanes, 32), before_rows = before(rows, 8);
    std::vector<std::vector<maybe>> before_units;
    std::vector<A> units = totals_of(rows, 8);
    for (;; units = totals_of(units, 32)) {
      before_units.push_back(before(units, 32));
      if (units.size() < 32) break;
    }

    std::vector<A> results;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::size_t const row = i / lane_size / 32;
      maybe of_units;
      std::size_t member = row / 8;
      for (std::vector<maybe> const& level : before_units) {
        of_units = join(level[member], of_units);
        member /= 32;
      }
      maybe const preceding = join(init, join(of_units, before_rows[row]));
      std::size_t const end = is_exclusive ? i : i + 1; // of the elements that count in the row
      maybe y;
      if (end > row * 32 * lane_size) {
        std::size_t const last = (end - 1) / lane_size;
        y = join(before_lanes[last], in_turn(last * lane_size, end));
      }
      results.push_back(*join(preceding, y));
    }
    return results;
  }

  std::vector<A> const& values_;
  Op op_;
};

} // namespace test
