#pragma once
// Counting on a gpu: a fold of ones and zeros, 32 bits wide within a thread and 64 beyond.

#include <warpfold/counting.hpp>
#include <warpfold/detail/core/output.hpp>
#include <warpfold/detail/reduction/fold.cuh>

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

} // namespace warpfold::inline v0::detail
