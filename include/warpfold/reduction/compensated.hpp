#pragma once
// Sums with a guarantee: nearly as accurate as in twice the precision, with a bound of the error.
// Places, blocking and _async forms, determinism and errors are those of <warpfold/reduction.hpp>.

#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/reduction.hpp>

namespace warpfold::inline v0 {

/// Sum of the elements, or 0, and a bound of its error: |value - exact sum| <= error_bound.
///
/// Elements are float, double, __half or __nv_bfloat16; the half types are summed as float. The
/// tree is the fold's. Every addition in it also gives the error of its rounding (Knuth's TwoSum);
/// those errors are added up beside the sum and, in the end, to it (T. Ogita, S. M. Rump, S. Oishi,
/// "Accurate sum and dot product", SIAM J. Sci. Comput. 26(6), 2005). The bound is computed from
/// the errors found and rounded up: it holds for every input, however ill-conditioned, underflow
/// included, and is 0 only if the value is exact. docs/numerics.md derives it. An element is read
/// once.
///
/// A sum that overflows, or has infinite elements, is infinite or NaN as the plain sum is; its
/// error_bound is then infinity or NaN. If only an error cannot be known, the bound is infinity.
template <class Place, detail::floating_elements<Place> Range>
auto compensated_sum(Place&& place, Range const& values) {
  return detail::measure_job<detail::sum_and_bound>(place, values).now("compensated_sum");
}
template <class Place, detail::floating_elements<Place> Range>
void compensated_sum_async(Place&& place, Range const& values,
                           detail::bounded_for<Place, Range> result) {
  detail::measure_job<detail::sum_and_bound>(place, values).later("compensated_sum_async", result);
}

} // namespace warpfold::inline v0
