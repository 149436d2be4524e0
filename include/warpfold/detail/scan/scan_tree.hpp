#pragma once
// The tree of a scan. It does not depend on how many elements there are, so that the first m
// results of a scan have the bits of a scan of m.
//
//   lane   scan_lanes neighbouring elements
//   row    32 lanes
//   unit   8 rows
//   group  32 units, 32 groups, 32 groups of groups, and so on
//
// What precedes a member in its row, unit or group is the prefix that a scan of the members by
// doubling has there: for the distances 1, 2, 4, ... member i becomes op(member i - distance,
// member i) (W. D. Hillis and G. L. Steele, "Data Parallel Algorithms", 1986; P. M. Kogge and
// H. S. Stone, 1973). The last prefix is the total of a row, unit or group. With p_0, p_1, ... for
// what precedes a unit in its group, a group among its neighbours, and so on,
//
//   y       = op(lanes before in the row, elements of the lane up to this one, one after the other)
//   before  = op(op(... op(p_2, op(p_1, p_0))), rows before in the unit)
//   result  = op(before, y), in an exclusive scan op(op(init, before), y of the element before), or
//             op(init, before) for the first element of a row.
//
// What is missing is left out: no operator needs a neutral element, and operands keep their order.

#include <warpfold/detail/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Bytes of a result: an accumulator that has more does not change the tree.
template <class A>
inline constexpr std::size_t scan_bytes = sizeof(A);
/// Elements of a lane.
template <class A>
inline constexpr int scan_lanes = scan_bytes<A> >= 16 ? 1 : 16 / static_cast<int>(scan_bytes<A>);
/// An accumulator as blocks keep it and say it: a value, and where there are segments a flag, which
/// goes where there is a bit left.
template <class A>
struct kept_prefix {
  using type = A;
  WARPFOLD_HOST_DEVICE static A const& value(A const& x) { return x; }
  WARPFOLD_HOST_DEVICE static bool flag(A const&) { return false; }
  WARPFOLD_HOST_DEVICE static A const& join(A const& value, bool) { return value; }
};
template <class A>
using kept_prefix_t = typename kept_prefix<A>::type;
template <class A>
inline constexpr bool has_segments = !std::is_same_v<A, kept_prefix_t<A>>;
template <class A>
inline constexpr int scan_lane_bytes = scan_lanes<A>* static_cast<int>(sizeof(kept_prefix_t<A>));
inline constexpr int scan_rows = 8; ///< of a unit
template <class A>
inline constexpr int scan_row = 32 * scan_lanes<A>; ///< elements of a row
template <class A>
inline constexpr int scan_unit = scan_rows* scan_row<A>; ///< elements of a unit

/// Words of a value, in which blocks exchange it.
template <class A>
inline constexpr int scan_words = (static_cast<int>(sizeof(kept_prefix_t<A>)) + 3) / 4;

/// More are not scanned on a gpu: a grid has not as many blocks.
inline constexpr std::uint64_t max_scan_units = (std::uint64_t{1} << 31) - 1;

/// Where the totals of units, groups, ... lie. The last unit's, which nobody asks for, is not
/// among them unless the unit is complete. Totals of groups lie there `Copies` times.
template <unsigned Copies>
struct tree_levels {
  static constexpr int most = 7; ///< of up to max_scan_units
  static constexpr unsigned copies = Copies;
  unsigned begin[most] = {};
  std::uint64_t end = 0; ///< the number of all
  int count = 0;

  constexpr tree_levels(std::uint64_t size, std::uint64_t unit) {
    for (std::uint64_t members = size / unit; count < most; members /= 32) {
      begin[count++] = static_cast<unsigned>(end);
      // Copies of 32 members, which one warp asks for, lie in lines of their own.
      if constexpr (Copies == 1) end += members;
      else end += (members + 31) / 32 * 32 * (count == 1 ? 1 : Copies);
      if (members < 32) break;
    }
  }

  /// The place of a member's total. That of a unit has one copy.
  WARPFOLD_HOST_DEVICE std::uint64_t at(int level, unsigned member, unsigned copy) const {
    if (level == 0) return member;
    return begin[level] + std::uint64_t{(member / 32 * Copies + copy) * 32 + member % 32};
  }
  /// The member whose total lies there, of a level that begins there or before.
  WARPFOLD_HOST_DEVICE std::uint64_t member_at(int level, std::uint64_t place) const {
    std::uint64_t const within = place - begin[level];
    return level == 0 ? within : within / (32 * Copies) * 32 + within % 32;
  }
};
/// Many blocks ask for a group's total at once, and each copy answers some of them. us of
/// 2^20 and 2^28 floats and doubles on an NVIDIA H200, 2026-11-29,
/// docs/validation/2026-11-29-scan-copies-h200.txt: with one copy 6.3, 603, 8.9 and 1230, with
/// four 6.2, 595, 8.7 and 1209, with eight 6.0, 594, 8.7 and 1209, with 32 5.9, 615, 8.7 and 1250.
using scan_levels = tree_levels<8>;

} // namespace warpfold::inline v0::detail
