#pragma once
// Reductions of arrays of the built-in types. For element types, operators and transforms of your
// own, compile with nvcc and include <warpfold/reduction.cuh>.
//
// Every verb below:
//
// place       a gpu or a host; the values live there: see elements_for. Elements are std::int32_t,
//             std::uint32_t, std::int64_t, std::uint64_t, float, double, __half or __nv_bfloat16,
//             any number of them at any alignment that the type has; or some that are `counted`.
//             Linux's std::int64_t is long: long long, a type of its own, is none of them.
// Accumulator type of the result, in which elements are added or multiplied. By default the
//             element's type, float for the half types. For sums and products also double for
//             floating-point and 64-bit elements, and the 64-bit integer for 32-bit ones.
// Blocking    verb(place, values, ...) returns the value when the work is done.
// _async      verb_async(place, values, ..., result) writes it to result[0], which lives where the
//             values do. On a gpu it enqueues on the stream and returns; it neither allocates nor
//             waits, and can be captured in a CUDA graph. values and result must stay valid until
//             the stream has passed it. On a host it is done on return. The result may lie among
//             the values, and is written when all of them were read.
// Determinism the same bits on every run, on the host and every GPU, for any number of threads:
//             results depend on the elements, their number and types alone. (NaN is any NaN.)
// Throws      argument_error for a span that is null with a size, or misaligned, and a result
//             without room; nothing is enqueued, no output is touched. cuda_error if the runtime
//             fails.
// Twins       <warpfold/twins.hpp> has the same verbs by CUB and Thrust.

#include <warpfold/detail/reduction/jobs.hpp>

namespace warpfold::inline v0 {

/// Sum of the elements, or 0. Integers wrap around. <warpfold/reduction/compensated.hpp> has a sum
/// with a bound of its error, <warpfold/reduction/exact.hpp> one that is correctly rounded.
template <class Accumulator = void, class Place,
          detail::countable_elements<Place, Accumulator> Range>
auto sum(Place&& place, Range const& values) {
  return detail::fold_job<plus, Accumulator>(place, values).now("sum");
}
template <class Accumulator = void, class Place,
          detail::countable_elements<Place, Accumulator> Range>
void sum_async(Place&& place, Range const& values,
               detail::result_for<Accumulator, Place, Range> result) {
  detail::fold_job<plus, Accumulator>(place, values).later("sum_async", result);
}

/// Product of the elements, or 1. Integers wrap around.
template <class Accumulator = void, class Place,
          detail::countable_elements<Place, Accumulator> Range>
auto product(Place&& place, Range const& values) {
  return detail::fold_job<multiplies, Accumulator>(place, values).now("product");
}
template <class Accumulator = void, class Place,
          detail::countable_elements<Place, Accumulator> Range>
void product_async(Place&& place, Range const& values,
                   detail::result_for<Accumulator, Place, Range> result) {
  detail::fold_job<multiplies, Accumulator>(place, values).later("product_async", result);
}

/// Options of min, max and the searches for them. To be used with designated initialisers.
struct extremum_options {
  /// For floating-point elements.
  nan_policy nan = nan_policy::propagate;
};

/// Smallest element, or the largest value of the type (infinity where it has one).
///
/// NaN follows extremum_options::nan.
template <class Place, detail::countable_elements<Place> Range>
auto min(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::extremum_job<minimum>(place, values, options.nan).now("min");
}
template <class Place, detail::countable_elements<Place> Range>
void min_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               extremum_options const& options = {}) {
  detail::extremum_job<minimum>(place, values, options.nan).later("min_async", result);
}

/// Largest element, or the smallest value of the type (minus infinity where it has one). NaN as
/// for min.
template <class Place, detail::countable_elements<Place> Range>
auto max(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::extremum_job<maximum>(place, values, options.nan).now("max");
}
template <class Place, detail::countable_elements<Place> Range>
void max_async(Place&& place, Range const& values, detail::result_for<void, Place, Range> result,
               extremum_options const& options = {}) {
  detail::extremum_job<maximum>(place, values, options.nan).later("max_async", result);
}

/// op(init, the elements folded with op). The type of `init` is the accumulator.
///
/// The operator is plus, multiplies, minimum<> or maximum<>; any other with
/// <warpfold/reduction.cuh>.
template <class Place, class A, class Op, detail::countable_operands<Place, A, Op> Range>
A reduce(Place&& place, Range const& values, A init, Op) {
  return detail::fold_job<Op>(place, values, init).now("reduce");
}
template <class Place, class A, class Op, detail::countable_operands<Place, A, Op> Range>
void reduce_async(Place&& place, Range const& values, A init, Op,
                  detail::result_t<Place, A> result) {
  detail::fold_job<Op>(place, values, init).later("reduce_async", result);
}

/// op(init, the transformed elements folded with op). The type of `init` is the accumulator;
/// elements are converted to it before they are transformed.
///
/// The operator is plus and the transform identity or square; any others with
/// <warpfold/reduction.cuh>.
template <class Place, class A, class Op, class Transform,
          detail::countable_operands<Place, A, Op, Transform> Range>
A transform_reduce(Place&& place, Range const& values, A init, Op, Transform) {
  return detail::fold_job<Op, Transform>(place, values, init).now("transform_reduce");
}
template <class Place, class A, class Op, class Transform,
          detail::countable_operands<Place, A, Op, Transform> Range>
void transform_reduce_async(Place&& place, Range const& values, A init, Op, Transform,
                            detail::result_t<Place, A> result) {
  detail::fold_job<Op, Transform>(place, values, init).later("transform_reduce_async", result);
}

/// A range whose elements live where `Place` works: for a gpu a device_range (device_span,
/// device_buffer, thrust::device_vector, rmm::device_uvector, what has device_range_traits of its
/// own), for a host any other contiguous range (std::span, std::vector, pinned_buffer, ...).
template <class Range, class Place>
concept elements_for = requires {
  typename detail::element_t<Place, Range>;
};

} // namespace warpfold::inline v0
