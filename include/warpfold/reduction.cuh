#pragma once
// Reductions for those who compile with nvcc: any random-access iterator, any trivially copyable
// element and accumulator, any operator and transform.
//
// place, blocking and _async forms, determinism and errors are those of <warpfold/reduction.hpp>.
// Elements are folded in order unless is_commutative<Op> says that they need not be. The operator
// must be associative, up to rounding. Elements and accumulators are default constructible,
// accumulators at most 256 bytes, and results of transforms convert to them (warpfold's own
// identity and square are applied after the conversion). That host and GPU agree bit for bit holds
// as far as both compilers compute a user's operator and transform alike: compile floating-point
// ones with -fmad=false -Xcompiler=-ffp-contract=off, or write fma where it is meant.
// On a gpu, operators, transforms and iterators have __device__ functions; what hosts alone can
// call does not compile, std::plus without --expt-relaxed-constexpr among them. (Functions
// that other libraries call, as a thrust::transform_iterator does, are theirs to check.)
// Elements are converted to the type of init before they are folded. Where that would cut off
// digits of floating-point numbers, high bits of integers or, in as many bits, their signs, as with
// doubles and a 0, it does not compile. Operators of other libraries are your own: in order, with
// other bits than those of warpfold::plus.

#include <warpfold/detail/reduction/custom_fold.cuh>
#include <warpfold/reduction.hpp>

#include <cstddef>

namespace warpfold::inline v0 {

/// op(init, the `size` elements from `first` on, transformed and folded with op).
///
/// @param first a pointer or random-access iterator into memory of the place. On a gpu it is
///              dereferenced there: thrust::counting_iterator, thrust::transform_iterator, ...
template <class Place, detail::indexable Iterator, class A, class Op, class Transform>
A transform_reduce(Place&& place, Iterator first, std::size_t size, A init, Op op,
                   Transform transform) {
  return detail::fold_iterator_job(place, first, size, init, op, transform).now("transform_reduce");
}
template <class Place, detail::indexable Iterator, class A, class Op, class Transform>
void transform_reduce_async(Place&& place, Iterator first, std::size_t size, A init, Op op,
                            Transform transform, detail::result_t<Place, A> result) {
  detail::fold_iterator_job(place, first, size, init, op, transform)
      .later("transform_reduce_async", result);
}

/// op(init, the `size` elements from `first` on, folded with op).
template <class Place, detail::indexable Iterator, class A, class Op>
A reduce(Place&& place, Iterator first, std::size_t size, A init, Op op) {
  return detail::fold_iterator_job(place, first, size, init, op).now("reduce");
}
template <class Place, detail::indexable Iterator, class A, class Op>
void reduce_async(Place&& place, Iterator first, std::size_t size, A init, Op op,
                  detail::result_t<Place, A> result) {
  detail::fold_iterator_job(place, first, size, init, op).later("reduce_async", result);
}

/// Forms for ranges, with elements, operators or transforms that are not built in.
template <class Place, class A, class Op, class Transform,
          detail::custom_operands<Place, A, Op, Transform> Range>
A transform_reduce(Place&& place, Range const& values, A init, Op op, Transform transform) {
  return detail::fold_range_job(place, values, init, op, transform).now("transform_reduce");
}
template <class Place, class A, class Op, class Transform,
          detail::custom_operands<Place, A, Op, Transform> Range>
void transform_reduce_async(Place&& place, Range const& values, A init, Op op, Transform transform,
                            detail::result_t<Place, A> result) {
  detail::fold_range_job(place, values, init, op, transform)
      .later("transform_reduce_async", result);
}
template <class Place, class A, class Op, detail::custom_operands<Place, A, Op> Range>
A reduce(Place&& place, Range const& values, A init, Op op) {
  return detail::fold_range_job(place, values, init, op).now("reduce");
}
template <class Place, class A, class Op, detail::custom_operands<Place, A, Op> Range>
void reduce_async(Place&& place, Range const& values, A init, Op op,
                  detail::result_t<Place, A> result) {
  detail::fold_range_job(place, values, init, op).later("reduce_async", result);
}

} // namespace warpfold::inline v0
