#pragma once
// Histograms for those who compile with nvcc: any function from elements to bins, any element type
// and random-access iterator.
//
// place, blocking and _async forms and errors are those of <warpfold/counting/histogram.hpp>.
// `transform` is a function object that the place can call (a lambda: __host__ __device__). It
// returns the number of an element's bin, an int, each time the same. Elements with any other
// number are not counted. Elements are trivially copyable and default constructible.

#include <warpfold/counting/histogram.hpp>
#include <warpfold/detail/counting/custom_histogram.cuh>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0 {

/// How many of the `size` elements from `first` on are in each of `bins` bins, or of counts.size()
/// bins.
template <class Place, detail::indexable Iterator, class Transform>
std::vector<std::uint64_t> transform_histogram(Place&& place, Iterator first, std::size_t size,
                                               Transform transform, std::size_t bins) {
  detail::verb const scope("transform_histogram");
  return detail::custom_histogram(place, first, size, transform, bins);
}
template <class Place, detail::indexable Iterator, class Transform>
void transform_histogram_async(Place&& place, Iterator first, std::size_t size, Transform transform,
                               detail::result_t<Place, std::uint64_t> counts) {
  detail::verb const scope("transform_histogram_async");
  detail::custom_histogram_to(place, first, size, transform, counts);
}

/// Forms for ranges.
template <class Place, elements_for<Place> Range, class Transform>
std::vector<std::uint64_t> transform_histogram(Place&& place, Range const& values,
                                               Transform transform, std::size_t bins) {
  detail::verb const scope("transform_histogram");
  auto const input = detail::checked<Place>(values);
  return detail::custom_histogram(place, input.data(), input.size(), transform, bins);
}
template <class Place, elements_for<Place> Range, class Transform>
void transform_histogram_async(Place&& place, Range const& values, Transform transform,
                               detail::result_t<Place, std::uint64_t> counts) {
  detail::verb const scope("transform_histogram_async");
  auto const input = detail::checked<Place>(values);
  detail::custom_histogram_to(place, input.data(), input.size(), transform, counts);
}

} // namespace warpfold::inline v0
