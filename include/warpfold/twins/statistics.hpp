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
  detail::verb const scope("argmin");
  return detail::find_twin<minimum>(place, values, options.nan, twin).now();
}
template <class Place, detail::built_in_elements<Place> Range>
void argmin_async(
    Place&& place, Range const& values,
    detail::result_t<Place, extremum<detail::accumulator_for<void, Place, Range>>> result,
    twins::vendor twin, extremum_options const& options = {}) {
  detail::verb const scope("argmin_async");
  detail::find_twin<minimum>(place, values, options.nan, twin).later(result);
}

/// argmax by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto argmax(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  detail::verb const scope("argmax");
  return detail::find_twin<maximum>(place, values, options.nan, twin).now();
}
template <class Place, detail::built_in_elements<Place> Range>
void argmax_async(
    Place&& place, Range const& values,
    detail::result_t<Place, extremum<detail::accumulator_for<void, Place, Range>>> result,
    twins::vendor twin, extremum_options const& options = {}) {
  detail::verb const scope("argmax_async");
  detail::find_twin<maximum>(place, values, options.nan, twin).later(result);
}

/// minmax by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto minmax(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  detail::verb const scope("minmax");
  return detail::min_max_twin(place, values, options.nan, twin).now();
}
template <class Place, detail::built_in_elements<Place> Range>
void minmax_async(
    Place&& place, Range const& values,
    detail::result_t<Place, min_max<detail::accumulator_for<void, Place, Range>>> result,
    twins::vendor twin, extremum_options const& options = {}) {
  detail::verb const scope("minmax_async");
  detail::min_max_twin(place, values, options.nan, twin).later(result);
}

/// describe by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto describe(Place&& place, Range const& values, twins::vendor twin) {
  detail::verb const scope("describe");
  return detail::description_twin(place, values, twin).now();
}
template <class Place, detail::built_in_elements<Place> Range>
void describe_async(
    Place&& place, Range const& values,
    detail::result_t<Place, description<detail::accumulator_for<void, Place, Range>>> result,
    twins::vendor twin) {
  detail::verb const scope("describe_async");
  detail::description_twin(place, values, twin).later(result);
}

/// mean by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
double mean(Place&& place, Range const& values, twins::vendor twin) {
  detail::verb const scope("mean");
  return detail::moment_twin(place, values, detail::moment::mean, twin).now();
}
template <class Place, detail::built_in_elements<Place> Range>
void mean_async(Place&& place, Range const& values, detail::result_t<Place, double> result,
                twins::vendor twin) {
  detail::verb const scope("mean_async");
  detail::moment_twin(place, values, detail::moment::mean, twin).later(result);
}

/// variance by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
double variance(Place&& place, Range const& values, twins::vendor twin) {
  detail::verb const scope("variance");
  return detail::moment_twin(place, values, detail::moment::variance, twin).now();
}
template <class Place, detail::built_in_elements<Place> Range>
void variance_async(Place&& place, Range const& values, detail::result_t<Place, double> result,
                    twins::vendor twin) {
  detail::verb const scope("variance_async");
  detail::moment_twin(place, values, detail::moment::variance, twin).later(result);
}

} // namespace warpfold::inline v0
