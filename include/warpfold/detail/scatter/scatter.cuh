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
template <class T, class Key>
struct scatter_tuning {
  static constexpr int quads = smaller(static_cast<int>(32 / (sizeof(T) + sizeof(Key))), 4);
  using window = scatter_shape<256, quads, 4096>;
  using own = scatter_shape<512, larger(quads / 2, 1), 8192>;
  // Blocks of a multiprocessor.
  static constexpr int own_blocks = 3;
  static constexpr int window_blocks(int words) { return words == 1 ? 4 : 3; }
  static constexpr int max_log_copies = 5;
};

template <class Terms, class T, class Key, class BinOf>
__global__ __launch_bounds__(
    scatter_tuning<T, Key>::own::threads,
    scatter_tuning<T, Key>::own_blocks) void scatter_private_kernel(scatter_job<T, Key, BinOf> const
                                                                        __grid_constant__ job,
                                                                    int log_copies) {
  extern __shared__ __align__(16) unsigned memory[];
  scatter_private<Terms, typename scatter_tuning<T, Key>::own>(cuda_block{}, job, log_copies,
                                                               memory);
}
template <class Terms, class T, class Key>
__global__ __launch_bounds__(
    scatter_tuning<T, Key>::window::threads,
    scatter_tuning<T, Key>::window_blocks(
        Terms::words)) void scatter_windows_kernel(scatter_job<T, Key> const __grid_constant__ job,
                                                   scatter_pass const __grid_constant__ pass) {
  __shared__ window_shared<typename scatter_tuning<T, Key>::window> shared;
  scatter_windows<Terms>(cuda_block{}, job, pass, shared);
}
template <class Terms, class T, class Key>
__global__ __launch_bounds__(scatter_tuning<T, Key>::window::threads) void scatter_again_kernel(
    scatter_job<T, Key> const __grid_constant__ job, scatter_pass const __grid_constant__ pass) {
  scatter_again<Terms, typename scatter_tuning<T, Key>::window>(cuda_block{}, job, pass);
}
__global__ void scatter_clear_kernel(std::uint64_t* words, std::uint64_t size, std::uint64_t* any,
                                     scatter_status* status) {
  scatter_clear(cuda_block{}, words, size, any, status);
}
template <class Terms, class T>
__global__ void scatter_finish_kernel(scatter_rounding<T> const __grid_constant__ job,
                                      scatter_end end) {
  scatter_finish<Terms>(cuda_block{}, job, end);
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
template <class Terms, class T, class Key, class BinOf>
void enqueue_scatter(gpu const& place, scatter_job<T, Key, BinOf> const& job, scatter_memory memory,
                     std::byte* scratch) {
  using tuning = scatter_tuning<T, Key>;
  constexpr std::size_t words = Terms::words;
  auto* const any = reinterpret_cast<std::uint64_t*>(scratch + memory.any);
  auto const bins = static_cast<std::size_t>(job.bins);
  launch_scatter<scatter_clear_kernel>(place, 256, bins * words / 1024, 0, job.sums,
                                       std::uint64_t{bins * words}, any, job.status);
  std::size_t const size = job.size.capacity;
  if (size == 0) return;

  constexpr std::size_t slots = tuning::own::slots / words;
  constexpr bool is_always_private = is_histogram<BinOf> && !Terms::are_exact;
  static_assert(!is_always_private || slots >= max_bins);
  auto const blocks = static_cast<std::size_t>(place.multiprocessors() * tuning::own_blocks);
  std::size_t const spilled = Terms::are_exact ? bins * words : bins;
  bool const is_private = is_always_private || (bins <= slots && spilled * blocks * 2 <= size);
  if (is_private || Terms::are_exact) {
    int log_copies = 0;
    while (log_copies < tuning::max_log_copies && bins << (log_copies + 1) <= slots) ++log_copies;
    constexpr auto kernel = scatter_private_kernel<Terms, T, Key, BinOf>;
    allow_shared(kernel, slots * words * sizeof(std::uint64_t));
    // A block adds all its bins in the end.
    std::size_t const worthwhile = is_private ? size / (2 * spilled + 1) + 1 : size;
    std::size_t const shared = (bins << log_copies) * words * sizeof(std::uint64_t);
    launch_scatter<kernel>(place, tuning::own::threads,
                           smaller(size / tuning::own::tile + 1, worthwhile),
                           is_private ? shared : 0, job, is_private ? log_copies : -1);
  } else if constexpr (!is_histogram<BinOf> && !Terms::are_exact) {
    using window = typename tuning::window;
    std::size_t const tiles = (size + window::tile - 1) / window::tile;
    scatter_pass pass{0, job.bins, nullptr, any};
    int const passes = scatter_passes(bins, size, Terms::words);
    if (passes > 1) {
      pass.count = static_cast<int>((bins + static_cast<std::size_t>(passes) - 1) /
                                    static_cast<std::size_t>(passes));
      pass.scattered = reinterpret_cast<unsigned char*>(scratch + memory.scattered);
    }
    launch_scatter<scatter_windows_kernel<Terms, T, Key>>(place, window::threads, tiles, 0, job,
                                                          pass);
    for (int p = 1; p < passes; ++p) {
      pass.first += pass.count;
      launch_scatter<scatter_again_kernel<Terms, T, Key>>(place, window::threads, tiles, 0, job,
                                                          pass);
    }
  }
}

} // namespace

template <class T, class Key, class BinOf>
void add_words(gpu& place, scatter_input<T, Key, BinOf> const& input, scatter_unit<T> const& unit,
               scatter_form form, std::uint64_t* words, scatter_status* status) {
  device_guard const current{place.device()};
  scatter_memory const memory(input.bins, input.size, words_of_bin<T>(form));
  auto* const scratch = static_cast<std::byte*>(gpu_scratch(place).workspace(memory.bytes));
  scatter_job<T, Key, BinOf> const job{input.values,
                                       input.keys,
                                       {input.size, input.count},
                                       input.bin_of,
                                       static_cast<unsigned>(input.components),
                                       unit,
                                       words,
                                       static_cast<int>(input.bins),
                                       input.is_aligned(),
                                       status};
  with_terms<T, !is_histogram<BinOf>>(form, [&]<class Terms>(std::type_identity<Terms>) {
    enqueue_scatter<Terms>(place, job, memory, scratch);
  });
}

template <class T>
void round_words(gpu& place, scatter_rounding<T> const& job, scatter_form form, scatter_end end) {
  device_guard const current{place.device()};
  with_terms<T>(form, [&]<class Terms>(std::type_identity<Terms>) {
    launch_scatter<scatter_finish_kernel<Terms, T>>(
        place, 256, static_cast<std::size_t>(job.bins) / 512 + 1, 0, job, end);
  });
}

} // namespace warpfold::inline v0::detail
