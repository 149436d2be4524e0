#pragma once
// Compaction for those who compile with nvcc: any predicate, element type and random-access
// iterator.
//
// Output, blocking and _async forms and errors are those of <warpfold/counting/compaction.hpp>. The
// predicate is a function object that the place can call; a lambda is __host__ __device__. It must
// return the same each time that it is asked about an element. Elements are trivially copyable and
// default constructible, of up to 128 bytes on a gpu. There a call takes 8 bytes of scratch memory
// for every 256 min(32, 128 / size) of them, `size` bytes each.

#include <warpfold/counting/compaction.hpp>
#include <warpfold/detail/counting/custom_compaction.cuh>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

/// Copies those of the `size` elements from `first` on for which the predicate holds; returns how
/// many there are.
///
/// @param first a pointer or random-access iterator into memory of the place. On a gpu it is
///              dereferenced there.
template <class Place, detail::indexable Iterator, class Predicate>
std::uint64_t compact_if(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                         detail::result_t<Place, detail::iterator_element<Iterator>> output) {
  detail::verb const scope("compact_if");
  return detail::compact_now(place, first, size, predicate, output);
}
template <class Place, detail::indexable Iterator, class Predicate>
void compact_if_async(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                      detail::result_t<Place, detail::iterator_element<Iterator>> output,
                      detail::result_t<Place, std::uint64_t> count) {
  detail::verb const scope("compact_if_async");
  detail::compact_later(place, count, first, size, predicate, output);
}

/// Forms for ranges, with elements or predicates that are not built in.
template <class Place, class Predicate, detail::custom_compaction<Place, Predicate> Range>
std::uint64_t compact_if(Place&& place, Range const& values, Predicate predicate,
                         detail::output_t<Place, Range> output) {
  detail::verb const scope("compact_if");
  return detail::compact_now(place, values, predicate, output);
}
template <class Place, class Predicate, detail::custom_compaction<Place, Predicate> Range>
void compact_if_async(Place&& place, Range const& values, Predicate predicate,
                      detail::output_t<Place, Range> output,
                      detail::result_t<Place, std::uint64_t> count) {
  detail::verb const scope("compact_if_async");
  detail::compact_later(place, count, values, predicate, output);
}

} // namespace warpfold::inline v0
