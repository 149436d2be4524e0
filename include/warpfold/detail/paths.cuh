#pragma once
// Simulated paths on a gpu: the kernels and their launch.

#include <warpfold/detail/cuda_block.cuh>
#include <warpfold/detail/launch.cuh>
#include <warpfold/detail/path_plan.hpp>
#include <warpfold/detail/resident.cuh>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace warpfold::detail {

namespace {

/// Host memory on its way to the GPU as a kernel's parameter: nothing to wait for, and a graph
/// keeps its own.
struct parcel {
  static constexpr std::size_t capacity = 16384;
  uint4 of[capacity / sizeof(uint4)];
};

__global__ void unpack_kernel(parcel const from, int size, uint4* to) {
  for (int i = static_cast<int>(threadIdx.x); i < size; i += static_cast<int>(blockDim.x))
    to[i] = from.of[i];
}

/// Scratch memory, dealt out in aligned pieces.
class scratch_pieces {
public:
  static constexpr std::size_t alignment = 256;

  explicit scratch_pieces(void* memory) : next_{static_cast<std::byte*>(memory)} {}
  template <class T>
  T* take(std::size_t count) {
    T* const piece = reinterpret_cast<T*>(next_);
    next_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
    return piece;
  }

private:
  std::byte* next_;
};

/// Enqueues a copy of host memory, which may go at once. There is room for a multiple of 16 bytes.
inline void upload(gpu& place, void* to, void const* from, std::size_t bytes) {
  parcel of{};
  for (std::size_t done = 0; done < bytes; done += parcel::capacity) {
    std::size_t const now = std::min(parcel::capacity, bytes - done);
    std::memcpy(of.of, static_cast<std::byte const*>(from) + done, now);
    launch(place.stream(), {1, 256}, unpack_kernel, of,
           static_cast<int>((now + sizeof(uint4) - 1) / sizeof(uint4)),
           reinterpret_cast<uint4*>(static_cast<std::byte*>(to) + done));
  }
}

template <bool antithetic, class Problem, class T, int results>
__global__ __launch_bounds__(path_threads) void simulate_kernel(path_run run, Problem problem,
                                                                pricing::path_step<T> const* steps,
                                                                path_finish const* finish,
                                                                int first_tile, int tiles,
                                                                int groups, path_sums* partials) {
  __shared__ path_shared<T, results> shared;
  simulate_tiles<antithetic>(cuda_block{}, run, problem, steps, finish, first_tile, tiles, groups,
                             partials, shared);
}

__global__ __launch_bounds__(path_threads) void finish_paths_kernel(path_sums const* partials,
                                                                    int tiles, int values,
                                                                    path_finish const* finish,
                                                                    path_ending ending,
                                                                    pricing::estimate* results) {
  __shared__ path_sums shared[path_threads];
  finish_values(cuda_block{}, partials, tiles, values, finish, ending, results, shared);
}

struct tile_range {
  int first, count;
};

/// Enqueues the sums of a range of tiles, for all values of so many groups: value v's sums over the
/// tiles go to partials[v range.count ...]. Any part of a simulation, on any GPU: what all its
/// tiles' sums add up to, in the order of finish_values, does not depend on how they are dealt out.
template <class T, int values, class Problem>
void enqueue_tiles(gpu& place, path_plan const& plan, Problem const& problem,
                   pricing::path_step<T> const* steps, path_finish const* finish, tile_range range,
                   int groups, path_sums* partials, int most_blocks) {
  auto const units = std::int64_t{groups} * range.count;
  auto const blocks = static_cast<int>(std::min<std::int64_t>(units, most_blocks));
  launch(place.stream(), {blocks, path_threads},
         plan.antithetic ? simulate_kernel<true, Problem, T, values>
                         : simulate_kernel<false, Problem, T, values>,
         plan.run, problem, steps, finish, range.first, range.count, groups, partials);
}

/// Bytes of scratch memory for so many groups at a time, with room for the pieces' alignment.
template <class Problems>
std::size_t path_workspace(path_plan const& plan, std::size_t groups) {
  constexpr std::size_t values = path_results_of<Problems>;
  auto const tiles = static_cast<std::size_t>(plan.run.shape.tiles());
  std::size_t const steps =
      plan.times.size() * sizeof(pricing::path_step<path_value_type<Problems>>);
  return 4 * scratch_pieces::alignment + steps +
         groups *
             (values * (sizeof(path_finish) + tiles * sizeof(path_sums)) + Problems::group_bytes);
}

/// Enqueues the first `wanted` estimates of all groups' values, in as many batches as the workspace
/// asks for. finish has an element for every value.
/// The grid has at most `most_blocks` blocks.
template <class Problems>
void simulate_gpu(gpu& place, path_plan const& plan, Problems const& problems,
                  std::vector<path_finish> const& finish, pricing::estimate* results,
                  std::size_t wanted, bool blocking, int most_blocks = 1 << 20) {
  using T = path_value_type<Problems>;
  constexpr int values = path_results_of<Problems>;
  constexpr std::size_t ample = std::size_t{64} << 20;
  std::size_t const groups = problems.groups();
  if (blocking) {
    std::size_t const all = path_workspace<Problems>(plan, groups);
    place.reserve(std::max(path_workspace<Problems>(plan, 1), std::min(all, ample)));
  }
  std::size_t const one = path_workspace<Problems>(plan, 1);
  std::size_t const more = path_workspace<Problems>(plan, 2) - one;
  std::size_t const room = std::max(place.workspace_size(), one);
  std::size_t const batch = std::min(groups, 1 + (room - one) / more);
  device_guard const current{place.device()};
  scratch_pieces pieces(place.workspace(path_workspace<Problems>(plan, batch)));
  auto const steps = steps_of<T>(plan.times);
  auto const tiles = static_cast<int>(plan.run.shape.tiles());
  auto* const there_steps = pieces.template take<pricing::path_step<T>>(steps.size());
  auto* const there_finish = pieces.template take<path_finish>(batch * values);
  auto* const there_groups = pieces.template take<std::byte>(batch * Problems::group_bytes);
  auto* const partials = pieces.template take<path_sums>(batch * values * tiles);
  upload(place, there_steps, steps.data(), steps.size() * sizeof(steps[0]));
  for (std::size_t first = 0; first < groups; first += batch) {
    std::size_t const now = std::min(batch, groups - first);
    upload(place, there_finish, finish.data() + first * values, now * values * sizeof(path_finish));
    if constexpr (Problems::group_bytes > 0)
      upload(place, there_groups,
             static_cast<std::byte const*>(problems.data()) + first * Problems::group_bytes,
             now * Problems::group_bytes);
    enqueue_tiles<T, values>(place, plan, problems.at(there_groups, first), there_steps,
                             there_finish, {0, tiles}, static_cast<int>(now), partials,
                             most_blocks);
    auto const estimates = static_cast<int>(std::min(now * values, wanted - first * values));
    launch(place.stream(), {std::min(estimates, most_blocks), path_threads}, finish_paths_kernel,
           partials, tiles, estimates, there_finish, plan.ending, results + first * values);
  }
}

} // namespace

} // namespace warpfold::detail
