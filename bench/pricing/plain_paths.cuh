#pragma once
// Pieces of plain kernels: a path a thread, cuRAND's Philox normals in registers, sums by CUB.

#include "monte_carlo_kernels.hpp"

#include <cub/block/block_reduce.cuh>
#include <curand_kernel.h>

namespace warpfold::bench {
namespace {

constexpr int threads = 256; ///< of a block

/// For thread 0.
template <class T>
__device__ payoff_totals block_totals(T sum, T squares) {
  using reduce = cub::BlockReduce<T, threads>;
  __shared__ typename reduce::TempStorage scratch;
  T const all = reduce(scratch).Sum(sum);
  __syncthreads();
  return {all, reduce(scratch).Sum(squares)};
}

/// Thread 0 adds the totals of the block's threads.
__device__ inline void add_block(double sum, double squares, payoff_totals* to) {
  payoff_totals const all = block_totals(sum, squares);
  if (threadIdx.x > 0) return;
  atomicAdd(&to->sum, all.sum);
  atomicAdd(&to->squares, all.squares);
}

/// An option whose price moves in equal steps.
struct float_option {
  float spot, strike, sign, drift, deviation;

  __host__ __device__ float_option(pricing::option<double> const& of, pricing::option_kind kind,
                                   int steps)
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

} // namespace
} // namespace warpfold::bench
