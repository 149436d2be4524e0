#pragma once
// The classics on a GPU: launched as they were taught, again and again until one block is left.

#include "classics.hpp"
#include "instances.hpp"
#include "ladder_body.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/scratch.hpp>

#include <limits>

namespace warpfold::inline v0::detail {
namespace {

template <class Rung, class A, class Input>
__global__ void ladder_kernel(Input input, ladder_output<A> output) {
  __shared__ A shared[max_ladder_threads];
  Rung::run(cuda_block{}, input, shared);
  output.store(cuda_block{}, shared);
}

template <class A, class Input>
__global__ void halving_kernel(Input input, ladder_output<A> output) {
  halving_step(cuda_block{}, input, output);
}

template <class A, class Input>
void launch_rung(gpu const& place, twins::classic rung, int threads, std::int64_t left, Input input,
                 ladder_output<A> output) {
  std::int64_t const blocks = rung == twins::halving ? (left + threads - 1) / threads : left;
  if (blocks > std::numeric_limits<int>::max())
    refuse("values", text(input.size, " elements"),
           text("fewer than 2^31 blocks of ", threads, " threads"));
  launch_shape const shape{static_cast<int>(blocks), threads};
  if (rung == twins::halving)
    return launch(place.stream(), shape, halving_kernel<A, Input>, input, output);
  with_rung(rung, threads, [&]<class Rung>(Rung) {
    launch(place.stream(), shape, ladder_kernel<Rung, A, Input>, input, output);
  });
}

} // namespace

template <class T, class A>
void sum_by_classic(twins::reducer const& twin, gpu& place, device_span<T const> values, A init,
                    A* result, bool may_allocate) {
  twins::classic const rung = twin.as_classic();
  int const block_threads = twin.block_threads();
  device_guard const current{place.device()};
  auto const left_after = [&](std::int64_t size) { return values_left(rung, size, block_threads); };
  std::int64_t left = left_after(static_cast<std::int64_t>(values.size()));
  std::size_t const bytes = static_cast<std::size_t>(left + left_after(left)) * sizeof(A);
  if (may_allocate) place.reserve(bytes);
  A* to = static_cast<A*>(detail::gpu_scratch(place).workspace(bytes));
  A* other = to + left;

  launch_rung(place, rung, block_threads, left,
              ladder_input<T, A>{values.data(), static_cast<std::int64_t>(values.size())},
              ladder_output<A>{to, result, init});
  while (left > 1) {
    ladder_input<A, A> const partials{to, left};
    left = left_after(left);
    std::swap(to, other);
    launch_rung(place, rung, block_threads, left, partials, ladder_output<A>{to, result, init});
  }
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void sum_by_classic<T, A>(twins::reducer const&, gpu&, device_span<T const>, A, A*,     \
                                     bool);                                                        \
  }
