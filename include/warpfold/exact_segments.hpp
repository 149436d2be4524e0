#pragma once
// The correctly rounded sums of many segments of an array at once.

#include <warpfold/exact.hpp>
#include <warpfold/segments.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

namespace detail {

template <class Place, class Range>
using exact_default = exact_result_of<void, Place, Range>;
template <class Place, class Range, class Offsets>
concept exact_segments_of =
    elements_for<Range, Place> && exact_range<Place, Range> && offsets_for<Place, Offsets>;

/// results[i] = the rounded sum of segment i; between offsets, or rows where those have no data.
template <class T, class A>
void exact_segments_to(gpu& place, T const* values, std::size_t size,
                       segment_offsets const& offsets, segment_rows const& rows, A* results,
                       bool blocking);
template <class T, class A>
void exact_segments_to(host const& place, T const* values, std::size_t size,
                       segment_offsets const& offsets, segment_rows const& rows, A* results,
                       bool blocking);

template <class Place, class Range, class Offsets>
void exact_sum_segments(Place& place, Range const& values, Offsets const& offsets,
                        result_t<Place, exact_default<Place, Range>> results, bool blocking) {
  using A = exact_default<Place, Range>;
  auto const act = [&](auto input, segment_offsets const& all, segment_rows const& rows) {
    exact_segments_to<element_t<Place, Range>, A>(place, input.data(), input.size(), all, rows,
                                                  results.data(), blocking);
  };
  if constexpr (std::same_as<Offsets, fixed_length>)
    with_fixed<Place, Range, A>(
        values, offsets, results,
        [&](auto input, segment_rows const& rows) { act(input, {}, rows); });
  else
    with_segments<Place, Range, Offsets, A>(
        values, offsets, results,
        [&](auto input, segment_offsets const& all) { act(input, all, {}); });
  finish(place, blocking);
}

/// Bytes for `elements` of `size` bytes each, in chunks of 16 KiB.
std::size_t exact_segments_bytes(std::size_t elements, std::size_t size);

} // namespace detail

/// Bytes of scratch memory that exact_segmented_sum_async needs on a gpu for an array of `elements`
/// elements of T: a fortieth of the elements' bytes at most, begun chunks of 16 KiB counting whole.
/// The blocking form reserves it itself. Known at once; never throws.
template <class T>
[[nodiscard]] std::size_t exact_segmented_workspace(std::size_t elements) {
  return detail::exact_segments_bytes(elements, sizeof(T));
}

/// results[i] = exact_sum of segment i: see <warpfold/exact.hpp> for what it promises, and
/// <warpfold/segments.hpp> for the arguments, what is thrown for them, and the _async form, which
/// enqueues two kernels. The work is dealt out by elements, not by segments, so that one long
/// segment is shared by many warps.
///
/// @param segments offsets (of std::int32_t or std::int64_t), or a fixed_length
template <class Place, class Range, class Offsets>
requires detail::exact_segments_of<Place, Range, Offsets>
void exact_segmented_sum(Place&& place, Range const& values, Offsets const& segments,
                         detail::result_t<Place, detail::exact_default<Place, Range>> results) {
  detail::exact_sum_segments(place, values, segments, results, true);
}
template <class Place, class Range, class Offsets>
requires detail::exact_segments_of<Place, Range, Offsets>
void exact_segmented_sum_async(
    Place&& place, Range const& values, Offsets const& segments,
    detail::result_t<Place, detail::exact_default<Place, Range>> results) {
  detail::exact_sum_segments(place, values, segments, results, false);
}
template <class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range>
void exact_segmented_sum(Place&& place, Range const& values, fixed_length segments,
                         detail::result_t<Place, detail::exact_default<Place, Range>> results) {
  detail::exact_sum_segments(place, values, segments, results, true);
}
template <class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range>
void exact_segmented_sum_async(
    Place&& place, Range const& values, fixed_length segments,
    detail::result_t<Place, detail::exact_default<Place, Range>> results) {
  detail::exact_sum_segments(place, values, segments, results, false);
}

} // namespace warpfold::inline v0
