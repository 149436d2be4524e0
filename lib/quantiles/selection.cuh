#pragma once
// Selections by rank on a gpu.

#include "sampling.hpp"
#include "top_k.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/quantiles.hpp>

namespace warpfold::inline v0::detail {

namespace {

template <class Key>
struct counting_work {
  key_array<Key> keys;
  key_range<Key> ranges[max_targets];
  int groups;
  pass_shape shape;
  typename selection_control<Key>::counters* counts;
};

template <class Key>
__global__ __launch_bounds__(selection_threads) void prepare_kernel(
    selection_work<Key> const __grid_constant__ work) {
  cuda_block{}.wait_for_previous_grid();
  prepare(cuda_block{}, work);
}

template <class Key>
__global__ __launch_bounds__(selection_threads,
                             2) void narrow_kernel(selection_work<Key> const __grid_constant__ work,
                                                   pass_over which) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ narrow_shared<Key> shared;
  cuda_block{}.wait_for_previous_grid();
  narrow(cuda_block{}, work, which, shared, reinterpret_cast<unsigned*>(dynamic));
}

template <class Key>
__global__ __launch_bounds__(selection_threads,
                             2) void keep_kernel(selection_work<Key> const __grid_constant__ work) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  cuda_block{}.wait_for_previous_grid();
  keep(cuda_block{}, work, *reinterpret_cast<keep_shared<Key>*>(dynamic));
}

template <class Key>
__global__
__launch_bounds__(32) void results_kernel(selection_work<Key> const __grid_constant__ work,
                                          void* results) {
  cuda_block{}.wait_for_previous_grid();
  write_results(cuda_block{}, work, results);
}

template <class Key>
__global__ __launch_bounds__(selection_threads, 1) void select_alone_kernel(
    selection_work<Key> const __grid_constant__ work, void* results) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ narrow_shared<Key> shared;
  cuda_block{}.wait_for_previous_grid();
  select_alone(cuda_block{}, work, results, shared, reinterpret_cast<unsigned*>(dynamic));
}

template <class Key>
__global__
__launch_bounds__(selection_threads,
                  2) void count_bins_kernel(counting_work<Key> const __grid_constant__ work) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ narrow_shared<Key> shared;
  cuda_block{}.wait_for_previous_grid();
  count_bins(cuda_block{}, work.keys, work.ranges, work.groups, work.shape, *work.counts, shared,
             reinterpret_cast<unsigned*>(dynamic));
}

template <class Key>
__global__ __launch_bounds__(selection_threads,
                             2) void split_kernel(top_work<Key> const __grid_constant__ work,
                                                  int first, int end) {
  __shared__ split_shared shared;
  cuda_block{}.wait_for_previous_grid();
  split(cuda_block{}, work, first, end, shared);
}

inline constexpr std::size_t most_bin_bytes = max_bins_in_all * sizeof(unsigned);

/// Enqueues a kernel with `shared` bytes of dynamic shared memory, of which no call has more than
/// `most`, in enough blocks of the keys `keys`.
template <auto Kernel, class... Args>
void launch_selection(gpu const& place, std::size_t keys, std::size_t shared, std::size_t most,
                      int threads, Args const&... args) {
  static kernel_facts const facts = facts_of(Kernel, threads, place.compute_capability());
  allow_shared(Kernel, most);
  kernel_facts room = facts;
  if (shared > 0)
    room.blocks_per_multiprocessor =
        smaller(room.blocks_per_multiprocessor,
                static_cast<int>(selection_tuning::shared_of_multiprocessor / shared));
  constexpr std::size_t of_block = selection_threads * 16;
  launch(place.stream(),
         {blocks_at_once(place, room, (keys + of_block - 1) / of_block), threads,
          facts.waits_for_previous_grid(place.compute_capability()), shared},
         Kernel, args...);
}

/// Enough passes to leave one key a rank. Those that have nothing to do end at once.
template <class Key>
void enqueue_passes(gpu const& place, selection_work<Key> const& work, pass_over which,
                    std::size_t keys) {
  for (int pass = 0; pass < work.shape.passes(sizeof(Key)); ++pass)
    launch_selection<narrow_kernel<Key>>(place, keys, work.shape.shared(), most_bin_bytes,
                                         selection_threads, work, which);
}

template <class Key>
void enqueue_selection(gpu const& place, selection_work<Key> const& work, void* results) {
  auto const size = static_cast<std::size_t>(work.size);
  auto const sampled = static_cast<std::size_t>(work.sampled);
  if (size <= selection_tuning::alone)
    return launch_selection<select_alone_kernel<Key>>(place, 1, work.shape.shared(), most_bin_bytes,
                                                      selection_threads, work, results);
  launch_selection<prepare_kernel<Key>>(place, max_bins_in_all + 16 * sampled, 0, 0,
                                        selection_threads, work);
  if (sampled > 0) {
    enqueue_passes(place, work, pass_over::sample, sampled);
    constexpr std::size_t shared = sizeof(keep_shared<Key>);
    launch_selection<keep_kernel<Key>>(place, size, shared, shared, selection_threads, work);
    enqueue_passes(place, work, pass_over::kept, size / 128);
  }
  enqueue_passes(place, work, pass_over::all, size);
  launch_selection<results_kernel<Key>>(place, 1, 0, 0, 32, work, results);
}

} // namespace

template <class Key>
void select_to(gpu& place, void const* values, std::size_t size, selection const& asked,
               void* results, bool blocking) {
  device_guard const current{place.device()};
  selection_layout const layout(size, sizeof(Key));
  if (blocking) place.reserve(layout.bytes);
  void* const memory = gpu_scratch(place).workspace(layout.bytes);
  enqueue_selection(place, selection_work<Key>(values, size, asked, memory, layout), results);
}

template <class Key>
void top_to(gpu& place, void const* values, std::size_t size, selection const& last,
            top_k_options const& options, std::size_t count, void* results,
            std::uint64_t* positions, bool blocking) {
  device_guard const current{place.device()};
  top_layout const layout(size, count, sizeof(Key));
  auto* const memory = static_cast<unsigned char*>(scratch_for(place, layout.bytes, blocking));
  top_work<Key> const work{
      {values, size, last, memory, {size, sizeof(Key)}},
      options.smallest,
      count,
      {static_cast<Key*>(results), reinterpret_cast<Key*>(memory + layout.keys)},
      {positions, reinterpret_cast<std::uint64_t*>(memory + layout.positions)},
      reinterpret_cast<std::uint64_t*>(memory + layout.counts)};
  enqueue_selection(place, work.selected, results); // the last element, to be overwritten
  constexpr int steps = 2 + 2 * static_cast<int>(sizeof(Key));
  for (int step = 0; step < steps;) { // one block makes all that are left if there are few elements
    std::size_t const of_step = step < 2 ? size : count;
    bool const is_few = of_step <= (step < 2 ? selection_tuning::alone : std::size_t{1} << 14);
    int const end = is_few ? steps : step + 1;
    launch_selection<split_kernel<Key>>(place, is_few ? 1 : of_step, 0, 0, selection_threads, work,
                                        step, end);
    step = end;
  }
}

template <class Key>
void count_in_bins(gpu& place, void const* values, std::size_t size, element_kind kind,
                   std::span<key_range<Key> const> ranges, pass_shape shape,
                   std::uint64_t* counts) {
  device_guard const current{place.device()};
  using control = selection_control<Key>;
  auto& there = static_cast<control*>(scratch_for(place, sizeof(control), true))->counts;
  counting_work<Key> work{{static_cast<Key const*>(values), size, key_map<Key>::of(kind)},
                          {},
                          static_cast<int>(ranges.size()),
                          shape,
                          &there};
  for (std::size_t r = 0; r < ranges.size(); ++r) work.ranges[r] = ranges[r];
  check(cudaMemsetAsync(&there, 0, sizeof there, place.stream()));
  launch_selection<count_bins_kernel<Key>>(place, size, shape.shared(), most_bin_bytes,
                                           selection_threads, work);
  std::size_t const used = ranges.size() << shape.bits;
  check(cudaMemcpyAsync(counts, there.bins, 8 * used, cudaMemcpyDeviceToHost, place.stream()));
  check(cudaMemcpyAsync(counts + used, &there.has_nan, sizeof there.has_nan, cudaMemcpyDeviceToHost,
                        place.stream()));
  place.synchronize();
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(Key)                                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void select_to<Key>(gpu&, void const*, std::size_t, selection const&, void*, bool);     \
  template void top_to<Key>(gpu&, void const*, std::size_t, selection const&,                      \
                            top_k_options const&, std::size_t, void*, std::uint64_t*, bool);       \
  template void count_in_bins<Key>(gpu&, void const*, std::size_t, element_kind,                   \
                                   std::span<key_range<Key> const>, pass_shape, std::uint64_t*);   \
  }
#include "instances.hpp"
