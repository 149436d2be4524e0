#pragma once
// The tallies' kernel and its launch.

#include <warpfold/detail/fold.cuh>
#include <warpfold/detail/tally_body.hpp>
#include <warpfold/detail/tally_shape.hpp>

namespace warpfold::detail {

namespace {

template <class Tuning, class Tally, class Reader>
__global__ __launch_bounds__(max_fold_threads,
                             2) void tally_kernel(Reader reader, fold_shape shape, Tally tally,
                                                  fold_scratch<typename Tally::partial> scratch,
                                                  typename Tally::result* result) {
  __shared__ fold_shared<typename Tally::partial> shared;
  tally_striped<Tuning>(cuda_block{}, reader, shape, tally, scratch, result, shared);
}

/// Enqueues *result = the tally of the elements that `reader` reads.
template <class Tuning = fold_tuning, class Tally, class Reader>
void launch_tally(gpu& place, Reader reader, fold_shape shape, Tally tally,
                  typename Tally::result* result) {
  using partial = typename Tally::partial;
  constexpr auto kernel = tally_kernel<Tuning, Tally, Reader>;
  device_guard const current{place.device()};
  fold_scratch<partial> const scratch{
      static_cast<partial*>(
          place.workspace(static_cast<std::size_t>(shape.blocks) * sizeof(partial))),
      place.ticket()};
  static kernel_facts const facts = facts_of(kernel, max_fold_threads, place.compute_capability());
  bool const ahead = starts_ahead<Tuning>(place, facts, shape.blocks);
  launch(place.stream(), {shape.blocks, shape.threads, ahead}, kernel, reader, shape, tally,
         scratch, result);
}

/// The same for an array, 16 bytes at a time where its alignment allows it.
template <class Tuning = fold_tuning, class T, class Tally, class Transform>
void tally_array(gpu& place, T const* elements, std::size_t size, Tally tally, Transform transform,
                 typename Tally::result* result) {
  fold_shape const shape = tally_shape_of<T>(size, sizeof(typename Tally::partial));
  if (reinterpret_cast<std::uintptr_t>(elements) % 16 == 0)
    launch_tally<Tuning>(place, packed_reader<T, Transform>{elements, transform}, shape, tally,
                         result);
  else
    launch_tally<Tuning>(place, element_reader<T const*, Transform>{elements, transform}, shape,
                         tally, result);
}

} // namespace

} // namespace warpfold::detail
