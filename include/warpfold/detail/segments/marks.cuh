#pragma once
// Marks of runs on a gpu.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/fold.cuh>
#include <warpfold/detail/segments/by_key.hpp>
#include <warpfold/detail/segments/mark_body.hpp>
#include <warpfold/detail/segments/marked_body.hpp>

namespace warpfold::inline v0::detail {

namespace {

template <class Tuning, class K>
__global__ __launch_bounds__(marking_threads<Tuning>, Tuning::min_blocks) void mark_kernel(
    K const* keys, std::uint64_t size, K* unique, std::uint64_t capacity, std::uint64_t* count,
    run_marks<std::uint64_t> marks, tile_sums const __grid_constant__ sums,
    marking_tickets tickets) {
  extern __shared__ __align__(128) unsigned char shared[];
  mark<Tuning>(cuda_block{}, keys, size, unique, capacity, count, marks, sums, tickets,
               *reinterpret_cast<marking_shared<Tuning, K>*>(shared));
}

/// Enqueues mark_runs_to.
template <class Tuning, class K>
void launch_mark(gpu& place, K const* keys, std::size_t size, K* unique, std::size_t capacity,
                 marks_output output) {
  constexpr auto kernel = mark_kernel<Tuning, K>;
  constexpr std::size_t tile = marking_tile<Tuning, K>;
  constexpr int threads = marking_threads<Tuning>;
  constexpr std::size_t bytes = sizeof(marking_shared<Tuning, K>);
  std::size_t const tiles = (size + tile - 1) / tile;
  if (tiles > tile_sums::most_tiles)
    refuse("keys", text(size, " elements"), text("up to ", tile_sums::most_tiles * tile));
  tile_sums const sums{
      static_cast<std::uint64_t*>(scratch_for(place, marking_bytes<K>(size), output.blocking)),
      tree_levels<1>(tiles, 1)};
  allow_shared(kernel, bytes);
  static kernel_facts const facts = [&] {
    kernel_facts found = facts_of(kernel, threads, place.compute_capability());
    found.blocks_per_multiprocessor = blocks_per_multiprocessor(kernel, threads, bytes);
    return found;
  }();
  gpu_scratch const memory(place);
  launch(place.stream(),
         {blocks_at_once(place, facts, tiles), threads,
          facts.waits_for_previous_grid(place.compute_capability()), bytes},
         kernel, keys, static_cast<std::uint64_t>(size), unique,
         static_cast<std::uint64_t>(capacity), output.count, run_marks(output.marks, size), sums,
         marking_tickets{memory.counters(), memory.counters() + 1, memory.ticket()});
}

/// With as many warps as the GPU has shared memory for.
template <class K>
void mark_runs_array(gpu& place, K const* keys, std::size_t size, K* unique, std::size_t capacity,
                     marks_output output) {
  using large = marking_tuning;
  device_guard const current{place.device()};
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, place.device()));
  if (sizeof(marking_shared<large, K>) <= static_cast<std::size_t>(most))
    launch_mark<large>(place, keys, size, unique, capacity, output);
  else launch_mark<small_marking_tuning>(place, keys, size, unique, capacity, output);
}

template <class K>
__global__ __launch_bounds__(segment_threads) void begins_of_keys_kernel(K const* keys,
                                                                         std::uint64_t size,
                                                                         std::uint32_t* begins) {
  mark_begins(cuda_block{}, keys, size, begins);
}

/// Enqueues mark_begins_to.
template <class K>
void mark_begins_array(gpu& place, K const* keys, std::size_t size, std::uint32_t* begins) {
  if (size == 0) return;
  constexpr auto kernel = begins_of_keys_kernel<K>;
  constexpr std::size_t of_block = std::size_t{segment_warps} * begins_keys;
  device_guard const current{place.device()};
  static kernel_facts const facts = facts_of(kernel, segment_threads, place.compute_capability());
  launch(place.stream(),
         {static_cast<int>((size + of_block - 1) / of_block), segment_threads,
          facts.waits_for_previous_grid(place.compute_capability())},
         kernel, keys, static_cast<std::uint64_t>(size), begins);
}

} // namespace

} // namespace warpfold::inline v0::detail
