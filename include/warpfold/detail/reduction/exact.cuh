#pragma once
// How kernels of exact sums are launched.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/exact_body.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// Threads of a block, and rows that it reads before the first is used: as many threads as have
/// room for their words, and enough bytes in flight. One NVIDIA H200, 2026-11-21.
template <class Terms>
struct exact_tuning {
  static constexpr int threads = Terms::layout::size <= 32   ? 256
                                 : Terms::layout::size <= 50 ? 128
                                                             : 64;
  static constexpr int rows = Terms::layout::size <= 32 ? 4 : 8;
};

/// Enqueues kernel(reader, size, scratch, arguments...), in a grid whose blocks run at once.
template <class Terms, auto kernel, class Reader, class... Arguments>
void launch_exact(gpu& place, Reader reader, std::size_t size, Arguments const&... arguments) {
  constexpr int threads = exact_tuning<Terms>::threads;
  device_guard const current{place.device()};
  static kernel_facts const facts = facts_of(kernel, threads, place.compute_capability());
  constexpr std::size_t batch =
      static_cast<std::size_t>(exact_tuning<Terms>::rows) * threads * Reader::lanes;
  int const blocks = blocks_at_once(place, facts, (size + batch - 1) / batch);
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  gpu_scratch const memory(place);
  launch(place.stream(), {blocks, threads, ahead}, kernel, reader, static_cast<std::int64_t>(size),
         exact_scratch{memory.counters(), memory.ticket()}, arguments...);
}

} // namespace warpfold::inline v0::detail
