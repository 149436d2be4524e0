// Simulation as CUDA's samples have it: blocks of threads for an option, every thread with a
// generator of cuRAND, and cub::BlockReduce for the sums.

#include "backend.hpp"
#include "pricing/european/monte_carlo_finish.hpp"
#include "pricing/european/monte_carlo_sources.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>

#include <cub/block/block_reduce.cuh>
#include <curand_kernel.h>

#include <algorithm>

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

constexpr int threads = 256;
/// Packs whose payoffs a thread adds in T before it adds the sum in double. A pack has four
/// normals, in double two.
constexpr std::uint64_t packs_of_run = 32;
/// The fewest packs of a thread where an option has several blocks: starting a thread takes time,
/// too.
constexpr std::uint64_t least_packs = 4;

template <class T>
using evaluation = plain_evaluation<T, kinds::both>;
using block_reduce = cub::BlockReduce<tile_sums<2>, threads>;

__device__ tile_sums<2> sum_over_block(tile_sums<2> const& mine) {
  __shared__ block_reduce::TempStorage scratch;
  return block_reduce(scratch).Reduce(mine, [](tile_sums<2> a, tile_sums<2> const& b) {
    a += b;
    return a;
  });
}

template <class T>
__device__ normals_pack<T> next_normals(curandStatePhilox4_32_10_t& state) {
  if constexpr (sizeof(T) == 4) {
    float4 const four = curand_normal4(&state);
    return {{four.x, four.y, four.z, four.w}};
  } else {
    double2 const two = curand_normal2_double(&state);
    return {{two.x, two.y}};
  }
}

/// Adds the payoffs of part number `part` of `parts` of an option's paths.
template <class T>
__device__ tile_sums<2> simulate_part(typename evaluation<T>::terms const& of, bool is_call,
                                      detail::address from, std::uint64_t samples,
                                      std::uint64_t part, std::uint64_t parts) {
  constexpr int width = normals_pack<T>::size;
  std::uint64_t const packs = samples / width, each = (packs + parts - 1) / parts;
  std::uint64_t const first = min(part * each, packs), last = min(first + each, packs);
  curandStatePhilox4_32_10_t state;
  curand_init(from.seed, from.stream, 4 * first, &state); // a pack takes four words

  tile_sums<2> total{};
  T sum = 0, squares = 0;
  std::uint32_t paying = 0;
  auto const add = [&](T z) {
    T const price = exp2(of.a + of.b * z), worth = is_call ? price - 1 : 1 - price;
    T const payoff = worth > 0 ? worth : T(0);
    sum += payoff;
    squares += payoff * payoff;
    paying += worth >= 0 ? 1 : 0;
  };
  auto const close = [&] {
    total += {{double{sum}, double{squares}}, paying};
    sum = squares = 0;
    paying = 0;
  };
  for (std::uint64_t i = first; i < last; close()) {
    std::uint64_t const end = min(i + packs_of_run, last);
    for (; i < end; ++i)
      for (T const z : next_normals<T>(state).of) add(z);
  }
  if (part == parts - 1) { // has what is less than a pack
    auto const rest = next_normals<T>(state);
    for (int k = 0; k < width; ++k)
      if (packs * width + static_cast<unsigned>(k) < samples) add(rest.of[k]);
    close();
  }
  return total;
}

/// `blocks` blocks an option, whose sums go to `sums` if they are several.
template <class T>
__global__ __launch_bounds__(threads) void simulate_kernel(simulation_call<T> call, unsigned blocks,
                                                           tile_sums<2>* sums) {
  __shared__ option_scale scale;
  std::size_t const option = blockIdx.x / blocks;
  option_kind const kind = call.kind[option];
  if (threadIdx.x == 0) scale = scale_of(kind, call.book[option]);
  __syncthreads();
  std::uint64_t const part = std::uint64_t{blockIdx.x % blocks} * threads + threadIdx.x;
  auto const all = sum_over_block(
      simulate_part<T>(evaluation<T>{}.terms_of(kind, scale), kind == option_kind::call, call.from,
                       call.samples, part, std::uint64_t{blocks} * threads));
  if (threadIdx.x > 0) return;
  if (blocks > 1) sums[blockIdx.x] = all;
  else finish_option<T, evaluation<T>>{call, {}}(option, scale, all);
}

/// A block an option.
template <class T>
__global__ __launch_bounds__(threads) void finish_kernel(simulation_call<T> call, unsigned blocks,
                                                         tile_sums<2> const* sums) {
  std::size_t const option = blockIdx.x;
  tile_sums<2> mine{};
  for (unsigned i = threadIdx.x; i < blocks; i += threads) mine += sums[option * blocks + i];
  auto const all = sum_over_block(mine);
  if (threadIdx.x == 0)
    finish_option<T, evaluation<T>>{call, {}}(option,
                                              scale_of(call.kind[option], call.book[option]), all);
}

/// Blocks for each option: as many as all options together have room for on the GPU at once.
template <class T>
std::size_t blocks_of_option(gpu& place, simulation_call<T> const& call) {
  static detail::kernel_facts const facts =
      detail::facts_of(simulate_kernel<T>, threads, place.compute_capability());
  std::uint64_t const packs = call.samples / normals_pack<T>::size;
  std::size_t const wanted = call.book.size * (packs / (threads * least_packs));
  auto const room = static_cast<std::size_t>(detail::blocks_at_once(place, facts, wanted));
  return std::max<std::size_t>(1, room / call.book.size);
}

} // namespace

template <class T>
void simulate_in_blocks(gpu& place, simulation_call<T> const& call, bool may_be_several) {
  std::size_t const blocks = may_be_several ? blocks_of_option(place, call) : 1;
  std::size_t const options = call.book.size, all = options * blocks;
  bool const is_several = blocks > 1;
  // These blocks all run at the same time, so they are too few to outgrow the scratch memory.
  auto* const sums = is_several ? static_cast<tile_sums<2>*>(detail::gpu_scratch(place).workspace(
                                      all * sizeof(tile_sums<2>)))
                                : nullptr;
  auto const count = static_cast<unsigned>(blocks);
  detail::launch(place.stream(), {static_cast<int>(all), threads}, simulate_kernel<T>, call, count,
                 sums);
  if (is_several)
    detail::launch(place.stream(), {static_cast<int>(options), threads}, finish_kernel<T>, call,
                   count, sums);
}

#define INSTANTIATE(T) template void simulate_in_blocks<T>(gpu&, simulation_call<T> const&, bool);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
