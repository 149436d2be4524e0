#pragma once
// Dot products and norms of arrays of the built-in types.
//
// Places, blocking and _async forms, alignment, determinism and errors are those of
// <warpfold/reduction.hpp>. Every one is a single launch.

#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/reduction.hpp>

namespace warpfold::inline v0 {

/// Sum of the products x[i] * y[i], or 0. Both factors are converted to the accumulator first (see
/// sum for those that there are); product and sum are rounded one by one. Integers wrap around.
///
/// x and y may overlap, and may differ in alignment: 16 bytes are read at a time if both begin at a
/// multiple of 16.
/// @throws argument_error also if y has not as many elements as x
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
auto dot(Place&& place, X const& x, Y const& y) {
  return detail::dot_job<Accumulator>(place, x, y).now("dot");
}
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
void dot_async(Place&& place, X const& x, Y const& y,
               detail::result_for<Accumulator, Place, X> result) {
  detail::dot_job<Accumulator>(place, x, y).later("dot_async", result);
}

/// Sum of |x[i]|, or 0: of float and double elements as such, of the half types as float.
template <class Place, detail::floating_elements<Place> Range>
auto norm1(Place&& place, Range const& values) {
  return detail::measure_job<detail::sum_of_magnitudes>(place, values).now("norm1");
}
template <class Place, detail::floating_elements<Place> Range>
void norm1_async(Place&& place, Range const& values,
                 detail::result_for<void, Place, Range> result) {
  detail::measure_job<detail::sum_of_magnitudes>(place, values).later("norm1_async", result);
}

/// Square root of the sum of squares (the Euclidean norm), or 0. Float for the half types.
///
/// It overflows or vanishes only if the norm itself does. Squares of float and narrower elements
/// are added up in double, and the root is rounded to float at the very end; doubles are added up
/// in the three sums of Blue's algorithm (ACM TOMS 4, 1978, as in Anderson, ACM TOMS 44, 2017, and
/// LAPACK's dnrm2). NaN if any element is, else infinity if any element is infinite.
template <class Place, detail::floating_elements<Place> Range>
auto norm2(Place&& place, Range const& values) {
  return detail::measure_job<detail::root_of_squares>(place, values).now("norm2");
}
template <class Place, detail::floating_elements<Place> Range>
void norm2_async(Place&& place, Range const& values,
                 detail::result_for<void, Place, Range> result) {
  detail::measure_job<detail::root_of_squares>(place, values).later("norm2_async", result);
}

/// Largest |x[i]|, or 0; NaN if any element is. Float for the half types.
template <class Place, detail::floating_elements<Place> Range>
auto norm_inf(Place&& place, Range const& values) {
  return detail::measure_job<detail::largest_magnitude>(place, values).now("norm_inf");
}
template <class Place, detail::floating_elements<Place> Range>
void norm_inf_async(Place&& place, Range const& values,
                    detail::result_for<void, Place, Range> result) {
  detail::measure_job<detail::largest_magnitude>(place, values).later("norm_inf_async", result);
}

} // namespace warpfold::inline v0
