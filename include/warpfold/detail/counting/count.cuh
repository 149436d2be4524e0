#pragma once
// Counting on a gpu, and what is counted by a user's own predicate.

#include <warpfold/detail/core/output.hpp>
#include <warpfold/detail/counting/count.hpp>
#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/reduction/custom_fold.cuh>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

namespace {

/// Enqueues the answer for `size` elements from `first` on.
template <class Tuning = fold_tuning, class Iterator, class Predicate>
void launch_count(gpu& place, Iterator first, std::size_t size, Predicate predicate,
                  count_answer const& answer) {
  storing<count_answer> const result{answer};
  if constexpr (std::is_pointer_v<Iterator>) {
    fold_array<Tuning>(place, first, size, std::uint64_t{0}, add_counts{},
                       one_if<Predicate>{predicate}, result);
  } else {
    using T = typename std::iterator_traits<Iterator>::value_type;
    launch_fold<Tuning>(place, element_reader<Iterator, one_if<Predicate>>{first, {predicate}},
                        fold_shape_of<T>(size, sizeof(std::uint64_t)), std::uint64_t{0},
                        add_counts{}, result);
  }
}

} // namespace

template <class Range, class Place, class Predicate>
concept custom_count = !built_in_predicate<element_t<Place, Range>, Predicate>;

template <class Place, class Iterator, class Predicate>
void count_range(Place& place, Iterator first, std::size_t size, Predicate predicate,
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
template <class Place, class Predicate, custom_count<Place, Predicate> Range>
void count_range(Place& place, Range const& values, Predicate predicate, count_answer answer) {
  auto const input = checked<Place>(values);
  count_range(place, input.data(), input.size(), predicate, answer);
}

} // namespace warpfold::inline v0::detail
