#include "plain_kernels.hpp"
#include "plain_paths.cuh"

#include <warpfold/detail/core/launch.cuh>

#include <algorithm>
#include <cmath>

namespace warpfold::bench {
namespace {

using warpfold::detail::launch;
using philox = curandStatePhilox4_32_10_t;

constexpr int pricing_blocks = 1024;

int blocks_for(std::uint64_t paths) { return static_cast<int>((paths + threads - 1) / threads); }
__device__ std::uint64_t thread_index() {
  return std::uint64_t{blockIdx.x} * threads + threadIdx.x;
}
__device__ std::uint64_t all_threads() { return std::uint64_t{gridDim.x} * threads; }

// ---- a Bermudan put by least squares ------------------------------------------------------------

__global__ __launch_bounds__(threads) void keep_kernel(float_option of, int dates,
                                                       std::uint64_t paths, float* prices,
                                                       float* worth) {
  std::uint64_t const path = thread_index();
  if (path >= paths) return;
  philox random;
  curand_init(2026, path, 0, &random);
  float* to = prices + path;
  float const last = walk(of, dates, random, [&](float price) {
    *to = price;
    to += paths;
    return true;
  });
  worth[path] = of.payoff(last);
}

struct cubic_sums {
  double powers[7]{}, products[4]{};

  __device__ void add(double x, double y) {
    double power = 1;
    for (int k = 0; k < 7; ++k) {
      powers[k] += power;
      if (k < 4) products[k] += y * power;
      power *= x;
    }
  }
  friend __device__ cubic_sums operator+(cubic_sums a, cubic_sums const& b) {
    for (int k = 0; k < 7; ++k) a.powers[k] += b.powers[k];
    for (int k = 0; k < 4; ++k) a.products[k] += b.products[k];
    return a;
  }
};

/// Adds what a date's prices and the later payments say.
__global__ __launch_bounds__(threads) void sums_kernel(float_option of, float discount,
                                                       std::uint64_t paths, float const* prices,
                                                       float const* worth, cubic_system* to) {
  cubic_sums mine;
  for (std::uint64_t p = thread_index(); p < paths; p += all_threads()) {
    float const price = prices[p], later = discount * worth[p];
    if (of.payoff(price) > 0) mine.add(price / of.strike, later);
  }
  using reduce = cub::BlockReduce<cubic_sums, threads>;
  __shared__ typename reduce::TempStorage scratch;
  cubic_sums const all = reduce(scratch).Sum(mine);
  if (threadIdx.x > 0) return;
  for (int column = 0; column < 4; ++column) {
    for (int row = column; row < 4; ++row)
      atomicAdd(&to->matrix[4 * column + row], all.powers[row + column]);
    atomicAdd(&to->right[column], all.products[column]);
  }
}

__global__ void solve_kernel(cubic_system* of) {
  double l[4][4], x[4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      double left = of->matrix[4 * j + i];
      for (int k = 0; k < j; ++k) left -= l[i][k] * l[j][k];
      l[i][j] = i == j ? sqrt(left) : left / l[j][j];
    }
    x[i] = of->right[i];
    for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    x[i] /= l[i][i];
  }
  for (int i = 3; i >= 0; --i) {
    for (int k = i + 1; k < 4; ++k) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
    of->right[i] = x[i];
  }
}

/// The cubic's value.
template <class T>
__device__ float fit(T const* c, float x) {
  return fmaf(fmaf(fmaf(static_cast<float>(c[3]), x, static_cast<float>(c[2])), x,
                   static_cast<float>(c[1])),
              x, static_cast<float>(c[0]));
}

__global__ __launch_bounds__(threads) void decide_kernel(float_option of, float discount,
                                                         std::uint64_t paths, float const* prices,
                                                         float* worth, cubic_system const* solved) {
  std::uint64_t const path = thread_index();
  if (path >= paths) return;
  float const price = prices[path], now = of.payoff(price);
  bool const exercised = now > 0 && now > fit(solved->right, price / of.strike);
  worth[path] = exercised ? now : discount * worth[path];
}

__global__ __launch_bounds__(threads) void exercised_kernel(float_option of, float step_rate,
                                                            int dates, std::uint64_t paths,
                                                            cubic_system const* solved,
                                                            payoff_totals* total) {
  extern __shared__ float rules[]; // four a date but the last
  for (int i = static_cast<int>(threadIdx.x); i < 4 * (dates - 1); i += threads)
    rules[i] = static_cast<float>(solved[i / 4].right[i % 4]);
  __syncthreads();
  philox random;
  curand_init(2027, thread_index(), 0, &random);
  double sum = 0, squares = 0;
  float const per_strike = 1 / of.strike;
  for (std::uint64_t p = thread_index(); p < paths; p += all_threads()) {
    int date = 0;
    float paid = 0;
    walk(of, dates, random, [&](float price) {
      float const now = of.payoff(price);
      bool const last = ++date == dates;
      if (!last && !(now > 0 && now > fit(rules + 4 * (date - 1), price * per_strike))) return true;
      paid = now * __expf(-step_rate * static_cast<float>(date));
      return false;
    });
    double const value = paid;
    sum += value;
    squares += value * value;
  }
  add_block(sum, squares, total);
}

// ---- a call on five assets ----------------------------------------------------------------------

template <bool average>
__global__ __launch_bounds__(threads) void basket_kernel(plain_basket of, std::uint64_t paths,
                                                         payoff_totals* total) {
  constexpr int assets = plain_basket::assets;
  philox random;
  curand_init(2026, thread_index(), 0, &random);
  double sum = 0, squares = 0;
  for (std::uint64_t p = thread_index(); p < paths; p += all_threads()) {
    float logs[assets]{}, seen = 0;
    auto const look = [&] {
      for (int a = 0; a < assets; ++a) seen = fmaf(of.holdings[a], __expf(logs[a]), seen);
    };
    for (int j = 0; j < of.steps; j += 4) {
      float z[4 * assets]; // of four steps
#pragma unroll
      for (int a = 0; a < assets; ++a) {
        float4 const four = curand_normal4(&random);
        z[4 * a] = four.x;
        z[4 * a + 1] = four.y;
        z[4 * a + 2] = four.z;
        z[4 * a + 3] = four.w;
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (j + i >= of.steps) break;
#pragma unroll
        for (int a = 0; a < assets; ++a) {
          float move = of.drift[a];
          for (int b = 0; b <= a; ++b)
            move = fmaf(of.factor[a * (a + 1) / 2 + b], z[assets * i + b], move);
          logs[a] += move;
        }
        if (average) look();
      }
    }
    if (!average) look();
    double const value =
        fmaxf((average ? seen / static_cast<float>(of.steps) : seen) - of.strike, 0);
    sum += value;
    squares += value * value;
  }
  add_block(sum, squares, total);
}

} // namespace

void solve_in_one_thread(gpu& place, cubic_system* system) {
  launch(place.stream(), {1, 1}, solve_kernel, system);
}

void plain_put_async(gpu& place, pricing::option<double> const& of, int dates, std::uint64_t paths,
                     plain_put_memory& memory, solve_cubic const& solve,
                     device_span<payoff_totals> total) {
  float_option const put(of, pricing::option_kind::put, dates);
  double const step_rate = of.rate * of.expiry / dates;
  auto const discount = static_cast<float>(std::exp(-step_rate));
  float* const worth = memory.worth.data();
  cubic_system* const systems = memory.systems.data();
  auto const sum_blocks = 4 * static_cast<int>(place.multiprocessors());
  check(cudaMemsetAsync(systems, 0, memory.systems.span().size_bytes(), place.stream()));
  check(cudaMemsetAsync(total.data(), 0, total.size_bytes(), place.stream()));
  launch(place.stream(), {blocks_for(paths), threads}, keep_kernel, put, dates, paths,
         memory.prices.data(), worth);
  for (int date = dates - 2; date >= 0; --date) {
    float const* const prices = memory.prices.data() + static_cast<std::size_t>(date) * paths;
    launch(place.stream(), {std::min(sum_blocks, blocks_for(paths)), threads}, sums_kernel, put,
           discount, paths, prices, worth, systems + date);
    solve(place, systems + date);
    if (date > 0)
      launch(place.stream(), {blocks_for(paths), threads}, decide_kernel, put, discount, paths,
             prices, worth, systems + date);
  }
  std::size_t const rules = 4 * sizeof(float) * static_cast<std::size_t>(dates - 1);
  launch(
      place.stream(),
      {.blocks = std::min(pricing_blocks, blocks_for(paths)), .threads = threads, .shared = rules},
      exercised_kernel, put, static_cast<float>(step_rate), dates, paths, systems, total.data());
}

void plain_basket_async(gpu& place, plain_basket const& of, std::uint64_t paths,
                        device_span<payoff_totals> total) {
  check(cudaMemsetAsync(total.data(), 0, total.size_bytes(), place.stream()));
  launch(place.stream(), {std::min(pricing_blocks, blocks_for(paths)), threads},
         of.average ? basket_kernel<true> : basket_kernel<false>, of, paths, total.data());
}

} // namespace warpfold::bench
