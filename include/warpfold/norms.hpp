#pragma once
// Dot products and norms of arrays of the built-in types.
//
// place, blocking and _async forms, alignment, determinism and errors are those of
// <warpfold/reduction.hpp>. Every one is a single launch.

#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/reduction.hpp>

#include <concepts>

namespace warpfold::inline v0 {

namespace detail {

/// Computes the dot product of two arrays of equal length into *result; see reduce_to.
template <class T, class A>
void dot_to(gpu& place, device_span<T const> x, device_span<T const> y, A* result);
template <class T, class A>
void dot_to(host const& place, std::span<T const> x, std::span<T const> y, A* result);

template <class Asked, class Place, class X, class Y>
concept built_in_dot = requires {
  requires std::same_as<element_t<Place, X>, element_t<Place, Y>>;
  requires built_in_accumulator<element_t<Place, X>, accumulator_for<Asked, Place, X>>;
};

} // namespace detail

/// Sum of the products x[i] * y[i], or 0. Both factors are converted to the accumulator first (see
/// sum for those that there are); product and sum are rounded one by one. Integers wrap around.
///
/// x and y may overlap, and may differ in alignment: 16 bytes are read at a time if both begin at a
/// multiple of 16.
/// @throws argument_error also if y has not as many elements as x
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
auto dot(Place&& place, X const& x, Y const& y) {
  using A = detail::accumulator_for<Accumulator, Place, X>;
  using view = detail::span_t<Place, X>;
  return detail::compute_now<A>(place, [&](A* result) {
    detail::dot_to<detail::element_t<Place, X>, A>(place, view(x), view(y), result);
  });
}
template <class Accumulator = void, class Place, class X, class Y>
requires detail::built_in_dot<Accumulator, Place, X, Y>
void dot_async(Place&& place, X const& x, Y const& y,
               detail::result_for<Accumulator, Place, X> result) {
  using A = detail::accumulator_for<Accumulator, Place, X>;
  using view = detail::span_t<Place, X>;
  detail::compute_later(result, [&](A* to) {
    detail::dot_to<detail::element_t<Place, X>, A>(place, view(x), view(y), to);
  });
}

/// Sum of |x[i]|, or 0: of float and double elements as such, of the half types as float.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto norm1(Place&& place, Range const& values) {
  return detail::measure_now<detail::sum_of_magnitudes>(place, values);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void norm1_async(Place&& place, Range const& values,
                 detail::result_for<void, Place, Range> result) {
  detail::measure_later<detail::sum_of_magnitudes>(place, values, result);
}

/// Square root of the sum of squares (the Euclidean norm), or 0. Float for the half types.
///
/// It overflows or vanishes only if the norm itself does. Squares of float and narrower elements
/// are added up in double, and the root is rounded to float at the very end; doubles are added up
/// in the three sums of Blue's algorithm (ACM TOMS 4, 1978, as in Anderson, ACM TOMS 44, 2017, and
/// LAPACK's dnrm2). NaN if any element is, else infinity if any element is infinite.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto norm2(Place&& place, Range const& values) {
  return detail::measure_now<detail::root_of_squares>(place, values);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void norm2_async(Place&& place, Range const& values,
                 detail::result_for<void, Place, Range> result) {
  detail::measure_later<detail::root_of_squares>(place, values, result);
}

/// Largest |x[i]|, or 0; NaN if any element is. Float for the half types.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto norm_inf(Place&& place, Range const& values) {
  return detail::measure_now<detail::largest_magnitude>(place, values);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void norm_inf_async(Place&& place, Range const& values,
                    detail::result_for<void, Place, Range> result) {
  detail::measure_later<detail::largest_magnitude>(place, values, result);
}

} // namespace warpfold::inline v0
