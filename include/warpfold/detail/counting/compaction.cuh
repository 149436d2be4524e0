#pragma once
// Compaction on a gpu.

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/counting/compaction.hpp>
#include <warpfold/detail/counting/compaction_body.hpp>
#include <warpfold/detail/reduction/fold.cuh>

namespace warpfold::inline v0::detail {

namespace {

template <class Tuning, class Iterator, class T, class Predicate>
__global__ __launch_bounds__(Tuning::threads, Tuning::min_blocks) void compact_kernel(
    Iterator first, std::uint64_t size, Predicate predicate, T* output, std::uint64_t capacity,
    std::uint64_t* count, compaction_scratch scratch) {
  __shared__ compaction_shared<Tuning, T> shared;
  compact<Tuning>(cuda_block{}, first, size, predicate, output, capacity, count, scratch, shared);
}

/// Bytes of scratch memory: a word a tile.
template <class T, class Tuning = compaction_tuning>
std::size_t compaction_workspace(std::size_t size) {
  constexpr std::size_t tile = compaction_tile<Tuning, T>;
  return (size + tile - 1) / tile * sizeof(std::uint64_t);
}

/// Enqueues the compaction of `size` elements into `capacity` places, and of their number.
template <class Tuning, class Iterator, class T, class Predicate>
void launch_compact(gpu& place, Iterator first, std::size_t size, Predicate predicate, T* output,
                    std::size_t capacity, std::uint64_t* count) {
  constexpr auto kernel = compact_kernel<Tuning, Iterator, T, Predicate>;
  constexpr std::size_t tile = compaction_tile<Tuning, T>;
  device_guard const current{place.device()};
  static kernel_facts const facts = facts_of(kernel, Tuning::threads, place.compute_capability());
  int const blocks = blocks_at_once(place, facts, (size + tile - 1) / tile);
  gpu_scratch const memory(place);
  compaction_scratch const scratch{
      static_cast<std::uint64_t*>(memory.workspace(compaction_workspace<T, Tuning>(size))),
      memory.counters(), memory.counters() + 1, memory.ticket()};
  launch(place.stream(), {blocks, Tuning::threads, starts_ahead<fold_tuning>(place, facts, blocks)},
         kernel, first, static_cast<std::uint64_t>(size), predicate, output,
         static_cast<std::uint64_t>(capacity), count, scratch);
}

/// launch_compact with the tuning for the size. The workspace grows if `may_allocate`.
template <class Iterator, class T, class Predicate>
void compact_array(gpu& place, Iterator first, std::size_t size, Predicate predicate, T* output,
                   std::size_t capacity, std::uint64_t* count, bool may_allocate) {
  using few = compaction_of_few_tuning;
  auto const run = [&]<class Tuning>(Tuning) {
    if (may_allocate) place.reserve(compaction_workspace<T, Tuning>(size));
    launch_compact<Tuning>(place, first, size, predicate, output, capacity, count);
  };
  static_assert(sizeof(T) <= compaction_tuning::bytes_per_thread, "elements of up to 128 bytes");
  if constexpr (sizeof(T) <= few::bytes_per_thread)
    if (size <= few::max_bytes / sizeof(T)) return run(few{});
  run(compaction_tuning{});
}

} // namespace

} // namespace warpfold::inline v0::detail
