#pragma once
// Segments of any type and operator.

#include <warpfold/detail/segments/segments.cuh>
#include <warpfold/detail/segments/segments.hpp>
#include <warpfold/detail/segments/segments_host.hpp>
#include <warpfold/reduction.cuh>

#include <type_traits>

namespace warpfold::inline v0::detail {

template <class Range, class Place, class A, class Op>
concept custom_segments =
    elements_for<Range, Place> && !built_in_segments<element_t<Place, Range>, A, Op>;

template <class Place, class T, class A, class Op>
void check_custom_segments() {
  check_operands<Place, T, A, Op>();
  static_assert(is_commutative<Op>, "segments are folded with operators that commute: specialise "
                                    "warpfold::is_commutative if yours does");
  static_assert(sizeof(A) <= 32 && sizeof(T) <= 256,
                "an accumulator of segments has at most 32 bytes, an element 256");
}

template <class Place, class Range, class Segments, class A, class Op>
void reduce_custom_segments(Place& place, Range const& values, Segments const& segments, A init,
                            Op op, result_t<Place, A> results, bool blocking) {
  check_custom_segments<Place, element_t<Place, Range>, A, Op>();
  with_segments<Place, Range, Segments, A>(
      place, values, segments, results, blocking, [&](auto input, auto const& layout) {
        fold_segments_of(place, input.data(), input.size(), layout, init, op,
                         converting<A, identity>{}, results.data(), blocking);
      });
}

} // namespace warpfold::inline v0::detail
