#pragma once
// Counting on a gpu.

#include <warpfold/detail/core/output.hpp>
#include <warpfold/detail/counting/count.hpp>
#include <warpfold/detail/reduction/fold.cuh>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

namespace {

/// Enqueues the answer for `size` elements from `first` on.
template <class Tuning = fold_tuning, class Iterator, class Predicate>
void count_array(gpu& place, Iterator first, std::size_t size, Predicate predicate,
                 count_answer const& answer) {
  fold_array<Tuning>(place, first, size, std::uint64_t{0}, add_counts{},
                     one_if<Predicate>{predicate}, storing<count_answer>{answer});
}

} // namespace

} // namespace warpfold::inline v0::detail
