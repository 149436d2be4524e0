#pragma once
// Matrices given as an mdspan, as they lie in memory.

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/segments.hpp>

#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// The elements of a matrix; `transposed` if its columns are contiguous.
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
  // Lines along dimension `inner` do not overlap.
  auto const is_contiguous = [&](int inner) {
    return (stride(inner) == 1 || extent(inner) <= 1) &&
           (stride(1 - inner) >= extent(inner) || extent(1 - inner) <= 1);
  };
  bool const transposed = !is_contiguous(1);
  if (transposed && !is_contiguous(0))
    refuse("values", text("with strides of ", stride(0), " and ", stride(1)),
           "1 and at least the extent of the dimension with stride 1");
  int const inner = transposed ? 0 : 1;
  matrix_shape shape{extent(1 - inner), extent(inner)};
  if (shape.rows > 1 && shape.columns > 0) shape.pitch = stride(1 - inner);
  std::size_t const size = shape.rows == 0 ? 0 : (shape.rows - 1) * shape.pitch + shape.columns;
  return matrix_in_memory<Place, T>{{view.data_handle(), size}, shape, transposed};
}

enum class lines { rows, columns };

/// Reduces the lines of a matrix; those of a transposed one are the other lines of its memory.
template <lines Lines, bool Blocking, class Place, class M, class A, class Op>
void reduce_lines(Place& place, M const& values, A init, Op op, result_t<Place, A> results) {
  auto const [elements, shape, transposed] = in_memory<Place>(values);
  bool const by_row = (Lines == lines::rows) != transposed;
  if constexpr (Blocking) {
    if (by_row) reduce_rows(place, elements, shape, init, op, results);
    else reduce_columns(place, elements, shape, init, op, results);
  } else {
    if (by_row) reduce_rows_async(place, elements, shape, init, op, results);
    else reduce_columns_async(place, elements, shape, init, op, results);
  }
}

} // namespace warpfold::inline v0::detail
