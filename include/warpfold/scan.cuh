#pragma once
// Scans for those who compile with nvcc: any random-access iterator, any trivially copyable element
// and accumulator, any operator and transform.
//
// Results, places, blocking and _async forms, determinism and errors are those of
// <warpfold/scan.hpp>. The operator must be associative, up to rounding; operands keep their order.
// Accumulators and elements are default constructible, accumulators on a gpu of at most 64 bytes;
// scan_lookback says what look-back memory a call takes there. Elements, or what the transform
// makes of them, convert to the accumulator. That host and GPU agree bit for bit holds as for
// <warpfold/reduction.cuh>. Segmented scans are those of <warpfold/scan/segmented.hpp>, of
// accumulators of at most 60 bytes.

#include <warpfold/detail/scan/custom_scan.cuh>
#include <warpfold/scan.hpp>

#include <cstddef>
#include <utility>

namespace warpfold::inline v0 {

/// results[i] = the elements up to number i, of `size` from `first` on, transformed and folded with
/// op.
///
/// @param first   a pointer or random-access iterator into memory of the place. On a gpu it is
///                dereferenced there.
/// @param results one for each element, of the accumulator's type
template <class Place, detail::indexable Iterator, class Op, class Transform,
          detail::results_for<Place> Results>
void transform_inclusive_scan(Place&& place, Iterator first, std::size_t size, Op op,
                              Transform transform, Results&& results) {
  using A = detail::result_element<Place, Results>;
  detail::scan_custom<A>("transform_inclusive_scan", place, first, size, op, transform,
                         {A{}, false}, results, true);
}
template <class Place, detail::indexable Iterator, class Op, class Transform,
          detail::results_for<Place> Results>
void transform_inclusive_scan_async(Place&& place, Iterator first, std::size_t size, Op op,
                                    Transform transform, Results&& results) {
  using A = detail::result_element<Place, Results>;
  detail::scan_custom<A>("transform_inclusive_scan_async", place, first, size, op, transform,
                         {A{}, false}, results, false);
}

/// results[i] = op(init, the elements before number i, transformed and folded with op).
template <class Place, detail::indexable Iterator, class A, class Op, class Transform>
void transform_exclusive_scan(Place&& place, Iterator first, std::size_t size, A init, Op op,
                              Transform transform, detail::result_t<Place, A> results) {
  detail::scan_custom<A>("transform_exclusive_scan", place, first, size, op, transform,
                         {init, true}, results, true);
}
template <class Place, detail::indexable Iterator, class A, class Op, class Transform>
void transform_exclusive_scan_async(Place&& place, Iterator first, std::size_t size, A init, Op op,
                                    Transform transform, detail::result_t<Place, A> results) {
  detail::scan_custom<A>("transform_exclusive_scan_async", place, first, size, op, transform,
                         {init, true}, results, false);
}

/// results[i] = elements 0 to i, folded with op: no transform.
template <class Place, detail::indexable Iterator, class Op, detail::results_for<Place> Results>
void inclusive_scan(Place&& place, Iterator first, std::size_t size, Op op, Results&& results) {
  using A = detail::result_element<Place, Results>;
  detail::scan_custom<A>("inclusive_scan", place, first, size, op, identity{}, {A{}, false},
                         results, true);
}
template <class Place, detail::indexable Iterator, class Op, detail::results_for<Place> Results>
void inclusive_scan_async(Place&& place, Iterator first, std::size_t size, Op op,
                          Results&& results) {
  using A = detail::result_element<Place, Results>;
  detail::scan_custom<A>("inclusive_scan_async", place, first, size, op, identity{}, {A{}, false},
                         results, false);
}
template <class Place, detail::indexable Iterator, class A, class Op>
void exclusive_scan(Place&& place, Iterator first, std::size_t size, A init, Op op,
                    detail::result_t<Place, A> results) {
  detail::scan_custom<A>("exclusive_scan", place, first, size, op, identity{}, {init, true},
                         results, true);
}
template <class Place, detail::indexable Iterator, class A, class Op>
void exclusive_scan_async(Place&& place, Iterator first, std::size_t size, A init, Op op,
                          detail::result_t<Place, A> results) {
  detail::scan_custom<A>("exclusive_scan_async", place, first, size, op, identity{}, {init, true},
                         results, false);
}

/// Forms for ranges, with elements or operators that are not built in.
template <class Place, elements_for<Place> Range, class Op, detail::results_for<Place> Results>
requires(!detail::built_in_inclusive<Range, Place, Results, Op>) //
    void inclusive_scan(Place&& place, Range const& values, Op op, Results&& results) {
  using A = detail::result_element<Place, Results>;
  detail::scan_custom_range<A>("inclusive_scan", place, values, op, {A{}, false}, results, true);
}
template <class Place, elements_for<Place> Range, class Op, detail::results_for<Place> Results>
requires(!detail::built_in_inclusive<Range, Place, Results, Op>) //
    void inclusive_scan_async(Place&& place, Range const& values, Op op, Results&& results) {
  using A = detail::result_element<Place, Results>;
  detail::scan_custom_range<A>("inclusive_scan_async", place, values, op, {A{}, false}, results,
                               false);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires(!detail::built_in_exclusive<Range, Place, A, Op>) //
    void exclusive_scan(Place&& place, Range const& values, A init, Op op,
                        detail::result_t<Place, A> results) {
  detail::scan_custom_range<A>("exclusive_scan", place, values, op, {init, true}, results, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires(!detail::built_in_exclusive<Range, Place, A, Op>) //
    void exclusive_scan_async(Place&& place, Range const& values, A init, Op op,
                              detail::result_t<Place, A> results) {
  detail::scan_custom_range<A>("exclusive_scan_async", place, values, op, {init, true}, results,
                               false);
}

} // namespace warpfold::inline v0
