#include "monte_carlo_kernels.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <cub/block/block_reduce.cuh>
#include <curand_kernel.h>

namespace warpfold::bench {
namespace {

constexpr int threads = 256;

using generator = curandStateXORWOW_t;

__global__ void set_up_kernel(generator* states) {
  unsigned const i = blockIdx.x * threads + threadIdx.x;
  curand_init(1234, i, 0, &states[i]);
}

/// For thread 0.
template <class T>
__device__ payoff_totals block_totals(T sum, T squares) {
  using reduce = cub::BlockReduce<T, threads>;
  __shared__ typename reduce::TempStorage scratch;
  T const all = reduce(scratch).Sum(sum);
  __syncthreads();
  return {all, reduce(scratch).Sum(squares)};
}

/// Thread 0 writes the totals of the block's threads.
__device__ void write_block(float sum, float squares, payoff_totals* to) {
  payoff_totals const all = block_totals(sum, squares);
  if (threadIdx.x == 0) *to = all;
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

// ---- options on a path --------------------------------------------------------------------------

constexpr int blocks_per_option = 128;

struct float_option {
  float spot, strike, sign, drift, deviation;

  __device__ float_option(pricing::option<double> const& of, pricing::option_kind kind, int steps)
      : spot(of.spot), strike(of.strike), sign(kind == pricing::option_kind::call ? 1.F : -1.F) {
    double const dt = of.expiry / steps;
    drift = (of.rate - of.dividend_yield - of.volatility * of.volatility / 2) * dt;
    deviation = of.volatility * sqrt(dt);
  }
  __device__ float payoff(float price) const { return fmaxf(sign * (price - strike), 0.F); }
};

/// Calls see(price) at the end of every step; false ends the path.
template <class See>
__device__ float walk(float_option const& of, int steps, curandStatePhilox4_32_10_t& random,
                      See see) {
  float price = of.spot;
  for (int j = 0; j < steps; j += 4) {
    float4 const z = curand_normal4(&random);
    float const all[4] = {z.x, z.y, z.z, z.w};
    for (int i = 0; i < 4 && j + i < steps; ++i) {
      price *= __expf(fmaf(of.deviation, all[i], of.drift));
      if (!see(price)) return price;
    }
  }
  return price;
}

__device__ float sample_path(pricing::asian_option const&, float_option const& of, int steps,
                             curandStatePhilox4_32_10_t& random) {
  float all = 0;
  walk(of, steps, random, [&](float price) {
    all += price;
    return true;
  });
  return of.payoff(all / steps);
}
__device__ float sample_path(pricing::barrier_option const& one, float_option const& of, int steps,
                             curandStatePhilox4_32_10_t& random) {
  bool const up = one.barrier > one.terms.spot;
  bool const out = one.type == pricing::barrier_type::up_and_out ||
                   one.type == pricing::barrier_type::down_and_out;
  auto const barrier = static_cast<float>(one.barrier);
  bool met = false;
  float const last = walk(of, steps, random, [&](float price) {
    met = met || (up ? price >= barrier : price <= barrier);
    return !(met && out);
  });
  return met == out ? 0.F : of.payoff(last);
}

template <class Option>
__global__ void sample_kernel(Option const* book, int steps, std::uint64_t paths,
                              payoff_totals* totals) {
  unsigned const option = blockIdx.x / blocks_per_option;
  Option const one = book[option];
  float_option const of(one.terms, one.kind, steps);
  unsigned const thread = blockIdx.x % blocks_per_option * threads + threadIdx.x;
  curandStatePhilox4_32_10_t random;
  curand_init(2026, option * blocks_per_option * threads + thread, 0, &random);
  double sum = 0, squares = 0;
  for (std::uint64_t p = thread; p < paths; p += blocks_per_option * threads) {
    double const value = sample_path(one, of, steps, random);
    sum += value;
    squares += value * value;
  }
  payoff_totals const all = block_totals(sum, squares);
  if (threadIdx.x > 0) return;
  atomicAdd(&totals[option].sum, all.sum);
  atomicAdd(&totals[option].squares, all.squares);
}

} // namespace

device_buffer<std::byte> xorwow_states(gpu& place, std::size_t options) {
  device_buffer<std::byte> states(place, options * threads * sizeof(generator));
  warpfold::detail::launch(place.stream(), {static_cast<int>(options), threads}, set_up_kernel,
                           reinterpret_cast<generator*>(states.data()));
  return states;
}

void xorwow_async(gpu& place, device_span<std::byte> states,
                  device_span<simulated_call const> calls, std::uint64_t paths,
                  device_span<payoff_totals> to) {
  warpfold::detail::launch(place.stream(), {static_cast<int>(calls.size()), threads},
                           block_an_option_kernel, reinterpret_cast<generator*>(states.data()),
                           calls.data(), paths, to.data());
}

void course_async(gpu& place, device_span<simulated_call const> calls,
                  device_span<float const> normals, device_span<payoff_totals> partials,
                  device_span<payoff_totals> to) {
  bool const several = normals.size() / calls.size() >= 8192;
  int const blocks = several ? course_blocks : 1, options = static_cast<int>(calls.size());
  warpfold::detail::launch(place.stream(), {options * blocks, threads}, stored_kernel, blocks,
                           calls.data(), normals.data(), normals.size(),
                           several ? partials.data() : to.data());
  if (several)
    warpfold::detail::launch(place.stream(), {options, 1}, add_parts_kernel, blocks,
                             partials.data(), to.data());
}

template <class Option>
void sample_async(gpu& place, device_span<Option const> book, int steps, std::uint64_t paths,
                  device_span<payoff_totals> totals) {
  check(cudaMemsetAsync(totals.data(), 0, totals.size_bytes(), place.stream()));
  int const blocks = static_cast<int>(book.size()) * blocks_per_option;
  warpfold::detail::launch(place.stream(), {blocks, threads}, sample_kernel<Option>, book.data(),
                           steps, paths, totals.data());
}
template void sample_async(gpu&, device_span<pricing::asian_option const>, int, std::uint64_t,
                           device_span<payoff_totals>);
template void sample_async(gpu&, device_span<pricing::barrier_option const>, int, std::uint64_t,
                           device_span<payoff_totals>);

} // namespace warpfold::bench
