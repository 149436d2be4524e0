#pragma once
// Arrays of which a word in their memory says how many elements count. So verbs go on with what
// compact_if_async or reduce_by_key_async leave, and nothing waits for its length.

#include <warpfold/span.hpp>

#include <cstdint>
#include <span>

namespace warpfold::inline v0 {

namespace detail {

/// Some owners of GPU memory are contiguous ranges to the standard library, too.
template <class Range>
concept host_elements = !device_range<Range const> && requires(Range const& range) {
  std::span(range);
};

} // namespace detail

/// The first count[0] elements of `values`, or all if count[0] is more: verbs that write as many as
/// there is room for count on without room.
///
///     compact_if_async(gpu, values, is_positive, kept, count);
///     sum_async(gpu, counted{kept, count}, result);
///
/// Taken by sum, product, min, max, reduce, transform_reduce, the scans, and scatter_sum with a
/// bound. They do exactly what they do, with the same bits, for so many elements: those behind are
/// not used, and results behind are not touched. A gpu reads the count when the stream has come to
/// the call, so that a captured graph takes another one at every launch; a host reads it in the
/// call. The count shares no memory with results.
///
/// Made of a range in GPU memory and a range of std::uint64_t there, or of both in host memory. It
/// owns neither.
template <class Values, class Count>
struct counted {
  Values values; ///< a span
  Count count;   ///< a span of one std::uint64_t, at least
};
/// Views of both ranges. Done at once; throws what their own functions throw.
template <device_range Values, device_range Count>
counted(Values const&, Count const&)
    -> counted<device_span<detail::device_element_t<Values const> const>,
               device_span<std::uint64_t const>>;
template <detail::host_elements Values, detail::host_elements Count>
counted(Values const& values, Count const&)
    -> counted<std::span<typename decltype(std::span(values))::element_type const>,
               std::span<std::uint64_t const>>;

} // namespace warpfold::inline v0
