#pragma once
// Segmented reductions by CUB, to be compared with: the verbs of <warpfold/segments.hpp> with a
// tag. twins::fold is the call without one. Link warpfold::twins.
//
// Compiled are float, double and std::int32_t with plus, and float with minimum<> and maximum<>,
// each with the element's type as the accumulator.

#include <warpfold/segments.hpp>
#include <warpfold/twins/tags.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

namespace detail {

template <class T, class A, class Op>
concept compared_segments = std::same_as<T, A> &&
    ((one_of<T, float, double, std::int32_t> && std::same_as<Op, plus>) ||
     (std::same_as<T, float> && one_of<Op, minimum<>, maximum<>>));
template <class Place, class Range, class A, class Op>
concept compared_segments_of =
    elements_for<Range, Place> && compared_segments<element_t<Place, Range>, A, Op>;

// As those without a tag.

template <class T, class A, class Op>
void segments_to(gpu& place, T const* values, std::size_t size, segment_offsets const& offsets,
                 A init, A* results, twins::vendor twin, bool blocking);
template <class T, class A, class Op>
void segments_to(host const& place, T const* values, std::size_t size,
                 segment_offsets const& offsets, A init, A* results, twins::vendor twin,
                 bool blocking);
template <class T, class A, class Op>
void rows_to(gpu& place, T const* values, segment_rows const& rows, A init, A* results,
             twins::vendor twin, bool blocking);
template <class T, class A, class Op>
void rows_to(host const& place, T const* values, segment_rows const& rows, A init, A* results,
             twins::vendor twin, bool blocking);
template <class T, class A, class Op>
void columns_to(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                twins::vendor twin, bool blocking);
template <class T, class A, class Op>
void columns_to(host const& place, T const* values, matrix_shape const& shape, A init, A* results,
                twins::vendor twin, bool blocking);

template <class Op, class Place, class Range, class Offsets, class A>
void reduce_segments(Place& place, Range const& values, Offsets const& offsets, A init,
                     result_t<Place, A> results, twins::vendor twin, bool blocking) {
  with_segments<Place, Range, Offsets, A>(
      values, offsets, results, [&](auto input, segment_offsets const& all) {
        segments_to<A, A, Op>(place, input.data(), input.size(), all, init, results.data(), twin,
                              blocking);
      });
  finish(place, blocking);
}
template <class Op, class Place, class Range, class A>
void reduce_segments(Place& place, Range const& values, fixed_length length, A init,
                     result_t<Place, A> results, twins::vendor twin, bool blocking) {
  with_fixed<Place, Range, A>(values, length, results, [&](auto input, segment_rows const& rows) {
    rows_to<A, A, Op>(place, input.data(), rows, init, results.data(), twin, blocking);
  });
  finish(place, blocking);
}
template <class Op, class Place, class Range, class A>
void reduce_rows_of(Place& place, Range const& values, matrix_shape const& shape, A init,
                    result_t<Place, A> results, twins::vendor twin, bool blocking) {
  with_matrix<Place, Range, A>(values, shape, results, shape.rows, [&](auto input) {
    rows_to<A, A, Op>(place, input.data(), rows_of(shape), init, results.data(), twin, blocking);
  });
  finish(place, blocking);
}
template <class Op, class Place, class Range, class A>
void reduce_columns_of(Place& place, Range const& values, matrix_shape const& shape, A init,
                       result_t<Place, A> results, twins::vendor twin, bool blocking) {
  with_matrix<Place, Range, A>(values, shape, results, shape.columns, [&](auto input) {
    columns_to<A, A, Op>(place, input.data(), shape, init, results.data(), twin, blocking);
  });
  finish(place, blocking);
}

} // namespace detail

// What holds for every verb below.
//
// Results     cub adds up in an order of its own: the same bits on every run on one GPU model.
// cub         on a gpu: cub::DeviceSegmentedReduce, which finds columns through an iterator that
//             strides. Scratch memory is the gpu's workspace, which blocking calls grow.
// Throws      what the call without a tag throws; argument_error for `twin` if it is no vendor, for
//             cub on a host, and for thrust, which has no segments.

/// segmented_reduce() by a vendor.
template <class Place, class Range, class Offsets, class A, class Op>
requires(detail::compared_segments_of<Place, Range, A, Op>&& detail::offsets_for<
         Place, Offsets>) void segmented_reduce(Place&& place, Range const& values,
                                                Offsets const& offsets, A init, Op,
                                                detail::result_t<Place, A> results,
                                                twins::vendor twin) {
  detail::reduce_segments<Op>(place, values, offsets, init, results, twin, true);
}
template <class Place, class Range, class Offsets, class A, class Op>
requires(detail::compared_segments_of<Place, Range, A, Op>&& detail::offsets_for<
         Place, Offsets>) void segmented_reduce_async(Place&& place, Range const& values,
                                                      Offsets const& offsets, A init, Op,
                                                      detail::result_t<Place, A> results,
                                                      twins::vendor twin) {
  detail::reduce_segments<Op>(place, values, offsets, init, results, twin, false);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce(Place&& place, Range const& values, fixed_length length, A init, Op,
                      detail::result_t<Place, A> results, twins::vendor twin) {
  detail::reduce_segments<Op>(place, values, length, init, results, twin, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce_async(Place&& place, Range const& values, fixed_length length, A init, Op,
                            detail::result_t<Place, A> results, twins::vendor twin) {
  detail::reduce_segments<Op>(place, values, length, init, results, twin, false);
}

/// reduce_rows() by a vendor.
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_rows(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                 detail::result_t<Place, A> results, twins::vendor twin) {
  detail::reduce_rows_of<Op>(place, values, shape, init, results, twin, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_rows_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                       detail::result_t<Place, A> results, twins::vendor twin) {
  detail::reduce_rows_of<Op>(place, values, shape, init, results, twin, false);
}

/// reduce_columns() by a vendor.
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                    detail::result_t<Place, A> results, twins::vendor twin) {
  detail::reduce_columns_of<Op>(place, values, shape, init, results, twin, true);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                          detail::result_t<Place, A> results, twins::vendor twin) {
  detail::reduce_columns_of<Op>(place, values, shape, init, results, twin, false);
}

} // namespace warpfold::inline v0
