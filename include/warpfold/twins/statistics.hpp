#pragma once
// Searches for extrema and statistics by CUB and Thrust: a tag after the required arguments
// asks for them.
//
// Compiled for std::int32_t, float and double. Blocking, scratch, determinism and errors
// are those of <warpfold/twins/reductions.hpp>.

#include <warpfold/extrema.hpp>
#include <warpfold/statistics.hpp>
#include <warpfold/twins/reductions.hpp>

namespace warpfold::inline v0 {

namespace detail {

/// The verbs' doors; see reduce_by.
template <class T, class Op, class A>
void find_by(twins::vendor twin, gpu& place, device_span<T const> values, extremum<A>* result,
             bool blocking);
template <class T, class Op, class A>
void find_by(twins::vendor twin, host const& place, std::span<T const> values, extremum<A>* result,
             bool blocking);
template <class T, nan_policy Nan, class A>
void min_max_by(twins::vendor twin, gpu& place, device_span<T const> values, min_max<A>* result,
                bool blocking);
template <class T, nan_policy Nan, class A>
void min_max_by(twins::vendor twin, host const& place, std::span<T const> values,
                min_max<A>* result, bool blocking);
template <class T, class A>
void describe_by(twins::vendor twin, gpu& place, device_span<T const> values,
                 description<A>* result, bool blocking);
template <class T, class A>
void describe_by(twins::vendor twin, host const& place, std::span<T const> values,
                 description<A>* result, bool blocking);
template <class T>
void moment_by(twins::vendor twin, gpu& place, device_span<T const> values, moment which,
               double* result, bool blocking);
template <class T>
void moment_by(twins::vendor twin, host const& place, std::span<T const> values, moment which,
               double* result, bool blocking);

template <template <nan_policy> class Extremum, class Place, class Range, class A>
void find_by_twin(twins::vendor twin, Place& place, Range const& values, extremum<A>* result,
                  bool blocking, extremum_options const& options) {
  using T = element_t<Place, Range>;
  span_t<Place, Range> const input(values);
  with_checked_policy<Extremum, A>(options.nan, [&]<class Op>(Op) {
    if constexpr (compared_element<T, A>) {
      find_by<T, Op>(twin, place, input, result, blocking);
    } else {
      check_own(twin);
      find_to<T, Op>(place, input, result);
    }
  });
}
template <class Place, class Range, class A>
void min_max_by_twin(twins::vendor twin, Place& place, Range const& values, min_max<A>* result,
                     bool blocking, extremum_options const& options) {
  using T = element_t<Place, Range>;
  span_t<Place, Range> const input(values);
  with_checked_policy<policy_tag, A>(options.nan, [&]<class Policy>(Policy) {
    if constexpr (compared_element<T, A>) {
      min_max_by<T, Policy::nan>(twin, place, input, result, blocking);
    } else {
      check_own(twin);
      min_max_to<T, Policy::nan>(place, input, result);
    }
  });
}

template <class Place, class Range, class A>
void describe_by_twin(twins::vendor twin, Place& place, Range const& values, description<A>* result,
                      bool blocking) {
  using T = element_t<Place, Range>;
  span_t<Place, Range> const input(values);
  if constexpr (compared_element<T, A>) {
    describe_by<T>(twin, place, input, result, blocking);
  } else {
    check_own(twin);
    describe_to<T>(place, input, result);
  }
}
template <class Place, class Range>
void moment_by_twin(twins::vendor twin, Place& place, Range const& values, moment which,
                    double* result, bool blocking) {
  using T = element_t<Place, Range>;
  span_t<Place, Range> const input(values);
  if constexpr (compared_element<T, accumulator_for<void, Place, Range>>) {
    moment_by<T>(twin, place, input, which, result, blocking);
  } else {
    check_own(twin);
    moment_to<T>(place, input, which, result);
  }
}

} // namespace detail

/// argmin by a vendor's code. CUB: ArgMin for integers; for floating-point elements, where that
/// keeps or drops a NaN depending on its position, TransformReduce of pairs of value and index.
/// Thrust: min_element.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto argmin(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  return detail::compute_now<detail::extremum_for<Place, Range>>(place, [&](auto* result) {
    detail::find_by_twin<minimum>(twin, place, values, result, true, options);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void argmin_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  twins::vendor twin, extremum_options const& options = {}) {
  detail::compute_later(result, [&](auto* to) {
    detail::find_by_twin<minimum>(twin, place, values, to, false, options);
  });
}

/// argmax by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto argmax(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  return detail::compute_now<detail::extremum_for<Place, Range>>(place, [&](auto* result) {
    detail::find_by_twin<maximum>(twin, place, values, result, true, options);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void argmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  twins::vendor twin, extremum_options const& options = {}) {
  detail::compute_later(result, [&](auto* to) {
    detail::find_by_twin<maximum>(twin, place, values, to, false, options);
  });
}

/// minmax by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto minmax(Place&& place, Range const& values, twins::vendor twin,
            extremum_options const& options = {}) {
  return detail::compute_now<detail::min_max_for<Place, Range>>(place, [&](auto* result) {
    detail::min_max_by_twin(twin, place, values, result, true, options);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void minmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::min_max_for<Place, Range>> result,
                  twins::vendor twin, extremum_options const& options = {}) {
  detail::compute_later(
      result, [&](auto* to) { detail::min_max_by_twin(twin, place, values, to, false, options); });
}

/// describe by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto describe(Place&& place, Range const& values, twins::vendor twin) {
  return detail::compute_now<detail::description_for<Place, Range>>(
      place, [&](auto* result) { detail::describe_by_twin(twin, place, values, result, true); });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void describe_async(Place&& place, Range const& values,
                    detail::result_t<Place, detail::description_for<Place, Range>> result,
                    twins::vendor twin) {
  detail::compute_later(
      result, [&](auto* to) { detail::describe_by_twin(twin, place, values, to, false); });
}

/// mean by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
double mean(Place&& place, Range const& values, twins::vendor twin) {
  return detail::compute_now<double>(place, [&](double* result) {
    detail::moment_by_twin(twin, place, values, detail::moment::mean, result, true);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void mean_async(Place&& place, Range const& values, detail::result_t<Place, double> result,
                twins::vendor twin) {
  detail::compute_later(result, [&](double* to) {
    detail::moment_by_twin(twin, place, values, detail::moment::mean, to, false);
  });
}

/// variance by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
double variance(Place&& place, Range const& values, twins::vendor twin) {
  return detail::compute_now<double>(place, [&](double* result) {
    detail::moment_by_twin(twin, place, values, detail::moment::variance, result, true);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void variance_async(Place&& place, Range const& values, detail::result_t<Place, double> result,
                    twins::vendor twin) {
  detail::compute_later(result, [&](double* to) {
    detail::moment_by_twin(twin, place, values, detail::moment::variance, to, false);
  });
}

} // namespace warpfold::inline v0
