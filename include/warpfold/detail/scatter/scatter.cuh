#pragma once
// Sums by index on a gpu.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/scatter/scatter.hpp>
#include <warpfold/detail/scatter/scatter_body.hpp>

namespace warpfold::inline v0::detail {

namespace {

/// NVIDIA H100, 2026-11-26, 2^28 floats: bins of a block's own 381 G/s (2^8 bins), windows 369
/// (2^16 bins, clustered), GPU memory 71 (2^16, uniform). Elements of eight bytes have half as many
/// quads.
template <class T, class Index>
struct scatter_tuning {
  static constexpr int quads = static_cast<int>(32 / (sizeof(T) + sizeof(Index)));
  using window = scatter_shape<256, quads, 4096>;
  using own = scatter_shape<512, larger(quads / 2, 1), 8192>;
  // Blocks of a multiprocessor.
  static constexpr int own_blocks = 3;
  static constexpr int window_blocks(int words) { return words == 1 ? 4 : 3; }
  static constexpr int max_log_copies = 5;
};

template <int Words, class T, class Index>
__global__ __launch_bounds__(
    scatter_tuning<T, Index>::own::threads,
    scatter_tuning<T, Index>::own_blocks) void scatter_private_kernel(scatter_job<T, Index> const
                                                                          __grid_constant__ job,
                                                                      int log_copies) {
  extern __shared__ __align__(16) unsigned memory[];
  scatter_private<Words, typename scatter_tuning<T, Index>::own>(cuda_block{}, job, log_copies,
                                                                 memory);
}
template <int Words, class T, class Index>
__global__ __launch_bounds__(
    scatter_tuning<T, Index>::window::threads,
    scatter_tuning<T, Index>::window_blocks(
        Words)) void scatter_windows_kernel(scatter_job<T, Index> const __grid_constant__ job,
                                            scatter_pass const __grid_constant__ pass) {
  __shared__ window_shared<typename scatter_tuning<T, Index>::window> shared;
  scatter_windows<Words>(cuda_block{}, job, pass, shared);
}
template <int Words, class T, class Index>
__global__ __launch_bounds__(scatter_tuning<T, Index>::window::threads) void scatter_again_kernel(
    scatter_job<T, Index> const __grid_constant__ job, scatter_pass const __grid_constant__ pass) {
  scatter_again<Words, typename scatter_tuning<T, Index>::window>(cuda_block{}, job, pass);
}
__global__ void scatter_clear_kernel(std::uint64_t* words, std::uint64_t size, std::uint64_t* any,
                                     scatter_status* status) {
  scatter_clear(cuda_block{}, words, size, any, status);
}
template <int Words, class T>
__global__ void scatter_finish_kernel(std::uint64_t const* sums, int bins,
                                      scatter_unit<T> const __grid_constant__ unit,
                                      bool is_cumulative, scatter_end end, T* results,
                                      scatter_status* status) {
  scatter_finish<Words>(cuda_block{}, sums, bins, unit, is_cumulative, end, results, status);
}

/// Enqueues a kernel ahead of its turn: a block for each of `wanted` pieces of work, but no more
/// than run at once.
template <auto Kernel, class... Args>
void launch_scatter(gpu const& place, int threads, std::size_t wanted, std::size_t shared,
                    Args const&... args) {
  auto const capability = place.compute_capability();
  static kernel_facts const facts = facts_of(Kernel, threads, capability);
  kernel_facts with_shared = facts;
  if (shared > 0)
    with_shared.blocks_per_multiprocessor = blocks_per_multiprocessor(Kernel, threads, shared);
  launch(place.stream(),
         {blocks_at_once(place, with_shared, wanted), threads,
          facts.waits_for_previous_grid(capability), shared},
         Kernel, args...);
}

/// Adds up: clears the sums, and adds to them by the body that suits the number of bins.
template <int Words, class T, class Index>
void enqueue_scatter(gpu const& place, scatter_job<T, Index> const& job, scatter_memory memory,
                     std::byte* scratch) {
  using tuning = scatter_tuning<T, Index>;
  using window = typename tuning::window;
  auto* const any = reinterpret_cast<std::uint64_t*>(scratch + memory.any);
  auto const bins = static_cast<std::size_t>(job.bins);
  launch_scatter<scatter_clear_kernel>(place, 256, bins * Words / 1024, 0, job.sums,
                                       std::uint64_t{bins * Words}, any, job.status);
  std::size_t const size = job.size.capacity;
  if (size == 0) return;

  constexpr std::size_t slots = tuning::own::slots / Words;
  auto const blocks = static_cast<std::size_t>(place.multiprocessors() * tuning::own_blocks);
  if (bins <= slots && bins * blocks * 2 <= size) {
    int log_copies = 0;
    while (log_copies < tuning::max_log_copies && bins << (log_copies + 1) <= slots) ++log_copies;
    constexpr auto kernel = scatter_private_kernel<Words, T, Index>;
    allow_shared(kernel, slots * Words * sizeof(std::uint64_t));
    launch_scatter<kernel>(place, tuning::own::threads, size / tuning::own::tile + 1,
                           (bins << log_copies) * Words * sizeof(std::uint64_t), job, log_copies);
    return;
  }
  std::size_t const tiles = (size + window::tile - 1) / window::tile;
  scatter_pass pass{0, job.bins, nullptr, any};
  int const passes = scatter_passes(bins, size, Words);
  if (passes > 1) {
    pass.count = static_cast<int>((bins + static_cast<std::size_t>(passes) - 1) /
                                  static_cast<std::size_t>(passes));
    pass.scattered = reinterpret_cast<unsigned char*>(scratch + memory.scattered);
  }
  launch_scatter<scatter_windows_kernel<Words, T, Index>>(place, window::threads, tiles, 0, job,
                                                          pass);
  for (int p = 1; p < passes; ++p) {
    pass.first += pass.count;
    launch_scatter<scatter_again_kernel<Words, T, Index>>(place, window::threads, tiles, 0, job,
                                                          pass);
  }
}

/// The sums and what could not be added. `status` is null if the caller waits: results are then
/// left as they are unless everything was added.
template <class T, class Index>
scatter_status scatter_array(gpu& place, scatter_input<T, Index> const& input,
                             scatter_bound const* bound, T* results, scatter_status* status,
                             scatter_options const& options) {
  bool const blocking = status == nullptr;
  scatter_memory const memory(input.bins, input.size, options.wide);
  if (blocking) place.reserve(memory.bytes);
  auto* const scratch = static_cast<std::byte*>(gpu_scratch(place).workspace(memory.bytes));
  device_guard const current{place.device()};
  auto* const largest = reinterpret_cast<T*>(scratch + memory.largest);
  auto* const own_status = reinterpret_cast<scatter_status*>(scratch + memory.status);
  if (blocking) status = own_status;
  if (bound == nullptr)
    measure_to<T, largest_magnitude<T>>(place, {input.values, input.size}, largest);
  scatter_job<T, Index> const job{
      input.values,
      input.indices,
      {input.size, input.count},
      {fixed_point<T>(bound ? *bound : scatter_bound{}), bound ? nullptr : largest, input.size},
      reinterpret_cast<std::uint64_t*>(scratch),
      static_cast<int>(input.bins),
      input.is_aligned(),
      status};
  auto const run = [&]<int Words>() {
    enqueue_scatter<Words>(place, job, memory, scratch);
    auto const finish = [&](scatter_end end) {
      launch_scatter<scatter_finish_kernel<Words, T>>(place, 256, input.bins / 512 + 1, 0, job.sums,
                                                      job.bins, job.unit, options.cumulative, end,
                                                      results, status);
    };
    if (blocking) finish(scatter_end::look);
    finish(blocking ? scatter_end::keep : scatter_end::store);
  };
  if (options.wide) run.template operator()<2>();
  else run.template operator()<1>();
  scatter_status found{};
  if (blocking) {
    check(cudaMemcpyAsync(&found, status, sizeof found, cudaMemcpyDeviceToHost, place.stream()));
    place.synchronize();
  }
  return found;
}

} // namespace

} // namespace warpfold::inline v0::detail
