#pragma once
// Searches for extrema and statistics by CUB and Thrust: a tag after the required arguments asks
// for them.
//
// Compiled for std::int32_t, float and double. Blocking, scratch, determinism and errors
// are those of <warpfold/twins/reductions.hpp>.

#include <warpfold/twins/reductions.hpp>

namespace warpfold::inline v0 {

/// argmin by a vendor's code. CUB: ArgMin for integers; for floating-point elements, where that
/// keeps or drops a NaN depending on its position, TransformReduce of pairs of value and index.
/// Thrust: min_element.
template <class Place, detail::built_in_elements<Place> Range>
auto argmin(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  return detail::find_twin<minimum>(place, values, options.nan, twin).now("argmin");
}
template <class Place, detail::built_in_elements<Place> Range>
void argmin_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  twins::vendor twin, extremum_options const& options = {}) {
  detail::find_twin<minimum>(place, values, options.nan, twin).later("argmin_async", result);
}

/// argmax by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto argmax(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  return detail::find_twin<maximum>(place, values, options.nan, twin).now("argmax");
}
template <class Place, detail::built_in_elements<Place> Range>
void argmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  twins::vendor twin, extremum_options const& options = {}) {
  detail::find_twin<maximum>(place, values, options.nan, twin).later("argmax_async", result);
}

/// minmax by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto minmax(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  return detail::min_max_twin(place, values, options.nan, twin).now("minmax");
}
template <class Place, detail::built_in_elements<Place> Range>
void minmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::min_max_for<Place, Range>> result,
                  twins::vendor twin, extremum_options const& options = {}) {
  detail::min_max_twin(place, values, options.nan, twin).later("minmax_async", result);
}

/// describe by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto describe(Place&& place, Range const& values, twins::vendor twin) {
  return detail::description_twin(place, values, twin).now("describe");
}
template <class Place, detail::built_in_elements<Place> Range>
void describe_async(Place&& place, Range const& values,
                    detail::result_t<Place, detail::description_for<Place, Range>> result,
                    twins::vendor twin) {
  detail::description_twin(place, values, twin).later("describe_async", result);
}

/// mean by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
double mean(Place&& place, Range const& values, twins::vendor twin) {
  return detail::moment_twin(place, values, detail::moment::mean, twin).now("mean");
}
template <class Place, detail::built_in_elements<Place> Range>
void mean_async(Place&& place, Range const& values, detail::result_t<Place, double> result,
                twins::vendor twin) {
  detail::moment_twin(place, values, detail::moment::mean, twin).later("mean_async", result);
}

/// variance by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
double variance(Place&& place, Range const& values, twins::vendor twin) {
  return detail::moment_twin(place, values, detail::moment::variance, twin).now("variance");
}
template <class Place, detail::built_in_elements<Place> Range>
void variance_async(Place&& place, Range const& values, detail::result_t<Place, double> result,
                    twins::vendor twin) {
  detail::moment_twin(place, values, detail::moment::variance, twin)
      .later("variance_async", result);
}

} // namespace warpfold::inline v0
