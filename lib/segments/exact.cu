// Exact sums of segments on a GPU.

#include "exact_backend.hpp"

#include <warpfold/detail/cuda_block.cuh>
#include <warpfold/detail/exact_segments_body.hpp>
#include <warpfold/detail/launch.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

namespace warpfold::segments::gpu_impl {
namespace {

constexpr int prepare_threads = 256;

/// As many threads as have room for their words.
template <class Terms>
inline constexpr int sum_threads = Terms::layout::size <= 32 ? 256 : 128;

template <class Terms, class Result>
__global__
__launch_bounds__(prepare_threads) void prepare_kernel(detail::segment_list segments,
                                                       detail::exact_chunk_words<Terms>* chunks,
                                                       std::int64_t count, Result* results) {
  detail::prepare_exact_segments(detail::cuda_block{}, segments, chunks, count, results);
}

template <class Terms, class T, class Result>
__global__ __launch_bounds__(sum_threads<Terms>) void sum_kernel(
    T const* values, std::int64_t size, detail::segment_list segments,
    detail::exact_chunk_words<Terms>* chunks, Result* results) {
  __shared__ detail::exact_segments_shared<Terms, sum_threads<Terms>> shared;
  detail::exact_segments(detail::cuda_block{}, values, detail::widened<Result, identity>{},
                         segments, size, shared, chunks, results);
}

} // namespace

template <class T, class A>
void exact(gpu& place, T const* values, std::size_t size, detail::segment_list segments, A* results,
           bool may_allocate) {
  using terms = detail::exact_values<A>;
  if (segments.count() == 0) return;
  device_guard const current{place.device()};
  auto const count = static_cast<std::int64_t>((size + detail::exact_chunk<T> - 1) /
                                               static_cast<std::size_t>(detail::exact_chunk<T>));
  std::size_t const bytes =
      static_cast<std::size_t>(count) * sizeof(detail::exact_chunk_words<terms>);
  if (may_allocate) place.reserve(bytes);
  auto* const chunks = static_cast<detail::exact_chunk_words<terms>*>(place.workspace(bytes));

  constexpr auto sum = sum_kernel<terms, T, A>;
  constexpr int threads = sum_threads<terms>;
  static detail::kernel_facts const facts =
      detail::facts_of(sum, threads, place.compute_capability());
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  auto const room = [&](std::int64_t tasks, int a_block, int blocks) {
    return static_cast<int>(std::clamp<std::int64_t>(
        (tasks + a_block - 1) / a_block, 1, std::int64_t{place.multiprocessors()} * blocks));
  };
  int const prepares = room(std::max(segments.count(), count), prepare_threads, 8);
  detail::launch(place.stream(), {prepares, prepare_threads, ahead}, prepare_kernel<terms, A>,
                 segments, chunks, count, results);
  int const sums = room(count, threads / detail::warp_size, facts.blocks_per_multiprocessor);
  detail::launch(place.stream(), {sums, threads, ahead}, sum, values,
                 static_cast<std::int64_t>(size), segments, chunks, results);
}

#define INSTANTIATE(T, A)                                                                          \
  template void exact<T, A>(gpu&, T const*, std::size_t, detail::segment_list, A*, bool);
INSTANTIATE(float, float)
INSTANTIATE(double, double)
INSTANTIATE(__half, float)
INSTANTIATE(__nv_bfloat16, float)

} // namespace warpfold::segments::gpu_impl
