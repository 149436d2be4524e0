#pragma once
// Dot products, norms and compensated sums by CUB and Thrust: a tag after the required arguments
// asks for them.
//
// Compiled for float and double in their default accumulators, for dot products also of
// std::int32_t and __half, for compensated sums also of __half. Blocking, scratch, determinism and
// errors are those of <warpfold/twins/reductions.hpp>.

#include <warpfold/norms.hpp>
#include <warpfold/reduction/compensated.hpp>
#include <warpfold/twins/reductions.hpp>

namespace warpfold::inline v0 {

/// dot by a vendor's code.
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
auto dot(Place&& place, X const& x, Y const& y, twins::vendor twin) {
  return detail::dot_twin<Accumulator>(place, x, y, twin).now("dot");
}
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
void dot_async(Place&& place, X const& x, Y const& y,
               detail::result_for<Accumulator, Place, X> result, twins::vendor twin) {
  detail::dot_twin<Accumulator>(place, x, y, twin).later("dot_async", result);
}

/// norm1 by a vendor's code.
template <class Place, detail::floating_elements<Place> Range>
auto norm1(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_twin<detail::sum_of_magnitudes>(place, values, twin).now("norm1");
}
template <class Place, detail::floating_elements<Place> Range>
void norm1_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
                 twins::vendor twin) {
  detail::measure_twin<detail::sum_of_magnitudes>(place, values, twin).later("norm1_async", result);
}

/// norm2 by a vendor's code.
template <class Place, detail::floating_elements<Place> Range>
auto norm2(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_twin<detail::root_of_squares>(place, values, twin).now("norm2");
}
template <class Place, detail::floating_elements<Place> Range>
void norm2_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
                 twins::vendor twin) {
  detail::measure_twin<detail::root_of_squares>(place, values, twin).later("norm2_async", result);
}

/// norm_inf by a vendor's code.
template <class Place, detail::floating_elements<Place> Range>
auto norm_inf(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_twin<detail::largest_magnitude>(place, values, twin).now("norm_inf");
}
template <class Place, detail::floating_elements<Place> Range>
void norm_inf_async(Place&& place, Range const& values,
                    detail::result_for<void, Place, Range> result, twins::vendor twin) {
  detail::measure_twin<detail::largest_magnitude>(place, values, twin)
      .later("norm_inf_async", result);
}

/// compensated_sum by a vendor's code. The trees, values and bounds are the vendor's own; with
/// Thrust on a host the bound is infinite from 2^21 floats a thread on.
template <class Place, detail::floating_elements<Place> Range>
auto compensated_sum(Place&& place, Range const& values, twins::vendor twin) {
  return detail::measure_twin<detail::sum_and_bound>(place, values, twin).now("compensated_sum");
}
template <class Place, detail::floating_elements<Place> Range>
void compensated_sum_async(Place&& place, Range const& values,
                           detail::bounded_for<Place, Range> result, twins::vendor twin) {
  detail::measure_twin<detail::sum_and_bound>(place, values, twin)
      .later("compensated_sum_async", result);
}

} // namespace warpfold::inline v0
