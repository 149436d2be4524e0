#pragma once
// The tallies' kernel and its launch.

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

/// Enqueues *result = the tally of the `size` elements from `first` on.
template <class Iterator, class Tally, class Transform>
void tally_array(gpu& place, Iterator first, std::size_t size, Tally tally, Transform transform,
                 typename Tally::result* result) {
  using T = iterator_element<Iterator>;
  using partial = typename Tally::partial;
  using tuning = tally_tuning<Tally>;
  with_reader(first, transform, [&]<class Reader>(Reader reader) {
    launch_tree<tuning, partial, tally_kernel<tuning, Tally, Reader>, tuning::max_threads>(
        place, reader, tally_shape_of<T>(size, sizeof(partial)), result, tally);
  });
}

} // namespace

} // namespace warpfold::inline v0::detail
