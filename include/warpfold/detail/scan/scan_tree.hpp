#pragma once
// The tree of a scan. It does not depend on how many elements there are, so that the first m
// results of a scan have the bits of a scan of m.
//
//   lane   scan_lanes neighbouring elements, one after the other
//   row    32 lanes
//   unit   8 rows
//   group  32 units, 32 groups, 32 groups of groups, and so on
//
// What precedes a member in its row, unit or group is the prefix that a scan of the members by
// doubling has there: for the distances 1, 2, 4, ... member i becomes op(member i - distance,
// member i) (W. D. Hillis and G. L. Steele, "Data Parallel Algorithms", 1986; P. M. Kogge and
// H. S. Stone, 1973). The last prefix is the total of a row, unit or group. With p_0, p_1, ... for
// what precedes a unit in its group, a group among its neighbours, and so on, and q for what
// precedes a lane in its unit,
//
//   q       = op(rows before, lanes before)
//   result  = op(op(... op(p_2, op(p_1, p_0))), op(q, elements of the lane up to this one)).
//
// What is missing is left out: no operator needs a neutral element, and operands keep their order.

#include <warpfold/detail/core/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// Elements of a lane.
template <class A>
inline constexpr int scan_lanes = sizeof(A) >= 16 ? 1 : 16 / static_cast<int>(sizeof(A));
inline constexpr int scan_rows = 8; ///< of a unit
template <class A>
inline constexpr int scan_row = 32 * scan_lanes<A>; ///< elements of a row
template <class A>
inline constexpr int scan_unit = scan_rows * scan_row<A>; ///< elements of a unit

/// Up to so many elements a block takes one unit, so that many blocks have work.
template <class A>
inline constexpr std::size_t scan_few = std::size_t{256} * scan_unit<A>;

/// Words of a value, in which blocks exchange it.
template <class A>
inline constexpr int scan_words = (static_cast<int>(sizeof(A)) + 3) / 4;

/// Where the totals of units, groups, ... lie. The last unit's, which nobody asks for, is not
/// among them unless the unit is complete.
struct scan_levels {
  /// 2^63 elements have at most 2^55 units.
  static constexpr int most = 11;
  std::uint64_t begin[most];
  std::uint64_t end; ///< the number of all
  int count;

  constexpr scan_levels(std::uint64_t size, std::uint64_t unit) : begin{}, end{0}, count{0} {
    for (std::uint64_t members = size / unit; count < most; members /= 32) {
      begin[count++] = end;
      end += members;
      if (members < 32) break;
    }
  }
};

} // namespace warpfold::inline v0::detail
