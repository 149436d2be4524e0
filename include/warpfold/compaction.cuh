#pragma once
// Compaction for those who compile with nvcc: any predicate, element type and random-access
// iterator.
//
// What is written, blocking and _async forms and errors are those of <warpfold/compaction.hpp>. The
// predicate is a function object that the place can call, for a lambda __host__ __device__, and
// says the same each time that it is asked about an element. Elements are trivially copyable and
// default constructible, of up to 128 bytes on a gpu. There a call takes 8 bytes of scratch memory
// for every 256 min(32, 128 / size) of them, `size` bytes each.

#include <warpfold/compaction.hpp>
#include <warpfold/detail/counting/compaction.cuh>
#include <warpfold/detail/counting/compaction_host.hpp>
#include <warpfold/reduction.cuh>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>

namespace warpfold::inline v0 {

namespace detail {

template <class Place, class Iterator, class T, class Predicate>
void compact_elements(Place& place, Iterator first, std::size_t size, Predicate predicate,
                      T* output, std::size_t capacity, std::uint64_t* count, bool may_allocate) {
  check_first(first, size);
  T const* values = nullptr; // those of other iterators are nowhere
  if constexpr (std::contiguous_iterator<Iterator>) values = std::to_address(first);
  check_output(values, values ? size : 0, output, capacity, count);
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>) {
    static_assert(std::is_pointer_v<Iterator> || !std::contiguous_iterator<Iterator>,
                  "an iterator into a container of the host cannot be read on a gpu");
    compact_on(place, first, size, predicate, output, capacity, count, may_allocate);
  } else {
    *count = compact_host(place.threads(), first, size, predicate, output, capacity);
  }
}

template <class Place, class Range, class Predicate>
concept custom_compaction = !built_in_selection<element_t<Place, Range>, Predicate>;

} // namespace detail

/// Copies those of the `size` elements from `first` on for which the predicate holds; returns how
/// many there are.
///
/// @param first a pointer or random-access iterator into memory of the place. On a gpu it is
///              dereferenced there.
template <class Place, detail::indexable Iterator, class Predicate>
std::uint64_t
compact_if(Place&& place, Iterator first, std::size_t size, Predicate predicate,
           detail::result_t<Place, typename std::iterator_traits<Iterator>::value_type> output) {
  return detail::compute_now<std::uint64_t>(place, [&](std::uint64_t* count) {
    detail::compact_elements(place, first, size, predicate, output.data(), output.size(), count,
                             true);
  });
}
template <class Place, detail::indexable Iterator, class Predicate>
void compact_if_async(
    Place&& place, Iterator first, std::size_t size, Predicate predicate,
    detail::result_t<Place, typename std::iterator_traits<Iterator>::value_type> output,
    detail::result_t<Place, std::uint64_t> count) {
  detail::compute_later(
      count,
      [&](std::uint64_t* to) {
        detail::compact_elements(place, first, size, predicate, output.data(), output.size(), to,
                                 false);
      },
      "count");
}

/// The same for ranges, with elements or predicates that are not built in.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_compaction<Place, Range, Predicate> std::uint64_t
compact_if(Place&& place, Range const& values, Predicate predicate,
           detail::result_t<Place, detail::element_t<Place, Range>> output) {
  auto const input = detail::checked<Place>(values);
  return compact_if(place, input.data(), input.size(), predicate, output);
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_compaction<Place, Range, Predicate>
void compact_if_async(Place&& place, Range const& values, Predicate predicate,
                      detail::result_t<Place, detail::element_t<Place, Range>> output,
                      detail::result_t<Place, std::uint64_t> count) {
  auto const input = detail::checked<Place>(values);
  compact_if_async(place, input.data(), input.size(), predicate, output, count);
}

} // namespace warpfold::inline v0
