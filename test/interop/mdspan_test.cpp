// Rows and columns of matrices given as an mdspan. cuda::std::mdspan itself is in
// device_range_custom_test.cu: this compiler has none.

#include "gpu.hpp"

#include <warpfold/interop/mdspan.hpp>

namespace mdspan_test {

using namespace test;
namespace wf = warpfold;

/// The members that a matrix_view has, and no more.
template <class T>
struct strided {
  T* first;
  std::size_t extents[2], strides[2];

  static constexpr std::size_t rank() { return 2; }
  T* const& data_handle() const { return first; }
  std::size_t extent(std::size_t d) const { return extents[d]; }
  std::size_t stride(std::size_t d) const { return strides[d]; }
};

FAST_EVERY_PLACE_OF("matrices as an mdspan", T, std::int32_t, float) {
  constexpr std::size_t rows = 37, columns = 130, pitch = 144;
  auto const all = rough_values<T>(rows * pitch, 11);
  memory_of<Place, T> values(place, all);
  memory_of<Place, T> by_row(place, std::vector<T>(rows)),
      by_column(place, std::vector<T>(columns)), got_rows(place, std::vector<T>(rows)),
      got_columns(place, std::vector<T>(columns));
  wf::matrix_shape const shape{rows, columns, pitch};
  wf::reduce_rows(place, values.all(), shape, T(1), wf::plus{}, by_row.all());
  wf::reduce_columns(place, values.all(), shape, T(1), wf::plus{}, by_column.all());
  auto const check_same = [&] {
    for (std::size_t i = 0; i < rows; ++i) CHECK(got_rows.get(i) == by_row.get(i));
    for (std::size_t j = 0; j < columns; ++j) CHECK(got_columns.get(j) == by_column.get(j));
  };

  strided<T> const in_rows{values.all().data(), {rows, columns}, {pitch, 1}};
  wf::reduce_rows(place, in_rows, T(1), wf::plus{}, got_rows.all());
  wf::reduce_columns_async(place, in_rows, T(1), wf::plus{}, got_columns.all());
  check_same();

  // The rows of this memory as columns.
  strided<T const> const in_columns{values.all().data(), {columns, rows}, {1, pitch}};
  wf::reduce_columns(place, in_columns, T(1), wf::plus{}, got_rows.all());
  wf::reduce_rows_async(place, in_columns, T(1), wf::plus{}, got_columns.all());
  check_same();

  // One row, one column, and none.
  wf::reduce_rows(place, strided<T>{values.all().data(), {1, columns}, {5, 1}}, T(1), wf::plus{},
                  got_rows.all().subspan(0, 1));
  CHECK(got_rows.get(0) == by_row.get(0));
  wf::reduce_columns(place, strided<T>{values.all().data(), {rows, 1}, {pitch, 7}}, T(1),
                     wf::plus{}, got_columns.all().subspan(0, 1));
  CHECK(got_columns.get(0) == by_column.get(0));
  wf::reduce_rows(place, strided<T>{values.all().data(), {rows, 0}, {pitch, 1}}, T(1), wf::plus{},
                  got_rows.all());
  CHECK(got_rows.get(rows - 1) == 1);
  wf::reduce_columns(place, strided<T>{nullptr, {0, columns}, {pitch, 1}}, T(1), wf::plus{},
                     got_columns.all());
  CHECK(got_columns.get(columns - 1) == 1);

  T const before = got_rows.get(0);
  for (auto const& [outer, inner] :
       {std::pair{pitch, std::size_t{2}}, {columns / 2 - 1, 1}, {1, 1}})
    CHECK_THROWS_WITH_AS(
        wf::reduce_rows(place,
                        strided<T>{values.all().data(), {rows / 2, columns / 2}, {outer, inner}},
                        T(0), wf::plus{}, got_rows.all().subspan(0, rows / 2)),
        doctest::Contains("reduce_rows: 'values' is refused: with strides of"), wf::argument_error);
  CHECK(got_rows.get(0) == before);
}

} // namespace mdspan_test
