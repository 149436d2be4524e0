#pragma once
// Rows and columns of matrices given as an mdspan: std::mdspan, cuda::std::mdspan, or any other
// view of that shape.
//
// An mdspan does not say where its elements live: they must live where the place works.

#include <warpfold/detail/core/mdspan_like.hpp>
#include <warpfold/detail/segments/matrix_view.hpp>
#include <warpfold/segments.hpp>

namespace warpfold::inline v0 {

/// A view of two dimensions: an mdspan whose accessor is a plain pointer.
template <class M>
concept matrix_view = detail::mdspan_like<M> &&(M::rank() == 2);

/// As reduce_rows(place, values, shape, ...) and reduce_columns(...), of a matrix in rows (any
/// pitch) or in columns (layout_left): the same bits either way. Blocks; `_async` enqueues.
/// @param values no copy is made
/// @throws argument_error also for strides of which none is 1
///@{
template <class Place, matrix_view M, class A, class Op>
void reduce_rows(Place&& place, M const& values, A init, Op op,
                 detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_rows");
  detail::reduce_lines<detail::lines::rows, true>(place, values, init, op, results);
}
template <class Place, matrix_view M, class A, class Op>
void reduce_columns(Place&& place, M const& values, A init, Op op,
                    detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_columns");
  detail::reduce_lines<detail::lines::columns, true>(place, values, init, op, results);
}
template <class Place, matrix_view M, class A, class Op>
void reduce_rows_async(Place&& place, M const& values, A init, Op op,
                       detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_rows_async");
  detail::reduce_lines<detail::lines::rows, false>(place, values, init, op, results);
}
template <class Place, matrix_view M, class A, class Op>
void reduce_columns_async(Place&& place, M const& values, A init, Op op,
                          detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_columns_async");
  detail::reduce_lines<detail::lines::columns, false>(place, values, init, op, results);
}
///@}

} // namespace warpfold::inline v0
