#pragma once
// Segmented reductions for those who compile with nvcc: any trivially copyable element and
// accumulator, any operator that commutes.
//
// Arguments, results, scratch memory and errors are those of <warpfold/segments.hpp>; elements,
// accumulators and operators those of <warpfold/reduction.cuh>, but the operator must say that it
// commutes (is_commutative): segments are not folded in order.

#include <warpfold/detail/segments/custom.cuh>
#include <warpfold/segments.hpp>

namespace warpfold::inline v0 {

/// As in segments.hpp, with elements, accumulators or operators that are not built in.
template <class Place, class A, class Op, detail::custom_segments<Place, A, Op> Range,
          detail::segments_for<Place> Segments>
void segmented_reduce(Place&& place, Range const& values, Segments const& segments, A init, Op op,
                      detail::result_t<Place, A> results) {
  detail::verb const scope("segmented_reduce");
  detail::reduce_custom_segments(place, values, segments, init, op, results, true);
}
template <class Place, class A, class Op, detail::custom_segments<Place, A, Op> Range,
          detail::segments_for<Place> Segments>
void segmented_reduce_async(Place&& place, Range const& values, Segments const& segments, A init,
                            Op op, detail::result_t<Place, A> results) {
  detail::verb const scope("segmented_reduce_async");
  detail::reduce_custom_segments(place, values, segments, init, op, results, false);
}
template <class Place, class A, class Op, detail::custom_segments<Place, A, Op> Range>
void reduce_rows(Place&& place, Range const& values, matrix_shape const& shape, A init, Op op,
                 detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_rows");
  detail::reduce_custom_segments(place, values, detail::matrix_rows{shape}, init, op, results,
                                 true);
}
template <class Place, class A, class Op, detail::custom_segments<Place, A, Op> Range>
void reduce_rows_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op op,
                       detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_rows_async");
  detail::reduce_custom_segments(place, values, detail::matrix_rows{shape}, init, op, results,
                                 false);
}
template <class Place, class A, class Op, detail::custom_segments<Place, A, Op> Range>
void reduce_columns(Place&& place, Range const& values, matrix_shape const& shape, A init, Op op,
                    detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_columns");
  detail::reduce_custom_segments(place, values, detail::matrix_columns{shape}, init, op, results,
                                 true);
}
template <class Place, class A, class Op, detail::custom_segments<Place, A, Op> Range>
void reduce_columns_async(Place&& place, Range const& values, matrix_shape const& shape, A init,
                          Op op, detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_columns_async");
  detail::reduce_custom_segments(place, values, detail::matrix_columns{shape}, init, op, results,
                                 false);
}

} // namespace warpfold::inline v0
