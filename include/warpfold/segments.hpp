#pragma once
// Reductions of many segments of an array at once, of the rows of a matrix, and of its columns; for
// the built-in types. For element types and operators of your own, compile with nvcc and include
// <warpfold/segments.cuh>.

#include <warpfold/detail/segments/segments_shape.hpp>
#include <warpfold/reduction.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

/// Segments of so many elements each, one after the other.
struct fixed_length {
  std::size_t elements; ///< in each of them, at least 1
};

/// A matrix in an array: element (i, j) is element i * pitch + j.
struct matrix_shape {
  std::size_t rows = 0;        ///< any number
  std::size_t columns = 0;     ///< any number
  std::size_t pitch = columns; ///< at least `columns`
};

namespace detail {

/// What is compiled into the library.
template <class T, class A, class Op>
concept built_in_segments =
    (one_of<T, std::int32_t, std::int64_t, float, double, __half, __nv_bfloat16> &&
     std::same_as<A, typename default_accumulator<T>::type> &&
     one_of<Op, plus, multiplies, minimum<>, maximum<>>) ||
    (std::same_as<T, float> && std::same_as<A, double> && std::same_as<Op, plus>);

template <class Place, class Offsets>
concept offsets_for = elements_for<Offsets, Place> && requires {
  requires one_of<element_t<Place, Offsets>, std::int32_t, std::int64_t>;
};
template <class Place, class Range, class A, class Op>
concept built_in_segments_of =
    elements_for<Range, Place> && built_in_segments<element_t<Place, Range>, A, Op>;

/// The doors: results[i] = op(init, fold of segment, row or column i), where the place can write.
/// `blocking` says that the caller will wait, so that scratch memory may be grown.
template <class T, class A, class Op>
void segments_to(gpu& place, T const* values, std::size_t size, segment_offsets const& offsets,
                 A init, A* results, bool blocking);
template <class T, class A, class Op>
void segments_to(host const& place, T const* values, std::size_t size,
                 segment_offsets const& offsets, A init, A* results, bool blocking);
template <class T, class A, class Op>
void rows_to(gpu& place, T const* values, segment_rows const& rows, A init, A* results,
             bool blocking);
template <class T, class A, class Op>
void rows_to(host const& place, T const* values, segment_rows const& rows, A init, A* results,
             bool blocking);
template <class T, class A, class Op>
void columns_to(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                bool blocking);
template <class T, class A, class Op>
void columns_to(host const& place, T const* values, matrix_shape const& shape, A init, A* results,
                bool blocking);

/// Refuse what can be seen to be wrong without reading the arrays.
void check_offset_count(std::size_t offsets, std::size_t results);
/// Returns the number of segments.
std::size_t check_fixed(std::size_t size, fixed_length length, std::size_t results);
void check_matrix(std::size_t size, matrix_shape const& shape, std::size_t results,
                  std::size_t expected_results);
/// Refuses results that share memory with another array.
void check_apart(void const* results, std::size_t result_bytes, void const* other,
                 std::size_t other_bytes);
/// Or with elements of a matrix; in what lies between its rows they may be.
void check_apart(void const* results, std::size_t result_bytes, void const* values,
                 segment_rows const& rows, std::size_t element);
/// Refuses offsets on the host that fall, or lie outside of an array.
void check_offset_values(segment_offsets const& offsets, std::size_t size);

template <class Place, class Offsets>
segment_offsets offsets_of(Offsets const& offsets) {
  span_t<Place, Offsets> const view(offsets);
  return {view.data(), static_cast<std::int64_t>(view.size()) - 1,
          sizeof(element_t<Place, Offsets>) == 8};
}
inline segment_rows rows_of(matrix_shape const& shape) {
  return {static_cast<std::int64_t>(shape.rows), static_cast<std::int64_t>(shape.columns),
          static_cast<std::int64_t>(shape.pitch)};
}

/// What the verbs below and those of segments.cuh check, and then do: act(values).
template <class Place, class Range, class Offsets, class A, class Act>
void with_segments(Range const& values, Offsets const& offsets, result_t<Place, A> results,
                   Act act) {
  span_t<Place, Range> const input(values);
  span_t<Place, Offsets> const positions(offsets);
  check_elements("values", input.data(), input.size());
  check_elements("offsets", positions.data(), positions.size());
  check_elements("results", results.data(), results.size());
  check_offset_count(positions.size(), results.size());
  check_apart(results.data(), results.size_bytes(), input.data(), input.size_bytes());
  check_apart(results.data(), results.size_bytes(), positions.data(), positions.size_bytes());
  segment_offsets const all = offsets_of<Place>(offsets);
  if constexpr (std::same_as<std::remove_cvref_t<Place>, host>)
    check_offset_values(all, input.size());
  act(input, all);
}
template <class Place, class Range, class A, class Act>
void with_fixed(Range const& values, fixed_length length, result_t<Place, A> results, Act act) {
  span_t<Place, Range> const input(values);
  check_elements("values", input.data(), input.size());
  check_elements("results", results.data(), results.size());
  std::size_t const count = check_fixed(input.size(), length, results.size());
  check_apart(results.data(), results.size_bytes(), input.data(), input.size_bytes());
  act(input, rows_of({count, length.elements}));
}
template <class Place, class Range, class A, class Act>
void with_matrix(Range const& values, matrix_shape const& shape, result_t<Place, A> results,
                 std::size_t expected_results, Act act) {
  span_t<Place, Range> const input(values);
  check_elements("values", input.data(), input.size());
  check_elements("results", results.data(), results.size());
  check_matrix(input.size(), shape, results.size(), expected_results);
  check_apart(results.data(), results.size_bytes(), input.data(), rows_of(shape),
              sizeof(element_t<Place, Range>));
  act(input);
}

template <class Place>
void finish(Place& place, bool blocking) {
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>)
    if (blocking) place.synchronize();
}

template <class Op, class Place, class Range, class Offsets, class A>
void reduce_segments(Place& place, Range const& values, Offsets const& offsets, A init,
                     result_t<Place, A> results, bool blocking) {
  with_segments<Place, Range, Offsets, A>(
      values, offsets, results, [&](auto input, segment_offsets const& all) {
        segments_to<element_t<Place, Range>, A, Op>(place, input.data(), input.size(), all, init,
                                                    results.data(), blocking);
      });
  finish(place, blocking);
}
template <class Op, class Place, class Range, class A>
void reduce_segments(Place& place, Range const& values, fixed_length length, A init,
                     result_t<Place, A> results, bool blocking) {
  with_fixed<Place, Range, A>(values, length, results, [&](auto input, segment_rows const& rows) {
    rows_to<element_t<Place, Range>, A, Op>(place, input.data(), rows, init, results.data(),
                                            blocking);
  });
  finish(place, blocking);
}
template <class Op, class Place, class Range, class A>
void reduce_rows_of(Place& place, Range const& values, matrix_shape const& shape, A init,
                    result_t<Place, A> results, bool blocking) {
  with_matrix<Place, Range, A>(values, shape, results, shape.rows, [&](auto input) {
    rows_to<element_t<Place, Range>, A, Op>(place, input.data(), rows_of(shape), init,
                                            results.data(), blocking);
  });
  finish(place, blocking);
}
template <class Op, class Place, class Range, class A>
void reduce_columns_of(Place& place, Range const& values, matrix_shape const& shape, A init,
                       result_t<Place, A> results, bool blocking) {
  with_matrix<Place, Range, A>(values, shape, results, shape.columns, [&](auto input) {
    columns_to<element_t<Place, Range>, A, Op>(place, input.data(), shape, init, results.data(),
                                               blocking);
  });
  finish(place, blocking);
}

} // namespace detail

/// Bytes of scratch memory that an `_async` call below needs on a gpu at most, for `elements`
/// elements of T in all and results of type A: about half a percent of the elements' bytes.
/// Blocking calls reserve it themselves.
template <class T, class A = typename detail::default_accumulator<T>::type>
[[nodiscard]] constexpr std::size_t segmented_workspace(std::size_t elements) {
  return detail::long_segments_layout<T, A>(elements).bytes;
}

// What holds for every verb below.
//
// Result      results[i] has exactly the bits that reduce(place, segment i alone, init, op) has,
//             whatever stands beside it and wherever it begins; on every gpu and on the host. (Of a
//             NaN, only that it is NaN.) An empty segment gives init. The type of init is the
//             accumulator.
// place       a gpu or a host; values, offsets and results live there. There must be exactly one
//             result a segment; results overlap neither values nor offsets.
// values      std::int32_t, std::int64_t, float, double, __half or __nv_bfloat16, at any alignment
//             that the type has.
// op          plus, multiplies, minimum<> or maximum<>. The accumulator is the element's type,
//             float for the half types; floats can also be summed in double.
// Blocking    verb(...) returns when the results are there.
// _async      verb_async(...) enqueues on a gpu's stream; it neither allocates nor waits, and can
//             be captured in a CUDA graph. Values, offsets and results must stay valid until the
//             stream has passed it. Long segments need scratch memory (segmented_workspace): a call
//             that has too little is refused until gpu::reserve or a blocking call has made room.
// Throws      argument_error that names the argument; nothing is then enqueued and no output is
//             touched. cuda_error if the runtime fails.

/// Segment i is values[offsets[i]] ... values[offsets[i + 1] - 1].
///
/// @param offsets one more than there are segments, of std::int32_t or std::int64_t, never falling
///                and within 0 ... values.size(). The first need not be 0. The host refuses others;
///                on a gpu they cannot be seen without waiting, and behaviour is then undefined.
template <class Place, class Range, class Offsets, class A, class Op>
requires(detail::built_in_segments_of<Place, Range, A, Op>&& detail::offsets_for<
         Place, Offsets>) void segmented_reduce(Place&& place, Range const& values,
                                                Offsets const& offsets, A init, Op,
                                                detail::result_t<Place, A> results) {
  detail::reduce_segments<Op>(place, values, offsets, init, results, true);
}
template <class Place, class Range, class Offsets, class A, class Op>
requires(detail::built_in_segments_of<Place, Range, A, Op>&& detail::offsets_for<
         Place, Offsets>) void segmented_reduce_async(Place&& place, Range const& values,
                                                      Offsets const& offsets, A init, Op,
                                                      detail::result_t<Place, A> results) {
  detail::reduce_segments<Op>(place, values, offsets, init, results, false);
}

/// Segment i is the i-th group of `length` neighbours.
///
/// @param length at least 1, and a divisor of values.size()
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce(Place&& place, Range const& values, fixed_length length, A init, Op,
                      detail::result_t<Place, A> results) {
  detail::reduce_segments<Op>(place, values, length, init, results, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce_async(Place&& place, Range const& values, fixed_length length, A init, Op,
                            detail::result_t<Place, A> results) {
  detail::reduce_segments<Op>(place, values, length, init, results, false);
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
  detail::reduce_rows_of<Op>(place, values, shape, init, results, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_rows_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                       detail::result_t<Place, A> results) {
  detail::reduce_rows_of<Op>(place, values, shape, init, results, false);
}

/// One result for each column of a matrix, with the bits of reduce of its elements as an array.
///
/// @param values its elements: (rows - 1) * pitch + columns at least
/// @param shape  refused where the pitch is less than the columns. Without rows, results are init
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                    detail::result_t<Place, A> results) {
  detail::reduce_columns_of<Op>(place, values, shape, init, results, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                          detail::result_t<Place, A> results) {
  detail::reduce_columns_of<Op>(place, values, shape, init, results, false);
}

} // namespace warpfold::inline v0
