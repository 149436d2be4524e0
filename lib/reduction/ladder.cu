// The ladder on the GPU: launched as it was taught, again and again until one block is left.

#include "backend.hpp"
#include "instances.hpp"
#include "ladder_body.hpp"

#include <warpfold/detail/cuda_block.cuh>
#include <warpfold/detail/launch.cuh>
#include <warpfold/error.hpp>

#include <limits>
#include <string>

namespace warpfold::reduction::gpu_impl {
namespace {

template <class Rung, class A, class Input>
__global__ void ladder_kernel(Input input, ladder_output<A> output) {
  __shared__ A shared[max_ladder_threads];
  Rung::run(detail::cuda_block{}, input, output, shared);
}

template <class A, class Input>
__global__ void halving_kernel(Input input, ladder_output<A> output) {
  halving_step(detail::cuda_block{}, input, output);
}

template <class A, class Input>
void launch_rung(gpu const& place, method rung, int threads, std::int64_t left, Input input,
                 ladder_output<A> output) {
  std::int64_t const blocks = rung == method::halving ? (left + threads - 1) / threads : left;
  if (blocks > std::numeric_limits<int>::max())
    throw argument_error("values", std::to_string(input.size) +
                                       " elements are too many for blocks of " +
                                       std::to_string(threads) + " threads");
  detail::launch_shape const shape{static_cast<int>(blocks), threads};
  if (rung == method::halving)
    return detail::launch(place.stream(), shape, halving_kernel<A, Input>, input, output);
  with_rung(rung, threads, [&]<class Rung>(Rung) {
    detail::launch(place.stream(), shape, ladder_kernel<Rung, A, Input>, input, output);
  });
}

} // namespace

template <class T, class A>
void ladder(gpu& place, device_span<T const> values, A init, A* result, bool may_allocate,
            method rung, int block_threads) {
  device_guard const current{place.device()};
  auto const left_after = [&](std::int64_t size) { return values_left(rung, size, block_threads); };
  std::int64_t left = left_after(static_cast<std::int64_t>(values.size()));
  std::size_t const bytes = static_cast<std::size_t>(left + left_after(left)) * sizeof(A);
  if (may_allocate) place.reserve(bytes);
  A* to = static_cast<A*>(place.workspace(bytes));
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

#define INSTANTIATE(T, A)                                                                          \
  template void ladder<T, A>(gpu&, device_span<T const>, A, A*, bool, method, int);
WARPFOLD_FOR_EACH_ELEMENT(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
