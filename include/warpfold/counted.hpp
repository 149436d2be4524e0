#pragma once
// Arrays of which a word beside them says how many elements count: lengths that stay on the gpu.

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

/// The first count[0] elements of `values`; all, if count[0] is more, as verbs that run out of room
/// count on without it.
///
///     compact_if_async(gpu, values, greater_than{0.0}, kept, count);
///     sum_async(gpu, counted{kept, count}, result);
///
/// Taken by sum, product, min, max, reduce, transform_reduce, inclusive_scan and exclusive_scan of
/// elements, and scatter_sum with a bound. They do exactly what they do, with the same bits, for so
/// many elements: those behind are not used, and results behind are not touched. A scan has as many
/// results, and scatter_sum as many indices, as there is room for values. A gpu reads the count
/// when the stream gets to the call, so that a captured graph takes another one at every launch; a
/// host reads it in the call. It shares no memory with results. Both arrays outlive it.
template <class Values, class Count>
struct counted {
  Values values; ///< a span
  Count count;   ///< a span of one std::uint64_t, at least
};
/// Views of ranges that both lie in GPU memory, or both in host memory. Done at once; throws what
/// their own functions throw.
template <device_range Values, device_range Count>
counted(Values const&, Count const&)
    -> counted<device_span<detail::device_element_t<Values const> const>,
               device_span<std::uint64_t const>>;
template <detail::host_elements Values, detail::host_elements Count>
counted(Values const& values, Count const&)
    -> counted<std::span<typename decltype(std::span(values))::element_type const>,
               std::span<std::uint64_t const>>;

} // namespace warpfold::inline v0
