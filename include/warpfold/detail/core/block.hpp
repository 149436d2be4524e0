#pragma once
// The thread block as kernel bodies see it.

#include <concepts>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// A thread's view of its block, in the words of cooperative groups: cuda_block on a GPU (which
/// documents the members), and test/simt's emulator on a CPU.
template <class B>
concept thread_block = std::copy_constructible<B> &&
    requires(B const& block, int i, unsigned lanes, unsigned* word, std::uint64_t* number,
             std::uint64_t const* read, void* shared) {
  { block.thread_rank() } -> std::same_as<int>;
  { block.lane() } -> std::same_as<int>;
  { block.size() } -> std::same_as<int>;
  { block.block_rank() } -> std::same_as<int>;
  { block.grid_size() } -> std::same_as<int>;
  block.sync();
  block.sync(i);
  block.sync_warp();
  block.pause();
  block.spin(i);

  // Clusters of blocks.
  { block.cluster_rank() } -> std::same_as<int>;
  { block.map_shared_rank(word, i) } -> std::same_as<unsigned*>;
  block.sync_cluster();

  // All threads of a warp.
  { block.shuffle_down(*number, i) } -> std::same_as<std::uint64_t>;
  { block.shuffle_up(*number, i) } -> std::same_as<std::uint64_t>;
  { block.shuffle(*number, i) } -> std::same_as<std::uint64_t>;
  { block.broadcast(true) } -> std::same_as<bool>;
  { block.any(true) } -> std::same_as<bool>;
  { block.reduce_min(i) } -> std::same_as<int>;
  { block.reduce_add(i) } -> std::same_as<int>;

  // Some lanes of a warp.
  { block.active() } -> std::same_as<unsigned>;
  { block.match(lanes, i) } -> std::same_as<unsigned>;
  { block.ballot(lanes, true) } -> std::same_as<unsigned>;
  { block.shuffle(lanes, *number, i) } -> std::same_as<std::uint64_t>;
  { block.reduce_add(lanes, lanes) } -> std::same_as<unsigned>;
  { block.reduce_or(lanes, lanes) } -> std::same_as<unsigned>;
  { block.reduce_min(lanes, i) } -> std::same_as<int>;

  // Atomics, in shared and GPU memory, and between blocks.
  { block.fetch_add(number, *number) } -> std::same_as<std::uint64_t>;
  block.lower(number, *number);
  { block.exchange(word, lanes) } -> std::same_as<unsigned>;
  { block.exchange(number, *number) } -> std::same_as<std::uint64_t>;
  block.set_bits(word, lanes);
  block.set_bits(number, *number);
  { block.load_relaxed(read) } -> std::same_as<std::uint64_t>;
  { block.load_acquire(read) } -> std::same_as<std::uint64_t>;
  block.store_relaxed(number, *number);
  block.store_release(number, *number);
  { block.arrives_last(word) } -> std::same_as<bool>;
  { block.arrives_last(word, lanes) } -> std::same_as<bool>;

  // Movement of memory, and of kernels.
  block.copy_async(shared, read);
  block.copy_async(shared, read, block.cache_policy(true));
  block.wait_for_copies();
  block.prefetch(read);
  block.prefetch(read, lanes);
  block.wait_for_previous_grid();
  block.start_next_grid();
};

} // namespace warpfold::inline v0::detail
