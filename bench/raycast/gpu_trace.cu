// Traversal on a gpu, counted in every way.

#include "raycast.hpp"

#include <warpfold/counting/aggregated_counter.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>

#include <algorithm>

namespace warpfold::raycast {
namespace {

constexpr int threads = 128; // with 64 as fast within 2 % (as for leaf_size, same run)
/// As many as without counters, so that counters do not change the occupancy.
constexpr int blocks_per_multiprocessor = 9;

template <aggregation Strategy, int Counters>
using counter = aggregated_counter<Strategy, Counters>;

/// Counts in the middle of the traversal, as the article does.
template <class Counter>
struct leaf_counter {
  Counter& leaves;
  __device__ void node() {}
  __device__ void leaf(std::uint32_t) { leaves.add(); }
};

/// Calls body(i) for all i < size, 32 neighbours at a time, each warp taking the next ones when it
/// is done ("persistent threads" in Aila and Laine). So a block lives as long as the kernel: it
/// flushes its counters once, and no warp has to wait for another before that.
template <class Body>
__device__ void for_each_ray(detail::cuda_block const& block, unsigned* ticket, std::uint32_t size,
                             Body body) {
  unsigned const lane = static_cast<unsigned>(block.thread_rank()) % 32;
  unsigned const batches = (size + 31) / 32;
  auto const warps = static_cast<unsigned>(block.grid_size() * (threads / 32));
  while (true) {
    unsigned batch = lane == 0 ? block.fetch_add(ticket, 1u) : 0;
    batch = __shfl_sync(0xffffffffu, batch, 0);
    if (batch >= batches) {
      // Each warp is turned away once: the last one leaves 0.
      if (lane == 0 && batch == batches + warps - 1) *ticket = 0;
      return;
    }
    std::uint32_t const i = batch * 32 + lane;
    if (i < size) body(i);
  }
}

template <query What, aggregation Strategy>
__global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    trace_kernel(tree_view tree, ray const* rays, std::uint32_t size, hit* hits, unsigned* ticket,
                 std::uint64_t* sums) {
  __shared__ typename counter<Strategy, 3>::shared_storage shared;
  counter<Strategy, 3> count(shared, sums);
  for_each_ray(detail::cuda_block{}, ticket, size, [&](std::uint32_t i) {
    std::conditional_t<Strategy == aggregation::none, no_tally, tally> met;
    hits[i] = trace<What>(tree, rays[i], met);
    if constexpr (Strategy != aggregation::none) {
      count.template add<0>(met.nodes);
      count.template add<1>(met.leaves);
      count.template add<2>(met.tests);
    }
  });
  count.flush();
}

template <aggregation Strategy>
__global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    count_leaves_kernel(tree_view tree, ray const* rays, std::uint32_t size, hit* hits,
                        unsigned* ticket, std::uint64_t* sum) {
  __shared__ typename counter<Strategy, 1>::shared_storage shared;
  counter<Strategy, 1> count(shared, sum);
  for_each_ray(detail::cuda_block{}, ticket, size, [&](std::uint32_t i) {
    leaf_counter<counter<Strategy, 1>> met{count};
    hits[i] = trace<query::closest>(tree, rays[i], met);
  });
  count.flush();
}

template <aggregation Strategy>
__global__ void __launch_bounds__(threads)
    lattice_kernel(lattice_ray rays, float radius, std::uint64_t* sum) {
  __shared__ typename counter<Strategy, 1>::shared_storage shared;
  counter<Strategy, 1> count(shared, sum);
  std::uint32_t const i = blockIdx.x * threads + threadIdx.x;
  if (i < rays.rays() && meets_sphere(rays(i), radius)) count.add();
  count.flush();
}

/// call.operator()<strategy>().
template <class Call>
void with(counting strategy, Call call) {
  switch (strategy) {
  case counting::none: return call.template operator()<counting::none>();
  case counting::global: return call.template operator()<counting::global>();
  case counting::warp: return call.template operator()<counting::warp>();
  case counting::block: return call.template operator()<counting::block>();
  case counting::any: return call.template operator()<counting::any>();
  case counting::automatic: return call.template operator()<counting::automatic>();
  }
}

int blocks_for(std::uint32_t size) { return static_cast<int>((size + threads - 1) / threads); }

} // namespace

void trace_async(gpu& place, tree_view tree, device_span<ray const> rays, device_span<hit> hits,
                 device_span<totals> sum, trace_options options) {
  if (rays.size() == 0) return;
  device_guard const current{place.device()};
  auto const size = static_cast<std::uint32_t>(rays.size());
  auto const go = [&](auto* kernel, std::uint64_t* to) {
    auto const facts = detail::facts_of(kernel, threads, place.compute_capability());
    int const room = place.multiprocessors() * facts.blocks_per_multiprocessor;
    int const blocks = std::min(room, blocks_for(size));
    detail::launch(place.stream(), {.blocks = blocks, .threads = threads}, kernel, tree,
                   rays.data(), size, hits.data(), detail::gpu_scratch(place).ticket(), to);
  };
  with(options.strategy, [&]<aggregation Strategy>() {
    if (options.moment == moment::each_leaf) go(count_leaves_kernel<Strategy>, &sum.data()->leaves);
    else if (options.query == query::closest)
      go(trace_kernel<query::closest, Strategy>, &sum.data()->nodes);
    else go(trace_kernel<query::any, Strategy>, &sum.data()->nodes);
  });
}

void count_lattice_async(gpu& place, int radius, counting strategy,
                         device_span<std::uint64_t> sum) {
  device_guard const current{place.device()};
  lattice_ray const rays{radius};
  with(strategy, [&]<aggregation Strategy>() {
    detail::launch(place.stream(), {.blocks = blocks_for(rays.rays()), .threads = threads},
                   lattice_kernel<Strategy>, rays, static_cast<float>(radius), sum.data());
  });
}

} // namespace warpfold::raycast
