#pragma once
// Reductions of many segments of an array at once, of the rows of a matrix, and of its columns; for
// the built-in types. For element types and operators of your own, compile with nvcc and include
// <warpfold/segments.cuh>.
//
// Contract of every verb below:
//
// Result      results[i] has exactly the bits that reduce(place, segment i alone, init, op) has,
//             whatever its neighbours and wherever it begins; on every gpu and on the host. (A NaN
//             is a NaN, with any bits.) An empty segment gives init, whose type is the accumulator.
// place       a gpu or a host; values, segments' offsets and results live there. There must be
//             exactly one result a segment; results overlap neither values nor offsets.
// values      std::int32_t, std::int64_t, float, double, __half or __nv_bfloat16, at any alignment
//             that the type has.
// op          plus, multiplies, minimum<> or maximum<>. The accumulator is the element's type,
//             float for the half types; floats can also be summed in double.
// Blocking    verb(...) returns when the results are there.
// _async      verb_async(...) enqueues on a gpu's stream; it neither allocates nor waits, and can
//             be captured in a CUDA graph. Values, offsets and results must stay valid until the
//             stream has passed it. Long segments need scratch memory (segmented_workspace): a call
//             that has too little is refused until gpu::reserve or a blocking call has made room.
//             On a host it is done on return.
// Throws      argument_error that names the argument; nothing is then enqueued and no output is
//             touched. cuda_error if the runtime fails.

#include <warpfold/detail/segments/segments.hpp>
#include <warpfold/reduction.hpp>

#include <cstddef>

namespace warpfold::inline v0 {

/// Segments of equal length, one after the other.
struct fixed_length {
  std::size_t elements; ///< in each of them, at least 1
};

/// A matrix in an array: element (i, j) is element i * pitch + j.
struct matrix_shape {
  std::size_t rows = 0;        ///< any number
  std::size_t columns = 0;     ///< any number
  std::size_t pitch = columns; ///< at least `columns`
};

/// results[i] = op(init, the elements of segment i folded with op).
///
/// @param segments offsets, one more than there are segments, of std::int32_t or std::int64_t:
///                 segment i is values[offsets[i]] ... values[offsets[i + 1] - 1]. They never fall
///                 and lie within 0 ... values.size(); the first need not be 0. A host refuses
///                 others; a gpu cannot see them without waiting, and behaviour is undefined. Or a
///                 fixed_length, a divisor of values.size(): segment i is its i-th part. Or
///                 marked_runs (see <warpfold/segments/by_key.hpp>), with results as far as there
///                 is room.
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class A,
          class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce(Place&& place, Range const& values, Segments const& segments, A init, Op,
                      detail::result_t<Place, A> results) {
  detail::verb const scope("segmented_reduce");
  detail::reduce_segments<Op>(place, values, segments, init, results, true);
}
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class A,
          class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce_async(Place&& place, Range const& values, Segments const& segments, A init,
                            Op, detail::result_t<Place, A> results) {
  detail::verb const scope("segmented_reduce_async");
  detail::reduce_segments<Op>(place, values, segments, init, results, false);
}

/// One result for each row of a matrix.
///
/// @param values its elements: (rows - 1) * pitch + columns at least
/// @param shape  refused where the pitch is less than the columns. Without columns, results are
///               init
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_rows(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                 detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_rows");
  detail::reduce_segments<Op>(place, values, detail::matrix_rows{shape}, init, results, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_rows_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                       detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_rows_async");
  detail::reduce_segments<Op>(place, values, detail::matrix_rows{shape}, init, results, false);
}

/// One result for each column of a matrix, with the bits of reduce of its elements as an array.
///
/// @param values its elements: (rows - 1) * pitch + columns at least
/// @param shape  refused where the pitch is less than the columns. Without rows, results are init
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                    detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_columns");
  detail::reduce_segments<Op>(place, values, detail::matrix_columns{shape}, init, results, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                          detail::result_t<Place, A> results) {
  detail::verb const scope("reduce_columns_async");
  detail::reduce_segments<Op>(place, values, detail::matrix_columns{shape}, init, results, false);
}

/// Bytes of scratch memory that an `_async` call above needs on a gpu at most, for `elements`
/// elements of T in all and results of type A: about half a percent of the elements' bytes.
/// Blocking calls reserve it themselves.
template <class T, class A = typename detail::default_accumulator<T>::type>
[[nodiscard]] constexpr std::size_t segmented_workspace(std::size_t elements) {
  return detail::long_segments_layout<T, A>(elements).bytes;
}

} // namespace warpfold::inline v0
