#pragma once
// Implementation of the public header: exact sums of segments.

#include <warpfold/detail/segments/segments.hpp>
#include <warpfold/reduction/exact.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// The door: results[i] = the rounded sum of segment i.
template <class T, class A>
void exact_segments_to(gpu& place, T const* values, std::size_t size, segment_list const& segments,
                       A* results, bool blocking);
template <class T, class A>
void exact_segments_to(host const& place, T const* values, std::size_t size,
                       segment_list const& segments, A* results, bool blocking);

template <class Place, class Range, class Segments>
void exact_sum_segments(Place& place, Range const& values, Segments const& segments,
                        exact_result_for<void, Place, Range> results, bool blocking) {
  using A = exact_result_of<void, Place, Range>;
  with_segments<Place, Range, Segments, A>(
      place, values, segments, results, blocking, [&](auto input, auto const& layout) {
        segment_list all{};
        if constexpr (std::same_as<Segments, fixed_length>) all.rows = layout;
        else all.offsets = layout;
        exact_segments_to<element_t<Place, Range>, A>(place, input.data(), input.size(), all,
                                                      results.data(), blocking);
      });
}

/// Bytes for `elements` of `size` bytes each, in chunks of 16 KiB.
std::size_t exact_segments_bytes(std::size_t elements, std::size_t size);

} // namespace warpfold::inline v0::detail
