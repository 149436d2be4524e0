#include "monte_carlo_kernels.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <cub/block/block_reduce.cuh>
#include <curand_kernel.h>

namespace warpfold::bench {
namespace {

constexpr int threads = 256;
constexpr int blocks_an_option = 16;

using generator = curandStateXORWOW_t;

__global__ void set_up_kernel(generator* states) {
  unsigned const i = blockIdx.x * threads + threadIdx.x;
  curand_init(1234, i, 0, &states[i]);
}

/// Thread 0 writes the totals of the block's threads.
__device__ void write_block(float sum, float squares, payoff_totals* to) {
  using reduce = cub::BlockReduce<float, threads>;
  __shared__ typename reduce::TempStorage scratch;
  float const all = reduce(scratch).Sum(sum);
  __syncthreads();
  float const all_squares = reduce(scratch).Sum(squares);
  if (threadIdx.x == 0) *to = {all, all_squares};
}

__global__ __launch_bounds__(threads) void block_an_option_kernel(generator* states,
                                                                  simulated_call const* calls,
                                                                  std::uint64_t paths,
                                                                  payoff_totals* to) {
  generator state = states[blockIdx.x * threads + threadIdx.x];
  simulated_call const call = calls[blockIdx.x];
  float sum = 0, squares = 0;
#pragma unroll 8
  for (std::uint64_t i = threadIdx.x; i < paths; i += threads) {
    float const z = curand_normal(&state);
    float const payoff = fmaxf(exp2f(call.a + call.b * z) - call.strike, 0.F);
    sum += payoff;
    squares += payoff * payoff;
  }
  states[blockIdx.x * threads + threadIdx.x] = state;
  write_block(sum, squares, to + blockIdx.x);
}

/// Block (x, option) of gridDim.x blocks an option.
__global__ __launch_bounds__(threads) void stored_kernel(int blocks, simulated_call const* calls,
                                                         float const* normals, std::size_t paths,
                                                         payoff_totals* to) {
  simulated_call const call = calls[blockIdx.x / static_cast<unsigned>(blocks)];
  unsigned const part = blockIdx.x % static_cast<unsigned>(blocks);
  float sum = 0, squares = 0;
  for (std::size_t i = part * threads + threadIdx.x; i < paths;
       i += static_cast<unsigned>(blocks) * threads) {
    float const payoff = fmaxf(exp2f(call.a + call.b * normals[i]) - call.strike, 0.F);
    sum += payoff;
    squares += payoff * payoff;
  }
  write_block(sum, squares, to + blockIdx.x);
}

__global__ void add_parts_kernel(int blocks, payoff_totals const* parts, payoff_totals* to) {
  payoff_totals all{};
  for (int i = 0; i < blocks; ++i) {
    payoff_totals const part = parts[blockIdx.x * static_cast<unsigned>(blocks) + i];
    all = {all.sum + part.sum, all.squares + part.squares};
  }
  to[blockIdx.x] = all;
}

} // namespace

xorwow_block_an_option::xorwow_block_an_option(gpu& place, std::size_t options)
    : states_(place, options * threads * sizeof(generator)) {
  warpfold::detail::launch(place.stream(), {static_cast<int>(options), threads}, set_up_kernel,
                           reinterpret_cast<generator*>(states_.data()));
}

void xorwow_block_an_option::price_async(gpu& place, device_span<simulated_call const> calls,
                                         std::uint64_t paths, device_span<payoff_totals> to) {
  warpfold::detail::launch(place.stream(), {static_cast<int>(calls.size()), threads},
                           block_an_option_kernel, reinterpret_cast<generator*>(states_.data()),
                           calls.data(), paths, to.data());
}

course_rule::course_rule(gpu& place, std::size_t options)
    : partials_(place, options * blocks_an_option) {}

void course_rule::price_async(gpu& place, device_span<simulated_call const> calls,
                              device_span<float const> normals, device_span<payoff_totals> to) {
  bool const several = normals.size() / calls.size() >= 8192;
  int const blocks = several ? blocks_an_option : 1, options = static_cast<int>(calls.size());
  warpfold::detail::launch(place.stream(), {options * blocks, threads}, stored_kernel, blocks,
                           calls.data(), normals.data(), normals.size(),
                           several ? partials_.data() : to.data());
  if (several)
    warpfold::detail::launch(place.stream(), {options, 1}, add_parts_kernel, blocks,
                             partials_.data(), to.data());
}

} // namespace warpfold::bench
