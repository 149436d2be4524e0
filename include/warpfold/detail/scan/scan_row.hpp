#pragma once
// A row of a scan, which a warp has in its lanes. Where there are segments, a thread keeps where
// they begin in bits, and the steps of the tree move values alone.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/scan/scan_look_back.hpp>
#include <warpfold/detail/scan/scan_terms.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// Where segments begin among a thread's elements of a tile, of which a lane's in a unit lie side
/// by side, from element `at` on. Scans of all elements have none.
template <class A>
struct thread_begins {
  static constexpr int most_units = 32;
  WARPFOLD_HOST_DEVICE void read(std::uint32_t const*, std::uint64_t, int, int) {}
  WARPFOLD_HOST_DEVICE unsigned of_lane(int) const { return 0; }
  WARPFOLD_HOST_DEVICE void note(int, unsigned) {}
  WARPFOLD_HOST_DEVICE unsigned noted(int) const { return 0; }
};
template <class A>
struct thread_begins<segment_part<A>> {
  static constexpr int lanes = scan_lanes<A>;
  static constexpr int most_units = std::bit_floor(32u / lanes);
  static constexpr unsigned all = ~(~1u << (lanes - 1));
  std::uint32_t here = 0;  ///< bit i: a segment begins at element i
  std::uint32_t notes = 0; ///< bit i: one begins among the elements of its row up to it

  /// Reads those of a lane, from element `first` of the array on; `live` elements exist.
  WARPFOLD_HOST_DEVICE void read(std::uint32_t const* begins, std::uint64_t first, int live,
                                 int at) {
    here |= begins_of<lanes>(begins, first, live) << at;
  }
  WARPFOLD_HOST_DEVICE unsigned of_lane(int at) const { return here >> at & all; }
  WARPFOLD_HOST_DEVICE void note(int at, unsigned bits) { notes |= (bits & all) << at; }
  WARPFOLD_HOST_DEVICE unsigned noted(int at) const { return notes >> at & all; }
};

/// A lane's elements, of which `live` exist or all, become what precedes them in their row and
/// segment, with themselves. Returns the total of the lanes up to this one, of which `complete`
/// have all theirs.
template <bool All, thread_block Block, class V, int Lanes, class A, class Op>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE A scan_row_of(Block const& block, V (&x)[Lanes],
                                                          int live, int complete,
                                                          thread_begins<A>& begins, int at,
                                                          Op const& op) {
  int const lane = block.lane();
  bool const is_live = All || lane < complete;
  unsigned const here = begins.of_lane(at);
  WARPFOLD_UNROLL
  for (int v = 1; v < Lanes; ++v)
    if ((All || v < live) && (here >> v & 1) == 0) x[v] = static_cast<V>(op(x[v - 1], x[v]));
  V total = x[Lanes - 1];
  unsigned up_to = 0; // lanes up to this one in which segments begin
  if constexpr (has_segments<A>)
    up_to = block.ballot(every_lane, is_live && here != 0) & (every_lane >> (31 - lane));
  scan_members<32, All>(block, total, up_to != 0 ? lane - last_of(up_to) : lane, is_live, op);
  V const before = block.shuffle_up(total, 1);
  unsigned const from = 0 - (here & (0 - here)); // the first begin and what follows
  WARPFOLD_UNROLL
  for (int v = 0; v < Lanes; ++v)
    combine_if<All>(lane > 0 && (All || v < live) && (from >> v & 1) == 0, before, x[v], op);
  begins.note(at, (up_to & ~(1u << lane)) != 0 ? ~0u : from);
  return kept_prefix<A>::join(total, up_to != 0);
}

} // namespace warpfold::inline v0::detail
