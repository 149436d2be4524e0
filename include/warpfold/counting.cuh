#pragma once
// Counting for those who compile with nvcc: any predicate, element type and random-access iterator.
//
// place, blocking and _async forms and errors are those of <warpfold/counting.hpp>. The predicate
// is a function object that the place can call, for a lambda __host__ __device__. Elements are
// trivially copyable and default constructible.

#include <warpfold/counting.hpp>
#include <warpfold/detail/counting/count.cuh>
#include <warpfold/detail/counting/count_host.hpp>
#include <warpfold/reduction.cuh>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

namespace detail {

template <class Place, class Iterator, class Predicate>
void count_elements(Place& place, Iterator first, std::size_t size, Predicate predicate,
                    count_answer answer) {
  check_first(first, size);
  answer.size = size;
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>) {
    static_assert(std::is_pointer_v<Iterator> || !std::contiguous_iterator<Iterator>,
                  "an iterator into a container of the host cannot be read on a gpu");
    launch_count(place, first, size, predicate, answer);
  } else {
    answer(count_host(place.threads(), first, size, predicate));
  }
}

template <class Place, class Range, class Predicate>
concept custom_count = !built_in_predicate<element_t<Place, Range>, Predicate>;

} // namespace detail

/// Number of the `size` elements from `first` on for which the predicate holds.
///
/// @param first a pointer or random-access iterator into memory of the place. On a gpu it is
///              dereferenced there.
template <class Place, detail::indexable Iterator, class Predicate>
std::uint64_t count_if(Place&& place, Iterator first, std::size_t size, Predicate predicate) {
  return detail::compute_now<std::uint64_t>(place, [&](std::uint64_t* result) {
    detail::count_elements(place, first, size, predicate, {.count = result});
  });
}
template <class Place, detail::indexable Iterator, class Predicate>
void count_if_async(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result) {
  detail::compute_later(result, [&](auto* to) {
    detail::count_elements(place, first, size, predicate, {.count = to});
  });
}

/// Whether the predicate holds for all of them.
template <class Place, detail::indexable Iterator, class Predicate>
bool all_of(Place&& place, Iterator first, std::size_t size, Predicate predicate) {
  return detail::compute_now<bool>(place, [&](bool* result) {
    detail::count_elements(place, first, size, predicate, {.all = result});
  });
}
template <class Place, detail::indexable Iterator, class Predicate>
void all_of_async(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::compute_later(result, [&](auto* to) {
    detail::count_elements(place, first, size, predicate, {.all = to});
  });
}

/// Whether it holds for any of them.
template <class Place, detail::indexable Iterator, class Predicate>
bool any_of(Place&& place, Iterator first, std::size_t size, Predicate predicate) {
  return detail::compute_now<bool>(place, [&](bool* result) {
    detail::count_elements(place, first, size, predicate, {.any = result});
  });
}
template <class Place, detail::indexable Iterator, class Predicate>
void any_of_async(Place&& place, Iterator first, std::size_t size, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  detail::compute_later(result, [&](auto* to) {
    detail::count_elements(place, first, size, predicate, {.any = to});
  });
}

/// The same for ranges, with elements or predicates that are not built in.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_count<Place, Range, Predicate> std::uint64_t
count_if(Place&& place, Range const& values, Predicate predicate) {
  auto const input = detail::checked<Place>(values);
  return count_if(place, input.data(), input.size(), predicate);
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_count<Place, Range, Predicate>
void count_if_async(Place&& place, Range const& values, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result) {
  auto const input = detail::checked<Place>(values);
  count_if_async(place, input.data(), input.size(), predicate, result);
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_count<Place, Range, Predicate>
bool all_of(Place&& place, Range const& values, Predicate predicate) {
  auto const input = detail::checked<Place>(values);
  return all_of(place, input.data(), input.size(), predicate);
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_count<Place, Range, Predicate>
void all_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  auto const input = detail::checked<Place>(values);
  all_of_async(place, input.data(), input.size(), predicate, result);
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_count<Place, Range, Predicate>
bool any_of(Place&& place, Range const& values, Predicate predicate) {
  auto const input = detail::checked<Place>(values);
  return any_of(place, input.data(), input.size(), predicate);
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::custom_count<Place, Range, Predicate>
void any_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result) {
  auto const input = detail::checked<Place>(values);
  any_of_async(place, input.data(), input.size(), predicate, result);
}

} // namespace warpfold::inline v0
