#pragma once
// Selections by rank on a gpu.

#include "jobs.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/quantiles.hpp>

namespace warpfold::inline v0::detail {

namespace {

template <class Key>
__global__ __launch_bounds__(selection_threads) void sample_kernel(
    sample_job<Key> const __grid_constant__ job) {
  cuda_block{}.wait_for_previous_grid();
  take_sample(cuda_block{}, job);
}

template <class Key>
__global__ __launch_bounds__(selection_threads,
                             2) void narrow_kernel(narrow_job<Key> const __grid_constant__ job) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ narrow_shared<Key> shared;
  cuda_block{}.wait_for_previous_grid();
  narrow(cuda_block{}, job, shared, reinterpret_cast<unsigned*>(dynamic));
}

template <class Key>
__global__ __launch_bounds__(selection_threads) void narrow_alone_kernel(
    narrow_job<Key> const __grid_constant__ job, selection const __grid_constant__ asked,
    void* results) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ narrow_shared<Key> shared;
  cuda_block{}.wait_for_previous_grid();
  narrow_alone(cuda_block{}, job, asked, results, shared, reinterpret_cast<unsigned*>(dynamic));
}

template <int Count, class Key>
__global__
__launch_bounds__(selection_threads,
                  Count > 5 ? 1 : 2) void keep_kernel(keep_job<Key> const __grid_constant__ job) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  cuda_block{}.wait_for_previous_grid();
  keep<Count>(cuda_block{}, job, *reinterpret_cast<keep_shared<Key>*>(dynamic));
}

/// `is_sampled`: the ranks were looked for among what was kept.
template <class Key>
__global__ __launch_bounds__(32) void results_kernel(selection const __grid_constant__ asked,
                                                     selection_control<Key> const* control,
                                                     bool is_sampled, void* results) {
  cuda_block{}.wait_for_previous_grid();
  auto const& state = is_sampled && control->failed == 0 ? control->of_kept : control->of_all;
  write_results(cuda_block{}, asked, state, control->has_nan != 0, results);
}

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

template <class Key>
class gpu_selection {
public:
  gpu_selection(gpu const& place, selection_work<Key> const& work, void* results)
      : place_{place}, work_{work}, results_{results} {}

  void enqueue() const {
    auto const size = static_cast<std::size_t>(work_.values.size);
    if (size <= selection_tuning::alone)
      return launch_selection<narrow_alone_kernel<Key>>(place_, 1, work_.shape.shared(), most_bins,
                                                        selection_threads, work_.of_all(false),
                                                        work_.asked, results_);
    check(cudaMemsetAsync(work_.control, 0, sizeof *work_.control, place_.stream()));
    bool const is_sampled = size >= selection_layout::sampled;
    if (is_sampled) {
      auto const sampled = static_cast<std::size_t>(work_.sampled);
      launch_selection<sample_kernel<Key>>(
          place_, 16 * sampled, 0, 0, selection_threads,
          sample_job<Key>{work_.values, work_.sample, work_.sampled});
      passes(work_.of_sample(), sampled);
      keep(size);
      passes(work_.of_kept(), size / 16);
    }
    passes(work_.of_all(is_sampled), size);
    launch_selection<results_kernel<Key>>(place_, 1, 0, 0, 32, work_.asked, work_.control,
                                          is_sampled, results_);
  }

private:
  static constexpr std::size_t most_bins = max_bins_in_all * sizeof(unsigned);

  void passes(narrow_job<Key> job, std::size_t keys) const {
    for (int pass = 0; pass < work_.shape.passes(sizeof(Key)); ++pass) {
      launch_selection<narrow_kernel<Key>>(place_, keys, work_.shape.shared(), most_bins,
                                           selection_threads, job);
      job.is_first = false;
    }
  }
  void keep(std::size_t keys) const {
    auto const launch_for = [&]<int Count>(std::integral_constant<int, Count>) {
      constexpr std::size_t shared = sizeof(keep_shared<Key>);
      launch_selection<keep_kernel<Count, Key>>(place_, keys, shared, shared, selection_threads,
                                                work_.keeping());
    };
    if (work_.asked.count == 1) launch_for(std::integral_constant<int, 1>{});
    else if (work_.asked.count <= 5) launch_for(std::integral_constant<int, 5>{});
    else launch_for(std::integral_constant<int, max_positions>{});
  }

  gpu const& place_;
  selection_work<Key> const& work_;
  void* results_;
};

} // namespace

template <class Key>
void select_to(gpu& place, void const* values, std::size_t size, selection const& asked,
               void* results, bool blocking) {
  device_guard const current{place.device()};
  selection_layout const layout(size, sizeof(Key));
  if (blocking) place.reserve(layout.bytes);
  void* const memory = gpu_scratch(place).workspace(layout.bytes);
  selection_work<Key> const work(values, size, asked, memory, layout);
  gpu_selection<Key>(place, work, results).enqueue();
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(Key)                                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void select_to<Key>(gpu&, void const*, std::size_t, selection const&, void*, bool);     \
  }
#include "instances.hpp"
