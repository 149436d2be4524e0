#pragma once
// Implementation of the verbs on segments: types, checks, and the doors to the library.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/segments/segments_shape.hpp>
#include <warpfold/reduction.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

struct fixed_length;
struct matrix_shape;
template <class Marks>
struct marked_runs;

namespace detail {

/// Combinations compiled into the library.
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
template <class Segments>
struct marks_of; ///< has none, unless it is marked_runs
template <class Marks>
struct marks_of<marked_runs<Marks>> {
  using type = Marks;
};
template <class Place, class Segments>
concept marks_for = requires {
  requires std::same_as<element_t<Place, typename marks_of<Segments>::type>, std::uint64_t>;
};
/// Offsets, a fixed_length, or marked_runs.
template <class Segments, class Place>
concept segments_for = std::same_as<Segments, fixed_length> || marks_for<Place, Segments> ||
    offsets_for<Place, Segments>;

/// A matrix whose rows or columns are the segments.
struct matrix_rows {
  matrix_shape const& shape;
};
struct matrix_columns {
  matrix_shape const& shape;
};

/// An array of an argument, without its type.
struct plain_array {
  void const* data;
  std::size_t size, element_bytes;

  template <class Span>
  static plain_array from(Span span) {
    return {span.data(), span.size(), sizeof(typename Span::element_type)};
  }
};

/// Where the segments lie. Refuse what can be seen to be wrong without reading GPU memory:
/// segments that do not fit into the values; results that are not one a segment; results that share
/// memory with the offsets or the values, but for what lies between the rows of a matrix. Offsets
/// are read if `readable`.
segment_offsets checked_layout(plain_array values, plain_array results, plain_array offsets,
                               bool readable);
/// Or segments for which there are too few marks.
marked_segments checked_marks(plain_array values, plain_array results, plain_array marks);
segment_rows checked_layout(plain_array values, plain_array results, fixed_length const& length);
segment_rows checked_layout(plain_array values, plain_array results, matrix_rows matrix);
segment_columns checked_layout(plain_array values, plain_array results, matrix_columns matrix);

/// Checks the arguments of a verb, calls act(values, layout), and waits if the verb blocks.
template <class Place, class Range, class Segments, class A, class Act>
void with_segments(Place& place, Range const& values, Segments const& segments,
                   result_t<Place, A> results, bool blocking, Act act) {
  constexpr bool on_gpu = std::same_as<std::remove_cv_t<Place>, gpu>;
  span_t<Place, Range> const input(values);
  check_elements("values", input.data(), input.size());
  check_elements("results", results.data(), results.size());
  auto const from = plain_array::from(input), to = plain_array::from(results);
  if constexpr (offsets_for<Place, Segments>) {
    span_t<Place, Segments> const offsets(segments);
    check_elements("segments", offsets.data(), offsets.size());
    act(input, checked_layout(from, to, plain_array::from(offsets), !on_gpu));
  } else if constexpr (marks_for<Place, Segments>) {
    span_t<Place, typename marks_of<Segments>::type> const marks(segments.marks);
    check_elements("segments", marks.data(), marks.size());
    act(input, checked_marks(from, to, plain_array::from(marks)));
  } else {
    act(input, checked_layout(from, to, segments));
  }
  if constexpr (on_gpu)
    if (blocking) place.synchronize();
}

/// The door: results[i] = op(init, fold of segment i), where the place can write. `blocking` says
/// that the caller will wait, so that scratch memory may be grown.
template <class T, class A, class Op, class Layout>
void segments_to(gpu& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, bool blocking);
template <class T, class A, class Op, class Layout>
void segments_to(host const& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, bool blocking);

/// `twin`: a vendor's tag, or none.
template <class Op, class Place, class Range, class Segments, class A, class... Twin>
void reduce_segments(Place& place, Range const& values, Segments const& segments, A init,
                     result_t<Place, A> results, bool blocking, Twin... twin) {
  with_segments<Place, Range, Segments, A>(
      place, values, segments, results, blocking, [&](auto input, auto const& layout) {
        segments_to<element_t<Place, Range>, A, Op>(place, input.data(), input.size(), layout, init,
                                                    results.data(), twin..., blocking);
      });
}

} // namespace detail
} // namespace warpfold::inline v0
