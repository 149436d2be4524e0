#pragma once
// Counts by a user's own predicate.

#include <warpfold/detail/counting/count.cuh>
#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/counting/gpu_function.cuh>
#include <warpfold/detail/reduction/custom_fold.cuh>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

template <class Range, class Place, class Predicate>
concept custom_count = !built_in_predicate<element_t<Place, Range>, Predicate>;

template <class Place, class Iterator, class Predicate>
void count_range(Place& place, Iterator first, std::size_t size, Predicate predicate,
                 count_answer answer) {
  detail::check_first<Place>(first, size);
  check_function<Place, iterator_element<Iterator>>(predicate);
  answer.size = size;
  count_array(place, first, size, predicate, answer);
}
template <class Place, class Predicate, custom_count<Place, Predicate> Range>
void count_range(Place& place, Range const& values, Predicate predicate, count_answer answer) {
  auto const input = checked<Place>(values);
  count_range(place, input.data(), input.size(), predicate, answer);
}

} // namespace warpfold::inline v0::detail
