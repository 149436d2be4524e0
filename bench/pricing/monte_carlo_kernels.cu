#include "monte_carlo_kernels.hpp"
#include "plain_paths.cuh"

#include <warpfold/detail/core/launch.cuh>

namespace warpfold::bench {
namespace {

using generator = curandStateXORWOW_t;

__global__ void set_up_kernel(generator* states) {
  unsigned const i = blockIdx.x * threads + threadIdx.x;
  curand_init(1234, i, 0, &states[i]);
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
  add_block(sum, squares, totals + option);
}

constexpr int heston_blocks = 1024;

/// What Andersen's scheme needs of a step, besides the variance.
struct heston_constants {
  float decay, pull, spread, spread_0, k1, k2, k3, a, drift;

  heston_constants(heston_call const& of, int steps) {
    double const h = of.expiry / steps, rho = of.correlation, noise = of.vol_of_vol;
    double const e = std::exp(-of.reversion * h), span = (1 - e) / of.reversion;
    double const half = h / 2 * (of.reversion * rho / noise - 0.5), slope = rho / noise;
    decay = e;
    pull = of.mean * (1 - e);
    spread = noise * noise * e * span;
    spread_0 = of.mean * of.reversion * noise * noise * span * span / 2;
    k1 = half - slope;
    k2 = half + slope;
    k3 = h / 2 * (1 - rho * rho);
    a = k2 + k3 / 2;
    drift = of.rate * h;
  }
};

/// The logarithm of the price and the variance, a step later.
__device__ void heston_step(heston_constants const& c, float z, float of_variance, float& x,
                            float& v) {
  float const m = fmaf(c.decay, v, c.pull), s2 = fmaf(c.spread, v, c.spread_0);
  float const psi = s2 / (m * m);
  float next, log_mean;
  if (psi <= 1.5F) {
    float const r = 2 / psi, b2 = r - 1 + sqrtf(r) * sqrtf(r - 1), a = m / (1 + b2);
    float const sum = sqrtf(b2) + of_variance;
    next = a * sum * sum;
    log_mean = c.a * b2 * a / (1 - 2 * c.a * a) - 0.5F * __logf(1 - 2 * c.a * a);
  } else {
    float const p = (psi - 1) / (psi + 1), beta = (1 - p) / m;
    float const u = normcdff(-of_variance);
    next = u < 1 - p ? __logf((1 - p) / u) / beta : 0.F;
    log_mean = __logf(p + beta * (1 - p) / (beta - c.a));
  }
  x += c.drift - log_mean - 0.5F * c.k3 * v + c.k2 * next + sqrtf(c.k3 * (v + next)) * z;
  v = next;
}

__global__ __launch_bounds__(threads) void heston_kernel(heston_call of, heston_constants constants,
                                                         int steps, std::uint64_t paths,
                                                         payoff_totals* total) {
  unsigned const thread = blockIdx.x * threads + threadIdx.x;
  curandStatePhilox4_32_10_t random;
  curand_init(2026, thread, 0, &random);
  double sum = 0, squares = 0;
  for (std::uint64_t p = thread; p < paths; p += heston_blocks * threads) {
    float x = 0, v = of.variance;
    for (int j = 0; j < steps; j += 2) {
      float4 const z = curand_normal4(&random);
      heston_step(constants, z.x, z.y, x, v);
      if (j + 1 < steps) heston_step(constants, z.z, z.w, x, v);
    }
    double const value = fmaxf(of.spot * __expf(x) - of.strike, 0.F);
    sum += value;
    squares += value * value;
  }
  add_block(sum, squares, total);
}

/// What a kernel needs of a volatility_texture.
struct texture_view {
  cudaTextureObject_t texture;
  float per_time, per_logarithm, lowest;
};

/// The logarithm of price over forward, a step later.
__device__ float local_step(texture_view const& of, float time, float h, float root, float z,
                            float x) {
  float const volatility = tex2D<float>(of.texture, fmaf(x - of.lowest, of.per_logarithm, 0.5F),
                                        fmaf(time, of.per_time, 0.5F));
  return fmaf(volatility, fmaf(root, z, -0.5F * h * volatility), x);
}

__global__ __launch_bounds__(threads) void local_kernel(local_call of, texture_view volatility,
                                                        int steps, std::uint64_t paths,
                                                        payoff_totals* total) {
  unsigned const thread = blockIdx.x * threads + threadIdx.x;
  curandStatePhilox4_32_10_t random;
  curand_init(2026, thread, 0, &random);
  float const h = of.expiry / static_cast<float>(steps), root = sqrtf(h);
  double sum = 0, squares = 0;
  for (std::uint64_t p = thread; p < paths; p += heston_blocks * threads) {
    float x = 0;
    for (int j = 0; j < steps; j += 4) {
      float4 const z = curand_normal4(&random);
      float const t = static_cast<float>(j) * h;
      x = local_step(volatility, t, h, root, z.x, x);
      if (j + 1 < steps) x = local_step(volatility, t + h, h, root, z.y, x);
      if (j + 2 < steps) x = local_step(volatility, t + 2 * h, h, root, z.z, x);
      if (j + 3 < steps) x = local_step(volatility, t + 3 * h, h, root, z.w, x);
    }
    double const value = fmaxf(of.spot * __expf(fmaf(of.rate, of.expiry, x)) - of.strike, 0.F);
    sum += value;
    squares += value * value;
  }
  payoff_totals const all = block_totals(sum, squares);
  if (threadIdx.x > 0) return;
  atomicAdd(&total->sum, all.sum);
  atomicAdd(&total->squares, all.squares);
}

} // namespace

volatility_texture::volatility_texture(gpu const& place, std::vector<float> const& values, int rows,
                                       float last_time, float low, float high)
    : lowest{low} {
  device_guard const current{place.device()};
  auto const columns = values.size() / static_cast<std::size_t>(rows);
  per_time = static_cast<float>(rows - 1) / last_time;
  per_logarithm = static_cast<float>(columns - 1) / (high - low);
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  check(cudaMallocArray(&array, &format, columns, static_cast<std::size_t>(rows)));
  array_ = array;
  check(cudaMemcpy2DToArray(array, 0, 0, values.data(), columns * sizeof(float),
                            columns * sizeof(float), static_cast<std::size_t>(rows),
                            cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t made = 0;
  check(cudaCreateTextureObject(&made, &resource, &description, nullptr));
  handle = made;
}
volatility_texture::~volatility_texture() {
  cudaDestroyTextureObject(handle);
  cudaFreeArray(static_cast<cudaArray_t>(array_));
}

void local_sample_async(gpu& place, local_call const& of, volatility_texture const& volatility,
                        int steps, std::uint64_t paths, device_span<payoff_totals> total) {
  check(cudaMemsetAsync(total.data(), 0, total.size_bytes(), place.stream()));
  texture_view const view{volatility.handle, volatility.per_time, volatility.per_logarithm,
                          volatility.lowest};
  warpfold::detail::launch(place.stream(), {heston_blocks, threads}, local_kernel, of, view, steps,
                           paths, total.data());
}

void heston_sample_async(gpu& place, heston_call const& of, int steps, std::uint64_t paths,
                         device_span<payoff_totals> total) {
  check(cudaMemsetAsync(total.data(), 0, total.size_bytes(), place.stream()));
  warpfold::detail::launch(place.stream(), {heston_blocks, threads}, heston_kernel, of,
                           heston_constants(of, steps), steps, paths, total.data());
}

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
