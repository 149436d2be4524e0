#pragma once
// The tallies' kernel and its launch.

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/fold.cuh>
#include <warpfold/detail/reduction/tally_body.hpp>
#include <warpfold/detail/reduction/tally_shape.hpp>

namespace warpfold::inline v0::detail {

template <class Tally>
struct tally_tuning : fold_tuning {
  static constexpr int max_threads =
      static_cast<int>(tally_tree(sizeof(typename Tally::partial)).max_threads);
  /// Half of a multiprocessor's threads, with twice the registers, keep the memory busy.
  static constexpr int min_blocks = 1024 / max_threads;
};

namespace {

template <class Tuning, class Tally, class Reader>
__global__ __launch_bounds__(Tuning::max_threads, Tuning::min_blocks) void tally_kernel(
    Reader reader, fold_shape shape, Tally tally, fold_scratch<typename Tally::partial> scratch,
    typename Tally::result* result) {
  __shared__ tally_shared<typename Tally::partial, Tuning::max_threads> shared;
  tally_striped<Tuning>(cuda_block{}, reader, shape, tally, scratch, result, shared);
}

/// Enqueues *result = the tally of the elements that `reader` reads.
template <class Tuning, class Tally, class Reader>
void launch_tally(gpu& place, Reader reader, fold_shape shape, Tally tally,
                  typename Tally::result* result) {
  using partial = typename Tally::partial;
  constexpr auto kernel = tally_kernel<Tuning, Tally, Reader>;
  device_guard const current{place.device()};
  fold_scratch<partial> const scratch{
      static_cast<partial*>(
          gpu_scratch(place).workspace(static_cast<std::size_t>(shape.blocks) * sizeof(partial))),
      gpu_scratch(place).ticket()};
  static kernel_facts const facts =
      facts_of(kernel, Tuning::max_threads, place.compute_capability());
  bool const ahead = starts_ahead<Tuning>(place, facts, shape.blocks);
  launch(place.stream(), {shape.blocks, shape.threads, ahead}, kernel, reader, shape, tally,
         scratch, result);
}

/// launch_tally of an array, 16 bytes at a time where its alignment allows.
template <class T, class Tally, class Transform>
void tally_array(gpu& place, T const* elements, std::size_t size, Tally tally, Transform transform,
                 typename Tally::result* result) {
  using Tuning = tally_tuning<Tally>;
  fold_shape const shape = tally_shape_of<T>(size, sizeof(typename Tally::partial));
  with_reader(elements, transform,
              [&](auto reader) { launch_tally<Tuning>(place, reader, shape, tally, result); });
}

} // namespace

} // namespace warpfold::inline v0::detail
