#pragma once
// Counting for those who compile with nvcc: any predicate, element type and random-access iterator.
//
// place, blocking and _async forms and errors are those of <warpfold/counting.hpp>. The predicate
// is a function object that the place can call, for a lambda __host__ __device__. Elements are
// trivially copyable and default constructible.

#include <warpfold/counting.hpp>
#include <warpfold/detail/counting/custom_count.cuh>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

/// Number of the `size` elements from `first` on for which the predicate holds.
///
/// @param first a pointer or random-access iterator into memory of the place. On a gpu it is
///              dereferenced there.
template <class Place, detail::indexable Iterator, class Predicate>
std::uint64_t count_if(Place&& place, Iterator first, std::size_t size, Predicate predicate) {
  return detail::count_job<&detail::count_answer::count>(place, first, size, predicate)
      .now("count_if");
}
template <class Place, detail::indexable Iterator, class Predicate>
void count_if_async(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result) {
  detail::count_job<&detail::count_answer::count>(place, first, size, predicate)
      .later("count_if_async", result);
}

/// True if the predicate holds for all of them.
template <class Place, detail::indexable Iterator, class Predicate>
bool all_of(Place&& place, Iterator first, std::size_t size, Predicate predicate) {
  return detail::count_job<&detail::count_answer::all>(place, first, size, predicate).now("all_of");
}
template <class Place, detail::indexable Iterator, class Predicate>
void all_of_async(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::count_job<&detail::count_answer::all>(place, first, size, predicate)
      .later("all_of_async", result);
}

/// True if it holds for any of them.
template <class Place, detail::indexable Iterator, class Predicate>
bool any_of(Place&& place, Iterator first, std::size_t size, Predicate predicate) {
  return detail::count_job<&detail::count_answer::any>(place, first, size, predicate).now("any_of");
}
template <class Place, detail::indexable Iterator, class Predicate>
void any_of_async(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::count_job<&detail::count_answer::any>(place, first, size, predicate)
      .later("any_of_async", result);
}

/// Forms for ranges, with elements or predicates that are not built in.
template <class Place, class Predicate, detail::custom_count<Place, Predicate> Range>
std::uint64_t count_if(Place&& place, Range const& values, Predicate predicate) {
  return detail::count_job<&detail::count_answer::count>(place, values, predicate).now("count_if");
}
template <class Place, class Predicate, detail::custom_count<Place, Predicate> Range>
void count_if_async(Place&& place, Range const& values, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result) {
  detail::count_job<&detail::count_answer::count>(place, values, predicate)
      .later("count_if_async", result);
}
template <class Place, class Predicate, detail::custom_count<Place, Predicate> Range>
bool all_of(Place&& place, Range const& values, Predicate predicate) {
  return detail::count_job<&detail::count_answer::all>(place, values, predicate).now("all_of");
}
template <class Place, class Predicate, detail::custom_count<Place, Predicate> Range>
void all_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::count_job<&detail::count_answer::all>(place, values, predicate)
      .later("all_of_async", result);
}
template <class Place, class Predicate, detail::custom_count<Place, Predicate> Range>
bool any_of(Place&& place, Range const& values, Predicate predicate) {
  return detail::count_job<&detail::count_answer::any>(place, values, predicate).now("any_of");
}
template <class Place, class Predicate, detail::custom_count<Place, Predicate> Range>
void any_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::count_job<&detail::count_answer::any>(place, values, predicate)
      .later("any_of_async", result);
}

} // namespace warpfold::inline v0
