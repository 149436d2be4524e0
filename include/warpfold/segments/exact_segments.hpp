#pragma once
// The correctly rounded sums of many segments of an array at once.

#include <warpfold/detail/segments/exact_segments.hpp>
#include <warpfold/segments.hpp>

#include <cstddef>

namespace warpfold::inline v0 {

/// results[i] = exact_sum of segment i: see <warpfold/reduction/exact.hpp> for what it promises,
/// and <warpfold/segments.hpp> for the arguments, what is thrown for them, and the _async form,
/// which enqueues two kernels. Every warp takes as many elements, so that many share a long
/// segment.
///
/// @param segments offsets (of std::int32_t or std::int64_t), a fixed_length, or marked_runs (see
///                 <warpfold/segments/by_key.hpp>), which take a third kernel, and room for 8 bytes
///                 more for each result and one beyond: see exact_by_key_workspace
template <class Place, detail::exact_elements<Place> Range, detail::segments_for<Place> Segments>
void exact_segmented_sum(Place&& place, Range const& values, Segments const& segments,
                         detail::exact_result_for<void, Place, Range> results) {
  detail::verb const scope("exact_segmented_sum");
  detail::exact_sum_segments(place, values, segments, results, true);
}
template <class Place, detail::exact_elements<Place> Range, detail::segments_for<Place> Segments>
void exact_segmented_sum_async(Place&& place, Range const& values, Segments const& segments,
                               detail::exact_result_for<void, Place, Range> results) {
  detail::verb const scope("exact_segmented_sum_async");
  detail::exact_sum_segments(place, values, segments, results, false);
}

/// Bytes of scratch memory that exact_segmented_sum_async needs on a gpu for an array of `elements`
/// elements of T: a fortieth of the elements' bytes at most, begun chunks of 16 KiB counting whole.
/// The blocking form reserves it itself. Known at once; never throws.
template <class T>
[[nodiscard]] std::size_t exact_segmented_workspace(std::size_t elements) {
  return detail::exact_segments_bytes(elements, sizeof(T));
}

} // namespace warpfold::inline v0
