#pragma once
// Segmented reductions for those who compile with nvcc: any trivially copyable element and
// accumulator, any operator that commutes.
//
// Arguments, results, scratch memory and errors are those of <warpfold/segments.hpp>; elements,
// accumulators and operators those of <warpfold/reduction.cuh>, but that the operator must say that
// it commutes (is_commutative): segments are not folded in order.

#include <warpfold/detail/segments/segments.cuh>
#include <warpfold/detail/segments/segments_host.hpp>
#include <warpfold/reduction.cuh>
#include <warpfold/segments.hpp>

#include <concepts>
#include <type_traits>

namespace warpfold::inline v0 {

namespace detail {

template <class Place, class Range, class A, class Op>
concept custom_segments =
    elements_for<Range, Place> && !built_in_segments<element_t<Place, Range>, A, Op>;

template <class T, class A, class Op>
constexpr void check_custom_segments() {
  static_assert(is_commutative<Op>, "segments are folded with operators that commute: specialise "
                                    "warpfold::is_commutative if yours does");
  static_assert(std::is_trivially_copyable_v<A> && std::is_trivially_copyable_v<T>,
                "elements and accumulators move between threads as bytes");
  static_assert(std::is_default_constructible_v<A> && std::is_default_constructible_v<T>,
                "elements and accumulators must be default constructible");
  static_assert(sizeof(A) <= 32 && sizeof(T) <= 256,
                "an accumulator of segments has at most 32 bytes, an element 256");
}

/// What segments_to, rows_to and columns_to are to the built-in types.
template <class T, class A, class Op>
struct custom_fold {
  A init;
  Op op;
  A* results;
  bool blocking;
  converting<A, identity> transform{};

  template <class Input>
  void segments(gpu& place, Input values, segment_offsets const& all) const {
    fold_segments_of(place, values.data(), values.size(), all, init, op, transform, results,
                     blocking);
  }
  template <class Input>
  void segments(host const& place, Input values, segment_offsets const& all) const {
    fold_segments_of(place, values.data(), all, init, op, transform, results);
  }
  template <class Input>
  void rows(gpu& place, Input values, segment_rows const& all) const {
    fold_rows_of(place, values.data(), all, init, op, transform, results, blocking);
  }
  template <class Input>
  void rows(host const& place, Input values, segment_rows const& all) const {
    fold_rows_of(place, values.data(), all, init, op, transform, results);
  }
  template <class Input>
  void columns(gpu& place, Input values, segment_rows const& all) const {
    fold_columns_of(place, values.data(), all.count, all.length, all.pitch, init, op, transform,
                    results, blocking);
  }
  template <class Input>
  void columns(host const& place, Input values, segment_rows const& all) const {
    fold_columns_of(place, values.data(), all.count, all.length, all.pitch, init, op, transform,
                    results);
  }
};

template <class Place, class Range, class Offsets, class A, class Op>
void custom_segments_to(Place& place, Range const& values, Offsets const& offsets, A init, Op op,
                        result_t<Place, A> results, bool blocking) {
  using T = element_t<Place, Range>;
  check_custom_segments<T, A, Op>();
  custom_fold<T, A, Op> const fold{init, op, results.data(), blocking};
  if constexpr (std::same_as<Offsets, fixed_length>)
    with_fixed<Place, Range, A>(values, offsets, results,
                                [&](auto input, auto const& all) { fold.rows(place, input, all); });
  else
    with_segments<Place, Range, Offsets, A>(
        values, offsets, results,
        [&](auto input, auto const& all) { fold.segments(place, input, all); });
  finish(place, blocking);
}

template <class Place, class Range, class A, class Op>
void custom_matrix_to(Place& place, Range const& values, matrix_shape const& shape, A init, Op op,
                      result_t<Place, A> results, bool of_rows, bool blocking) {
  using T = element_t<Place, Range>;
  check_custom_segments<T, A, Op>();
  custom_fold<T, A, Op> const fold{init, op, results.data(), blocking};
  with_matrix<Place, Range, A>(values, shape, results, of_rows ? shape.rows : shape.columns,
                               [&](auto input) {
                                 if (of_rows) fold.rows(place, input, rows_of(shape));
                                 else fold.columns(place, input, rows_of(shape));
                               });
  finish(place, blocking);
}

} // namespace detail

/// As in segments.hpp, with elements, accumulators or operators that are not built in; `offsets` is
/// an array of positions or a fixed_length.
template <class Place, class Range, class Offsets, class A, class Op>
requires(detail::custom_segments<Place, Range, A, Op> &&
         (detail::offsets_for<Place, Offsets> ||
          std::same_as<Offsets,
                       fixed_length>)) void segmented_reduce(Place&& place, Range const& values,
                                                             Offsets const& offsets, A init, Op op,
                                                             detail::result_t<Place, A> results) {
  detail::custom_segments_to(place, values, offsets, init, op, results, true);
}
template <class Place, class Range, class Offsets, class A, class Op>
requires(
    detail::custom_segments<Place, Range, A, Op> &&
    (detail::offsets_for<Place, Offsets> ||
     std::same_as<Offsets,
                  fixed_length>)) void segmented_reduce_async(Place&& place, Range const& values,
                                                              Offsets const& offsets, A init, Op op,
                                                              detail::result_t<Place, A> results) {
  detail::custom_segments_to(place, values, offsets, init, op, results, false);
}

/// As in segments.hpp, with elements, accumulators or operators that are not built in.
template <class Place, class Range, class A, class Op>
requires detail::custom_segments<Place, Range, A, Op>
void reduce_rows(Place&& place, Range const& values, matrix_shape const& shape, A init, Op op,
                 detail::result_t<Place, A> results) {
  detail::custom_matrix_to(place, values, shape, init, op, results, true, true);
}
template <class Place, class Range, class A, class Op>
requires detail::custom_segments<Place, Range, A, Op>
void reduce_rows_async(Place&& place, Range const& values, matrix_shape const& shape, A init, Op op,
                       detail::result_t<Place, A> results) {
  detail::custom_matrix_to(place, values, shape, init, op, results, true, false);
}
template <class Place, class Range, class A, class Op>
requires detail::custom_segments<Place, Range, A, Op>
void reduce_columns(Place&& place, Range const& values, matrix_shape const& shape, A init, Op op,
                    detail::result_t<Place, A> results) {
  detail::custom_matrix_to(place, values, shape, init, op, results, false, true);
}
template <class Place, class Range, class A, class Op>
requires detail::custom_segments<Place, Range, A, Op>
void reduce_columns_async(Place&& place, Range const& values, matrix_shape const& shape, A init,
                          Op op, detail::result_t<Place, A> results) {
  detail::custom_matrix_to(place, values, shape, init, op, results, false, false);
}

} // namespace warpfold::inline v0
