#pragma once
// How kernels of a shape are launched: blocks of Shape::threads with Shape::shared bytes.

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/execution.hpp>

#include <cstddef>

namespace warpfold::inline v0::poisson::gpu_impl {

namespace {

/// Ahead of its turn: the kernel waits for what was launched before.
template <class Shape, auto Kernel, int Cluster = 1, class... Args>
void launch_pass(gpu& place, std::size_t blocks, Args const&... args) {
  device_guard const current{place.device()};
  static detail::kernel_facts const facts =
      detail::facts_of(Kernel, Shape::threads, place.compute_capability());
  detail::launch(place.stream(),
                 {.blocks = static_cast<int>(blocks),
                  .threads = Shape::threads,
                  .ahead = facts.waits_for_previous_grid(place.compute_capability()),
                  .shared = Shape::shared,
                  .cluster = Cluster},
                 Kernel, args...);
}

/// True if there are so few blocks that nearly all are at work at once: what each has before it
/// starts is then of use, and they may have as many registers as that takes.
constexpr bool are_few(std::size_t blocks, int multiprocessors) {
  return blocks <= 2 * static_cast<std::size_t>(multiprocessors);
}
/// The pass with its tables touched if (nearly) all blocks are at work at once: then what they do
/// before their turn takes no time.
template <class Pass>
Pass touched_if_few(gpu const& place, Pass pass, std::size_t blocks) {
  pass.axis.is_touched = are_few(blocks, place.multiprocessors());
  return pass;
}

/// Blocks that the GPU has room for.
template <class Shape, auto Kernel>
int blocks_at_work(gpu const& place) {
  return place.multiprocessors() *
         detail::blocks_per_multiprocessor(Kernel, Shape::threads, Shape::shared);
}

} // namespace

} // namespace warpfold::inline v0::poisson::gpu_impl
