#pragma once
// Counting the elements that a predicate holds for. For predicates, element types and iterators of
// your own, compile with nvcc and include <warpfold/counting.cuh>.
//
// Contract of every verb below:
//
// place, blocking and _async forms, alignment, determinism and errors are those of
// <warpfold/reduction.hpp>. Predicates are less_than, greater_than and equal_to of the element type
// and, for floating-point elements, is_nan and is_finite. Every element is read, also when the
// first ones have decided the answer: a call is one launch and takes the time of a sum.

#include <warpfold/detail/counting/count.hpp>
#include <warpfold/reduction.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

/// Number of elements for which the predicate holds.
template <class Place, class Range, class Predicate>
requires detail::built_in_count<Range, Place, Predicate> std::uint64_t
count_if(Place&& place, Range const& values, Predicate predicate) {
  return detail::count_job<&detail::count_answer::count>(place, values, predicate).now("count_if");
}
template <class Place, class Range, class Predicate>
requires detail::built_in_count<Range, Place, Predicate>
void count_if_async(Place&& place, Range const& values, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result) {
  detail::count_job<&detail::count_answer::count>(place, values, predicate)
      .later("count_if_async", result);
}

/// True if the predicate holds for all elements; true if there are none.
template <class Place, class Range, class Predicate>
requires detail::built_in_count<Range, Place, Predicate>
bool all_of(Place&& place, Range const& values, Predicate predicate) {
  return detail::count_job<&detail::count_answer::all>(place, values, predicate).now("all_of");
}
template <class Place, class Range, class Predicate>
requires detail::built_in_count<Range, Place, Predicate>
void all_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::count_job<&detail::count_answer::all>(place, values, predicate)
      .later("all_of_async", result);
}

/// True if the predicate holds for any element; false if there are none.
template <class Place, class Range, class Predicate>
requires detail::built_in_count<Range, Place, Predicate>
bool any_of(Place&& place, Range const& values, Predicate predicate) {
  return detail::count_job<&detail::count_answer::any>(place, values, predicate).now("any_of");
}
template <class Place, class Range, class Predicate>
requires detail::built_in_count<Range, Place, Predicate>
void any_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::count_job<&detail::count_answer::any>(place, values, predicate)
      .later("any_of_async", result);
}

} // namespace warpfold::inline v0
