#pragma once
// Dot products, norms and compensated sums by CUB and Thrust: a tag after the required arguments
// asks for them.
//
// Compiled for float and double in their default accumulators, for dot products also of
// std::int32_t and __half, for compensated sums also of __half. Blocking, scratch, determinism and
// errors are those of <warpfold/twins/reductions.hpp>.

#include <warpfold/compensated.hpp>
#include <warpfold/norms.hpp>
#include <warpfold/twins/reductions.hpp>

namespace warpfold::inline v0 {

namespace detail {

/// What is compiled.
template <class T, class Measure>
concept compared_measure = one_of<T, float, double> ||
    (std::same_as<T, __half>&& std::same_as<Measure, sum_and_bound<T>>);
template <class T, class A>
concept compared_dot = compared_element<T, A> ||(std::same_as<T, __half>&& std::same_as<A, float>);

/// The verbs' doors; see reduce_by.
template <class T, class Measure>
void measure_by(twins::vendor twin, gpu& place, device_span<T const> values,
                typename Measure::result* result, bool blocking);
template <class T, class Measure>
void measure_by(twins::vendor twin, host const& place, std::span<T const> values,
                typename Measure::result* result, bool blocking);
template <class T, class A>
void dot_by(twins::vendor twin, gpu& place, device_span<T const> x, device_span<T const> y,
            A* result, bool blocking);
template <class T, class A>
void dot_by(twins::vendor twin, host const& place, std::span<T const> x, std::span<T const> y,
            A* result, bool blocking);

template <template <class> class Measure, class Place, class Range, class Result>
void measure_by_twin(twins::vendor twin, Place& place, Range const& values, Result* result,
                     bool blocking) {
  using T = element_t<Place, Range>;
  span_t<Place, Range> const input(values);
  if constexpr (compared_measure<T, Measure<T>>) {
    measure_by<T, Measure<T>>(twin, place, input, result, blocking);
  } else {
    check_own(twin);
    measure_to<T, Measure<T>>(place, input, result);
  }
}
template <template <class> class Measure, class Place, class Range>
auto measure_now(Place& place, Range const& values, twins::vendor twin) {
  using result = typename Measure<element_t<Place, Range>>::result;
  return compute_now<result>(
      place, [&](result* to) { measure_by_twin<Measure>(twin, place, values, to, true); });
}
template <template <class> class Measure, class Place, class Range, class Span>
void measure_later(Place& place, Range const& values, Span result, twins::vendor twin) {
  compute_later(result,
                [&](auto* to) { measure_by_twin<Measure>(twin, place, values, to, false); });
}

template <class Place, class X, class Y, class A>
void dot_by_twin(twins::vendor twin, Place& place, X const& x, Y const& y, A* result,
                 bool blocking) {
  using T = element_t<Place, X>;
  using view = span_t<Place, X>;
  if constexpr (compared_dot<T, A>) {
    dot_by<T, A>(twin, place, view(x), view(y), result, blocking);
  } else {
    check_own(twin);
    dot_to<T, A>(place, view(x), view(y), result);
  }
}

} // namespace detail

/// dot by a vendor's code.
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
auto dot(Place&& place, X const& x, Y const& y, twins::vendor twin) {
  using A = detail::accumulator_for<Accumulator, Place, X>;
  return detail::compute_now<A>(
      place, [&](A* result) { detail::dot_by_twin(twin, place, x, y, result, true); });
}
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
void dot_async(Place&& place, X const& x, Y const& y,
               detail::result_for<Accumulator, Place, X> result, twins::vendor twin) {
  detail::compute_later(result,
                        [&](auto* to) { detail::dot_by_twin(twin, place, x, y, to, false); });
}

/// norm1 by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto norm1(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_now<detail::sum_of_magnitudes>(place, values, twin);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void norm1_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
                 twins::vendor twin) {
  detail::measure_later<detail::sum_of_magnitudes>(place, values, result, twin);
}

/// norm2 by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto norm2(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_now<detail::root_of_squares>(place, values, twin);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void norm2_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
                 twins::vendor twin) {
  detail::measure_later<detail::root_of_squares>(place, values, result, twin);
}

/// norm_inf by a vendor's code.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto norm_inf(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_now<detail::largest_magnitude>(place, values, twin);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void norm_inf_async(Place&& place, Range const& values,
                    detail::result_for<void, Place, Range> result, twins::vendor twin) {
  detail::measure_later<detail::largest_magnitude>(place, values, result, twin);
}

/// compensated_sum by a vendor's code. The trees, values and bounds are the vendor's own; with
/// Thrust on a host the bound is infinite from 2^21 floats a thread on.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto compensated_sum(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_now<detail::sum_and_bound>(place, values, twin);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void compensated_sum_async(Place&& place, Range const& values,
                           detail::bounded_for<Place, Range> result, twins::vendor twin) {
  detail::measure_later<detail::sum_and_bound>(place, values, result, twin);
}

} // namespace warpfold::inline v0
