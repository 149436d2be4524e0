#pragma once
// Scans of many segments of an array at once. For other types and operators, compile with nvcc and
// include <warpfold/scan.cuh>, too. Runs of keys of your own are marked by mark_runs of
// <warpfold/segments/by_key.cuh>.
//
// The contract is that of <warpfold/scan.hpp>, but for this:
//
// values      std::int32_t, std::int64_t, float or double; results have the same type.
// op          plus, minimum<> or maximum<>.
// segments    as of segmented_reduce (<warpfold/segments.hpp>): offsets, a fixed_length or
//             marked_runs. Values before the first offset are one segment more, and so are those
//             from the last offset on.
// keys        as of reduce_by_key (<warpfold/segments/by_key.hpp>), one for each value: segments
//             are runs of equal neighbours. Results share no memory with keys or segments.
// Determinism The tree is that of a scan of all values, without what lies in other segments. So a
//             result depends on where in the array its segment begins, and on the segment's values
//             up to it, and on nothing else.
// _async      verb_async(...) enqueues what marks the segments, unless they are marked, and the
//             scan's kernel. It needs look-back memory (scan_lookback), and scratch memory for
//             marks of its own (segmented_scan_workspace).
// Twins       <warpfold/twins/scan.hpp> has scans by key.

#include <warpfold/detail/scan/segmented_scan.hpp>
#include <warpfold/scan.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

/// results[i] = the values of the segment up to values[i] folded with op; the first is the value
/// itself.
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class Op,
          detail::results_for<Place> Results>
void segmented_inclusive_scan(Place&& place, Range const& values, Segments const& segments, Op op,
                              Results&& results) {
  detail::scan_segments("segmented_inclusive_scan", place, values, segments,
                        detail::inclusive_start<Place, Results>(), op, results, true);
}
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class Op,
          detail::results_for<Place> Results>
void segmented_inclusive_scan_async(Place&& place, Range const& values, Segments const& segments,
                                    Op op, Results&& results) {
  detail::scan_segments("segmented_inclusive_scan_async", place, values, segments,
                        detail::inclusive_start<Place, Results>(), op, results, false);
}

/// results[i] = op(init, the values of the segment before values[i]), folded from op(init, first
/// value) on; the first is init.
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class A,
          class Op>
void segmented_exclusive_scan(Place&& place, Range const& values, Segments const& segments, A init,
                              Op op, detail::result_t<Place, A> results) {
  detail::scan_segments("segmented_exclusive_scan", place, values, segments,
                        detail::scan_start<A>{init, true}, op, results, true);
}
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class A,
          class Op>
void segmented_exclusive_scan_async(Place&& place, Range const& values, Segments const& segments,
                                    A init, Op op, detail::result_t<Place, A> results) {
  detail::scan_segments("segmented_exclusive_scan_async", place, values, segments,
                        detail::scan_start<A>{init, true}, op, results, false);
}

/// segmented_inclusive_scan of the runs of keys.
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range, class Op,
          detail::results_for<Place> Results>
void inclusive_scan_by_key(Place&& place, Keys const& keys, Range const& values, Op op,
                           Results&& results) {
  detail::scan_segments("inclusive_scan_by_key", place, values, detail::runs_of<Keys>{keys},
                        detail::inclusive_start<Place, Results>(), op, results, true);
}
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range, class Op,
          detail::results_for<Place> Results>
void inclusive_scan_by_key_async(Place&& place, Keys const& keys, Range const& values, Op op,
                                 Results&& results) {
  detail::scan_segments("inclusive_scan_by_key_async", place, values, detail::runs_of<Keys>{keys},
                        detail::inclusive_start<Place, Results>(), op, results, false);
}

/// segmented_exclusive_scan of the runs of keys.
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range, class A,
          class Op>
void exclusive_scan_by_key(Place&& place, Keys const& keys, Range const& values, A init, Op op,
                           detail::result_t<Place, A> results) {
  detail::scan_segments("exclusive_scan_by_key", place, values, detail::runs_of<Keys>{keys},
                        detail::scan_start<A>{init, true}, op, results, true);
}
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range, class A,
          class Op>
void exclusive_scan_by_key_async(Place&& place, Keys const& keys, Range const& values, A init,
                                 Op op, detail::result_t<Place, A> results) {
  detail::scan_segments("exclusive_scan_by_key_async", place, values, detail::runs_of<Keys>{keys},
                        detail::scan_start<A>{init, true}, op, results, false);
}

/// Bytes of scratch memory that an `_async` scan of so many values needs on a gpu, unless runs are
/// marked: a bit a value. Blocking calls reserve it themselves.
[[nodiscard]] constexpr std::size_t segmented_scan_workspace(std::size_t elements) {
  return detail::begins_bytes(elements);
}

} // namespace warpfold::inline v0
