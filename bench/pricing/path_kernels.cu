#include "path_kernels.hpp"

#include <cub/block/block_reduce.cuh>
#include <curand_kernel.h>

namespace warpfold::bench {
namespace {

constexpr int threads = 256, blocks_per_option = 128;

struct float_option {
  float spot, strike, sign, drift, deviation, barrier;

  __device__ float_option(pricing::option<double> const& of, pricing::option_kind kind, int steps)
      : spot(of.spot), strike(of.strike), sign(kind == pricing::option_kind::call ? 1.F : -1.F),
        barrier(0) {
    double const dt = of.expiry / steps;
    drift = (of.rate - of.dividend_yield - of.volatility * of.volatility / 2) * dt;
    deviation = of.volatility * sqrt(dt);
  }
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

__device__ void add_up(double sum, double squares, double* sums) {
  using reduce = cub::BlockReduce<double, threads>;
  __shared__ typename reduce::TempStorage scratch;
  double const all = reduce(scratch).Sum(sum);
  __syncthreads();
  double const all_squares = reduce(scratch).Sum(squares);
  if (threadIdx.x == 0) {
    atomicAdd(sums, all);
    atomicAdd(sums + 1, all_squares);
  }
}

template <class Payoff>
__device__ void sample(std::uint64_t paths, double* sums, Payoff payoff) {
  unsigned const thread = blockIdx.x * threads + threadIdx.x;
  curandStatePhilox4_32_10_t random;
  curand_init(2026, blockIdx.y * blocks_per_option * threads + thread, 0, &random);
  double sum = 0, squares = 0;
  for (std::uint64_t p = thread; p < paths; p += blocks_per_option * threads) {
    double const value = payoff(random);
    sum += value;
    squares += value * value;
  }
  add_up(sum, squares, sums + 2 * blockIdx.y);
}

__global__ void sample_asian_kernel(pricing::asian_option const* book, int steps,
                                    std::uint64_t paths, double* sums) {
  float_option const of(book[blockIdx.y].terms, book[blockIdx.y].kind, steps);
  sample(paths, sums, [&](curandStatePhilox4_32_10_t& random) {
    float all = 0;
    walk(of, steps, random, [&](float price) {
      all += price;
      return true;
    });
    return fmaxf(of.sign * (all / steps - of.strike), 0.F);
  });
}

__global__ void sample_barrier_kernel(pricing::barrier_option const* book, int steps,
                                      std::uint64_t paths, double* sums) {
  auto const& one = book[blockIdx.y];
  float_option const of(one.terms, one.kind, steps);
  bool const up = one.barrier > one.terms.spot;
  bool const out = one.type == pricing::barrier_kind::up_and_out ||
                   one.type == pricing::barrier_kind::down_and_out;
  auto const barrier = static_cast<float>(one.barrier);
  sample(paths, sums, [&](curandStatePhilox4_32_10_t& random) {
    bool met = false;
    float const last = walk(of, steps, random, [&](float price) {
      met = met || (up ? price >= barrier : price <= barrier);
      return !(met && out);
    });
    return met == out ? 0.F : fmaxf(of.sign * (last - of.strike), 0.F);
  });
}

template <class Option, class Kernel>
void enqueue(gpu& place, Kernel kernel, device_span<Option const> book, int steps,
             std::uint64_t paths, device_span<double> sums) {
  check(cudaMemsetAsync(sums.data(), 0, sums.size_bytes(), place.stream()));
  kernel<<<dim3(blocks_per_option, static_cast<unsigned>(book.size())), threads, 0,
           place.stream()>>>(book.data(), steps, paths, sums.data());
  check(cudaGetLastError());
}

} // namespace

void sample_asian_async(gpu& place, device_span<pricing::asian_option const> book, int steps,
                        std::uint64_t paths, device_span<double> sums) {
  enqueue(place, sample_asian_kernel, book, steps, paths, sums);
}
void sample_barrier_async(gpu& place, device_span<pricing::barrier_option const> book, int steps,
                          std::uint64_t paths, device_span<double> sums) {
  enqueue(place, sample_barrier_kernel, book, steps, paths, sums);
}

} // namespace warpfold::bench
