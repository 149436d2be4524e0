#pragma once
// Histograms of few bins of even width. For bins, element types and iterators of your own, compile
// with nvcc and include <warpfold/counting/histogram.cuh>; for weights, <warpfold/scatter.hpp>.
//
// Contract of both verbs:
//
// place, blocking and _async forms, alignment, determinism and errors are those of
// <warpfold/reduction.hpp>. Elements are std::uint8_t, std::int32_t, std::uint32_t, float or
// double.
//
// bins        {count, lower, upper}: 1 to max_bins bins. lower and upper have the element's type if
//             that is floating-point, else std::int64_t, so that {256, 0, 256} are the bins of all
//             bytes. Elements below lower, not below upper, or NaN, are not counted. The bin of an
//             integer x is floor((x - lower) count / (upper - lower)), exactly. The bin of a
//             floating-point x is min(floor((x - lower) s), count - 1) with
//             s = count / (upper - lower), every operation rounded to the element's type.
// counts      One a bin, where the values live; they need not be 0 before, and do not overlap the
//             values.
// Throws      argument_error also for a count of bins that is not 1 ... max_bins; for lower and
//             upper that are not finite or not in this order; if s is no finite number above 0; if
//             the lower or upper of integers is outside of the range of the element's type and the
//             number after it; and for counts that are not as many as the bins, or overlap the
//             values.

#include <warpfold/detail/counting/histogram.hpp>
#include <warpfold/reduction.hpp>

#include <cstdint>
#include <vector>

namespace warpfold::inline v0 {

/// How many elements are in each bin.
template <class Place, detail::binned_range<Place> Range>
std::vector<std::uint64_t> histogram(Place&& place, Range const& values,
                                     detail::bins_for<Place, Range> const& bins) {
  detail::verb const scope("histogram");
  using T = detail::element_t<Place, Range>;
  detail::check_bins<T>(bins);
  return detail::counts_of(place, static_cast<std::size_t>(bins.count), [&](auto counts) {
    detail::histogram_to<T>(place, detail::span_t<Place, Range>(values), bins, counts);
  });
}
template <class Place, detail::binned_range<Place> Range>
void histogram_async(Place&& place, Range const& values, detail::bins_for<Place, Range> const& bins,
                     detail::result_t<Place, std::uint64_t> counts) {
  detail::verb const scope("histogram_async");
  detail::histogram_to<detail::element_t<Place, Range>>(place, detail::span_t<Place, Range>(values),
                                                        bins, counts);
}

} // namespace warpfold::inline v0
