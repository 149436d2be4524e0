#pragma once
// Exact sums of segments on a GPU.

#include "instances.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/segments/exact_segments_body.hpp>
#include <warpfold/segments/exact_segments.hpp>

namespace warpfold::inline v0::detail {
namespace {

constexpr int prepare_threads = 256;

/// As many threads as have room for their words.
template <class Terms>
inline constexpr int sum_threads = Terms::layout::size <= 32 ? 256 : 128;

template <class Terms, class Result>
__global__ __launch_bounds__(prepare_threads) void prepare_kernel(segment_list segments,
                                                                  exact_chunk_words<Terms>* chunks,
                                                                  std::int64_t count,
                                                                  Result* results) {
  prepare_exact_segments(cuda_block{}, segments, chunks, count, results);
}

template <class Terms, class T, class Result>
__global__ __launch_bounds__(sum_threads<Terms>) void sum_kernel(T const* values, std::int64_t size,
                                                                 segment_list segments,
                                                                 exact_chunk_words<Terms>* chunks,
                                                                 Result* results) {
  __shared__ exact_segments_shared<Terms, sum_threads<Terms>> shared;
  exact_segments(cuda_block{}, values, widened<Result, identity>{}, segments, size, shared, chunks,
                 results);
}

} // namespace

template <class T, class A>
void exact_segments_to(gpu& place, T const* values, std::size_t size, segment_list const& segments,
                       A* results, bool blocking) {
  using terms = exact_values<A>;
  if (segments.count() == 0) return;
  device_guard const current{place.device()};
  auto const count = static_cast<std::int64_t>((size + exact_chunk<T> - 1) /
                                               static_cast<std::size_t>(exact_chunk<T>));
  std::size_t const bytes = static_cast<std::size_t>(count) * sizeof(exact_chunk_words<terms>);
  void* const workspace = scratch_for(place, segments.scratch_begin + bytes, blocking);
  auto* const chunks = reinterpret_cast<exact_chunk_words<terms>*>(
      static_cast<unsigned char*>(workspace) + segments.scratch_begin);

  constexpr auto sum = sum_kernel<terms, T, A>;
  constexpr int threads = sum_threads<terms>;
  static kernel_facts const facts = facts_of(sum, threads, place.compute_capability());
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  auto const room = [&](std::int64_t tasks, int a_block, int blocks) {
    return static_cast<int>(clamped<std::int64_t>((tasks + a_block - 1) / a_block, 1,
                                                  std::int64_t{place.multiprocessors()} * blocks));
  };
  int const prepares = room(larger(segments.count(), count), prepare_threads, 8);
  launch(place.stream(), {prepares, prepare_threads, ahead}, prepare_kernel<terms, A>, segments,
         chunks, count, results);
  int const sums = room(count, threads / warp_size, facts.blocks_per_multiprocessor);
  launch(place.stream(), {sums, threads, ahead}, sum, values, static_cast<std::int64_t>(size),
         segments, chunks, results);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void exact_segments_to<T, A>(gpu&, T const*, std::size_t, segment_list const&, A*,      \
                                        bool);                                                     \
  }
