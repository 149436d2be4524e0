#pragma once
// Sums with a guarantee: nearly as accurate as in twice the precision, with a bound of the error.

#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/reduction.hpp>

namespace warpfold::inline v0 {

namespace detail {
template <class Place, class Range>
using bounded_for = result_t<Place, bounded<accumulator_for<void, Place, Range>>>;
}

/// Sum of the elements, or 0, and a bound of its error: |value - exact sum| <= error_bound.
///
/// Elements are float, double, __half or __nv_bfloat16; the half types are summed as float. The
/// tree is the fold's, and every addition in it also gives what its rounding took away (Knuth's
/// TwoSum); those errors are added up beside the sum and, in the end, to it (T. Ogita, S. M. Rump,
/// S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26(6), 2005). The bound is
/// computed from the errors found and rounded up: it holds for every input, however
/// ill-conditioned, underflow included, and is 0 only if the value is exact. docs/numerics.md
/// derives it. An element is read once.
///
/// A sum that overflows, or has infinite elements, is infinite or NaN as the plain sum is; its
/// error_bound is then infinity or NaN. If only an error cannot be known, the bound is infinity.
///
/// place, blocking and _async forms, determinism and errors are those of <warpfold/reduction.hpp>.
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
auto compensated_sum(Place&& place, Range const& values) {
  return detail::measure_now<detail::sum_and_bound>(place, values);
}
template <class Place, elements_for<Place> Range>
requires detail::floating_elements_for<Place, Range>
void compensated_sum_async(Place&& place, Range const& values,
                           detail::bounded_for<Place, Range> result) {
  detail::measure_later<detail::sum_and_bound>(place, values, result);
}

} // namespace warpfold::inline v0
