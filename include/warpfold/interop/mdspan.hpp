#pragma once
// Rows and columns of matrices given as an mdspan: std::mdspan, cuda::std::mdspan, or any other
// view of that shape.
//
// An mdspan does not say where its elements live: they must live where the place works.

#include <warpfold/segments.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace warpfold::inline v0 {

/// A view of two dimensions: an mdspan whose accessor is a plain pointer.
template <class M>
concept matrix_view = M::rank()
== 2 && requires(M const& view) {
  requires std::is_pointer_v<std::remove_cvref_t<decltype(view.data_handle())>>;
  {static_cast<std::size_t>(view.extent(0))};
  {static_cast<std::size_t>(view.stride(0))};
};

namespace detail {

/// The elements of a matrix as they lie in memory; `transposed` if its columns are contiguous.
template <class Place, class T>
struct matrix_in_memory {
  result_t<Place, T const> elements;
  matrix_shape shape;
  bool transposed;
};

template <class Place, class M>
auto in_memory(M const& view) {
  using T = std::remove_cvref_t<decltype(*view.data_handle())>;
  auto const extent = [&](int d) { return static_cast<std::size_t>(view.extent(d)); };
  auto const stride = [&](int d) { return static_cast<std::size_t>(view.stride(d)); };
  // Contiguous along `inner`, and lines along it do not overlap.
  auto const goes_along = [&](int inner) {
    return (stride(inner) == 1 || extent(inner) <= 1) &&
           (stride(1 - inner) >= extent(inner) || extent(1 - inner) <= 1);
  };
  bool const transposed = !goes_along(1);
  if (transposed && !goes_along(0))
    throw argument_error("values", "strides of " + std::to_string(stride(0)) + " and " +
                                       std::to_string(stride(1)) +
                                       ": one must be 1, the other at least the extent of that "
                                       "dimension");
  int const inner = transposed ? 0 : 1;
  matrix_shape shape{extent(1 - inner), extent(inner)};
  if (shape.rows > 1 && shape.columns > 0) shape.pitch = stride(1 - inner);
  std::size_t const size = shape.rows == 0 ? 0 : (shape.rows - 1) * shape.pitch + shape.columns;
  return matrix_in_memory<Place, T>{{view.data_handle(), size}, shape, transposed};
}

} // namespace detail

/// As reduce_rows(place, values, shape, ...) and reduce_columns(...), of a matrix in rows (any
/// pitch) or in columns (layout_left): the same bits either way. Blocks; `_async` enqueues.
/// @param values no copy is made
/// @throws argument_error also for strides of which none is 1
///@{
template <class Place, matrix_view M, class A, class Op>
void reduce_rows(Place&& place, M const& values, A init, Op op,
                 detail::result_t<Place, A> results) {
  auto const all = detail::in_memory<Place>(values);
  if (all.transposed) reduce_columns(place, all.elements, all.shape, init, op, results);
  else reduce_rows(place, all.elements, all.shape, init, op, results);
}
template <class Place, matrix_view M, class A, class Op>
void reduce_columns(Place&& place, M const& values, A init, Op op,
                    detail::result_t<Place, A> results) {
  auto const all = detail::in_memory<Place>(values);
  if (all.transposed) reduce_rows(place, all.elements, all.shape, init, op, results);
  else reduce_columns(place, all.elements, all.shape, init, op, results);
}
template <class Place, matrix_view M, class A, class Op>
void reduce_rows_async(Place&& place, M const& values, A init, Op op,
                       detail::result_t<Place, A> results) {
  auto const all = detail::in_memory<Place>(values);
  if (all.transposed) reduce_columns_async(place, all.elements, all.shape, init, op, results);
  else reduce_rows_async(place, all.elements, all.shape, init, op, results);
}
template <class Place, matrix_view M, class A, class Op>
void reduce_columns_async(Place&& place, M const& values, A init, Op op,
                          detail::result_t<Place, A> results) {
  auto const all = detail::in_memory<Place>(values);
  if (all.transposed) reduce_rows_async(place, all.elements, all.shape, init, op, results);
  else reduce_columns_async(place, all.elements, all.shape, init, op, results);
}
///@}

} // namespace warpfold::inline v0
