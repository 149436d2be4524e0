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

// As those without a tag.

template <class T, class A, class Op, class Layout>
void segments_to(gpu& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, twins::vendor twin, bool blocking);
template <class T, class A, class Op, class Layout>
void segments_to(host const& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, twins::vendor twin, bool blocking);

} // namespace detail

// Contract of every verb below.
//
// Results     cub adds up in an order of its own: the same bits on every run on one GPU model.
// cub         on a gpu: cub::DeviceSegmentedReduce, which finds columns through an iterator that
//             strides. Scratch memory is the gpu's workspace, which blocking calls grow.
// Throws      what the call without a tag throws; argument_error for `twin` if it is no vendor, for
//             cub on a host, and for thrust, which has no segments.

/// segmented_reduce() by a vendor.
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class A,
          class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce(Place&& place, Range const& values, Segments const& segments, A init, Op,
                      detail::result_t<Place, A> results, twins::vendor twin) {
  detail::verb const scope("segmented_reduce");
  detail::reduce_segments<Op>(place, values, segments, init, results, true, twin);
}
template <class Place, elements_for<Place> Range, detail::segments_for<Place> Segments, class A,
          class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void segmented_reduce_async(Place&& place, Range const& values, Segments const& segments, A init,
                            Op, detail::result_t<Place, A> results, twins::vendor twin) {
  detail::verb const scope("segmented_reduce_async");
  detail::reduce_segments<Op>(place, values, segments, init, results, false, twin);
}

/// reduce_rows() by a vendor.
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_rows(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                 detail::result_t<Place, A> results, twins::vendor twin) {
  detail::verb const scope("reduce_rows");
  detail::reduce_segments<Op>(place, values, detail::matrix_rows{shape}, init, results, true, twin);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_rows_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                       detail::result_t<Place, A> results, twins::vendor twin) {
  detail::verb const scope("reduce_rows_async");
  detail::reduce_segments<Op>(place, values, detail::matrix_rows{shape}, init, results, false,
                              twin);
}

/// reduce_columns() by a vendor.
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                    detail::result_t<Place, A> results, twins::vendor twin) {
  detail::verb const scope("reduce_columns");
  detail::reduce_segments<Op>(place, values, detail::matrix_columns{shape}, init, results, true,
                              twin);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::compared_segments<detail::element_t<Place, Range>, A, Op>
void reduce_columns_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op,
                          detail::result_t<Place, A> results, twins::vendor twin) {
  detail::verb const scope("reduce_columns_async");
  detail::reduce_segments<Op>(place, values, detail::matrix_columns{shape}, init, results, false,
                              twin);
}

} // namespace warpfold::inline v0
