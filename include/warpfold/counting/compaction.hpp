#pragma once
// Keeping the elements that a predicate holds for. For predicates, element types and iterators of
// your own, compile with nvcc and include <warpfold/counting/compaction.cuh>.
//
// Contract of both verbs:
//
// place, blocking and _async forms, alignment and errors are those of <warpfold/reduction.hpp>;
// predicates those of <warpfold/counting.hpp>. Elements are std::int32_t, std::int64_t, float or
// double.
//
// output      As many of the selected elements as it has room for, the first ones, in the order
//             they have among the values; what is behind them is not touched. It lives where the
//             values do and shares no memory with them.
// count       The number of all that are selected, with and without room. It shares no memory with
//             values or output.
// Determinism The same output and count on every run and place.
// Scratch     A gpu's workspace: 8 bytes for every 32 KiB of values, so that an _async call on more
//             than 4 GiB needs gpu::reserve or a blocking call first.
// Throws      argument_error also for an output that is null with a size, or overlaps the values,
//             and for a count that overlaps either.

#include <warpfold/counting.hpp>
#include <warpfold/detail/counting/compaction.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

/// Copies the elements for which the predicate holds; returns how many there are.
template <class Place, class Range, class Predicate>
requires detail::built_in_compaction<Range, Place, Predicate> std::uint64_t
compact_if(Place&& place, Range const& values, Predicate predicate,
           detail::output_t<Place, Range> output) {
  detail::verb const scope("compact_if");
  return detail::compact_now(place, values, predicate, output);
}
template <class Place, class Range, class Predicate>
requires detail::built_in_compaction<Range, Place, Predicate>
void compact_if_async(Place&& place, Range const& values, Predicate predicate,
                      detail::output_t<Place, Range> output,
                      detail::result_t<Place, std::uint64_t> count) {
  detail::verb const scope("compact_if_async");
  detail::compact_later(place, count, values, predicate, output);
}

} // namespace warpfold::inline v0
