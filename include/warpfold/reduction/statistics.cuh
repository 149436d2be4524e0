#pragma once
// Statistics for those who compile with nvcc: a choice of them, made at compile time, and elements
// that any random-access iterator yields.
//
//   auto const found = describe<statistic::mean | statistic::argmax>(place, values);
//
// Statistics that are not chosen cost nothing, and have in the description the value that they have
// of no elements (an index: their number); argmin and argmax bring min and max. min without argmin
// is IEEE 754-2019's, for which -0 is less than +0, and max alike. The tree, and with it the last
// bits of the moments, depends on the size of the statistics kept. Otherwise as
// <warpfold/reduction/statistics.hpp> says.

#include <warpfold/detail/reduction/custom_description.cuh>
#include <warpfold/reduction.cuh>
#include <warpfold/reduction/statistics.hpp>

#include <cstddef>

namespace warpfold::inline v0 {

/// The statistics chosen, of the `size` elements from `first` on: a pointer or random-access
/// iterator into memory of the place, of which the value type is a built-in element.
template <statistic Choice, class Place, detail::indexable Iterator>
detail::description_at<Iterator> describe(Place&& place, Iterator first, std::size_t size) {
  return detail::description_job<Choice>(place, first, size).now("describe");
}
template <statistic Choice, class Place, detail::indexable Iterator>
void describe_async(Place&& place, Iterator first, std::size_t size,
                    detail::result_t<Place, detail::description_at<Iterator>> result) {
  detail::description_job<Choice>(place, first, size).later("describe_async", result);
}

/// Forms for ranges.
template <statistic Choice, class Place, detail::built_in_elements<Place> Range>
auto describe(Place&& place, Range const& values) {
  return detail::description_job<Choice>(place, values).now("describe");
}
template <statistic Choice, class Place, detail::built_in_elements<Place> Range>
void describe_async(Place&& place, Range const& values,
                    detail::result_t<Place, detail::description_for<Place, Range>> result) {
  detail::description_job<Choice>(place, values).later("describe_async", result);
}

} // namespace warpfold::inline v0
