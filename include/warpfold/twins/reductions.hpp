#pragma once
// The verbs of <warpfold/reduction.hpp> by CUB and Thrust, and sums by the classic ladder: a tag
// after the required arguments asks for them.
//
// Compiled     CUB: sums of all elements and accumulators, all else of std::int32_t, float and
//              double in their default accumulators. Thrust: std::int32_t, float and double in
//              their default accumulators. Classics: sums in the default accumulators.
// Blocking     every twin; _async forms on a gpu: CUB's and the classics', not Thrust's.
// Scratch      from the gpu's workspace. A blocking call makes it grow; an _async call is refused
//              where it is too small, until gpu::reserve or a blocking call has made room.
// No elements  warpfold's own code has the answer, whatever the tag.
// Determinism  CUB and Thrust: the same bits on every run on one GPU model, and on a host for any
//              number of threads on one machine. Classics: see twins::classic.
// Throws       what the verb throws; argument_error "twin" for a tag that the place, the form or
//              the elements do not have; cuda_error.

#include <warpfold/detail/twins/tasks.hpp>

namespace warpfold::inline v0 {

/// sum by a twin.
template <class Accumulator = void, class Place,
          detail::built_in_elements<Place, Accumulator> Range>
auto sum(Place&& place, Range const& values, twins::reducer twin) {
  return detail::fold_twin<plus, Accumulator>(place, values, twin).now("sum");
}
template <class Accumulator = void, class Place,
          detail::built_in_elements<Place, Accumulator> Range>
void sum_async(Place&& place, Range const& values,
               detail::result_for<Accumulator, Place, Range> result, twins::reducer twin) {
  detail::fold_twin<plus, Accumulator>(place, values, twin).later("sum_async", result);
}

/// product by a twin.
template <class Accumulator = void, class Place,
          detail::built_in_elements<Place, Accumulator> Range>
auto product(Place&& place, Range const& values, twins::reducer twin) {
  return detail::fold_twin<multiplies, Accumulator>(place, values, twin).now("product");
}
template <class Accumulator = void, class Place,
          detail::built_in_elements<Place, Accumulator> Range>
void product_async(Place&& place, Range const& values,
                   detail::result_for<Accumulator, Place, Range> result, twins::reducer twin) {
  detail::fold_twin<multiplies, Accumulator>(place, values, twin).later("product_async", result);
}

/// min by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto min(Place&& place, Range const& values, twins::vendor twin,
         extremum_options const& options = {}) {
  return detail::extremum_twin<minimum>(place, values, options.nan, twin).now("min");
}
template <class Place, detail::built_in_elements<Place> Range>
void min_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               twins::vendor twin, extremum_options const& options = {}) {
  detail::extremum_twin<minimum>(place, values, options.nan, twin).later("min_async", result);
}

/// max by a vendor's code.
template <class Place, detail::built_in_elements<Place> Range>
auto max(Place&& place, Range const& values, twins::vendor twin,
         extremum_options const& options = {}) {
  return detail::extremum_twin<maximum>(place, values, options.nan, twin).now("max");
}
template <class Place, detail::built_in_elements<Place> Range>
void max_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               twins::vendor twin, extremum_options const& options = {}) {
  detail::extremum_twin<maximum>(place, values, options.nan, twin).later("max_async", result);
}

/// reduce by a twin.
template <class Place, class A, class Op, detail::built_in_operands<Place, A, Op> Range>
A reduce(Place&& place, Range const& values, A init, Op, twins::reducer twin) {
  return detail::fold_twin<Op>(place, values, init, twin).now("reduce");
}
template <class Place, class A, class Op, detail::built_in_operands<Place, A, Op> Range>
void reduce_async(Place&& place, Range const& values, A init, Op, detail::result_t<Place, A> result,
                  twins::reducer twin) {
  detail::fold_twin<Op>(place, values, init, twin).later("reduce_async", result);
}

/// transform_reduce by a twin.
template <class Place, class A, class Op, class Transform,
          detail::built_in_operands<Place, A, Op, Transform> Range>
A transform_reduce(Place&& place, Range const& values, A init, Op, Transform, twins::reducer twin) {
  return detail::fold_twin<Op, Transform>(place, values, init, twin).now("transform_reduce");
}
template <class Place, class A, class Op, class Transform,
          detail::built_in_operands<Place, A, Op, Transform> Range>
void transform_reduce_async(Place&& place, Range const& values, A init, Op, Transform,
                            detail::result_t<Place, A> result, twins::reducer twin) {
  detail::fold_twin<Op, Transform>(place, values, init, twin)
      .later("transform_reduce_async", result);
}

} // namespace warpfold::inline v0
