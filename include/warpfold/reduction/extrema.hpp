#pragma once
// Where the smallest and the largest element are, and both values at once. Places, elements,
// blocking and _async forms, determinism and errors are those of <warpfold/reduction.hpp>.

#include <warpfold/reduction.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

/// An element, and its index.
template <class T>
struct extremum {
  T value;             ///< of the accumulator's type
  std::uint64_t index; ///< the number of elements, where none was found
};

/// The smallest and the largest element.
template <class T>
struct min_max {
  T min, max; ///< of the accumulator's type
};

/// The first of the smallest elements, and its index. -0 and +0 are equal here, as in numpy, CUB
/// and torch: the first of them is found. The value is the element itself, as its default
/// accumulator (float for the half types).
///
/// With nan_policy::propagate the first NaN is found, if there is any; with ignore NaN elements do
/// not count. Without elements that count: the value of min() for no elements, and the number of
/// elements as index.
template <class Place, detail::built_in_elements<Place> Range>
auto argmin(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::find_job<minimum>(place, values, options.nan).now("argmin");
}
template <class Place, detail::built_in_elements<Place> Range>
void argmin_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  extremum_options const& options = {}) {
  detail::find_job<minimum>(place, values, options.nan).later("argmin_async", result);
}

/// The first of the largest elements, and its index; otherwise as argmin.
template <class Place, detail::built_in_elements<Place> Range>
auto argmax(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::find_job<maximum>(place, values, options.nan).now("argmax");
}
template <class Place, detail::built_in_elements<Place> Range>
void argmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  extremum_options const& options = {}) {
  detail::find_job<maximum>(place, values, options.nan).later("argmax_async", result);
}

/// The results of min() and max() from one pass: IEEE 754-2019's minimum and maximum, for which -0
/// is less than +0; NaN and no elements as there.
template <class Place, detail::built_in_elements<Place> Range>
auto minmax(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::min_max_job(place, values, options.nan).now("minmax");
}
template <class Place, detail::built_in_elements<Place> Range>
void minmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::min_max_for<Place, Range>> result,
                  extremum_options const& options = {}) {
  detail::min_max_job(place, values, options.nan).later("minmax_async", result);
}

} // namespace warpfold::inline v0
