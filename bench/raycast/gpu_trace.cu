// Traversal on a gpu, counted in every way.

#include "raycast.hpp"

#include <warpfold/aggregated_counter.cuh>
#include <warpfold/detail/launch.cuh>

namespace warpfold::raycast {
namespace {

constexpr int threads = 128;

template <aggregation How, int Counters>
using counter = aggregated_counter<How, Counters>;

/// Counts in the middle of the traversal, as the article does.
template <class Counter>
struct leaf_counter {
  Counter& leaves;
  __device__ void node() {}
  __device__ void leaf(std::uint32_t) { leaves.add(); }
};

template <query What, aggregation How>
__global__ void __launch_bounds__(threads)
    trace_kernel(tree_view tree, ray const* rays, std::uint32_t size, hit* hits,
                 std::uint64_t* sums) {
  __shared__ typename counter<How, 3>::shared_storage shared;
  counter<How, 3> count(shared, sums);
  std::uint32_t const i = blockIdx.x * threads + threadIdx.x;
  if (i < size) {
    std::conditional_t<How == aggregation::none, no_tally, tally> met;
    hits[i] = trace<What>(tree, rays[i], met);
    if constexpr (How != aggregation::none) {
      count.add(0, met.nodes);
      count.add(1, met.leaves);
      count.add(2, met.tests);
    }
  }
  count.flush();
}

template <aggregation How>
__global__ void __launch_bounds__(threads)
    count_leaves_kernel(tree_view tree, ray const* rays, std::uint32_t size, hit* hits,
                        std::uint64_t* sum) {
  __shared__ typename counter<How, 1>::shared_storage shared;
  counter<How, 1> count(shared, sum);
  std::uint32_t const i = blockIdx.x * threads + threadIdx.x;
  if (i < size) {
    leaf_counter<counter<How, 1>> met{count};
    hits[i] = trace<query::closest>(tree, rays[i], met);
  }
  count.flush();
}

template <aggregation How>
__global__ void __launch_bounds__(threads)
    lattice_kernel(lattice_ray rays, float radius, std::uint64_t* sum) {
  __shared__ typename counter<How, 1>::shared_storage shared;
  counter<How, 1> count(shared, sum);
  std::uint32_t const i = blockIdx.x * threads + threadIdx.x;
  if (i < rays.rays() && meets_sphere(rays(i), radius)) count.add();
  count.flush();
}

/// call.operator()<strategy>().
template <class Call>
void with(counting how, Call call) {
  switch (how) {
  case counting::none: return call.template operator()<aggregation::none>();
  case counting::global: return call.template operator()<aggregation::global>();
  case counting::warp: return call.template operator()<aggregation::warp>();
  case counting::block: return call.template operator()<aggregation::block>();
  case counting::any: return call.template operator()<aggregation::any>();
  case counting::automatic: return call.template operator()<aggregation::automatic>();
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
    detail::launch(place.stream(), {.blocks = blocks_for(size), .threads = threads}, kernel, tree,
                   rays.data(), size, hits.data(), to);
  };
  with(options.how, [&]<aggregation How>() {
    if (options.when == moment::each_leaf) go(count_leaves_kernel<How>, &sum.data()->leaves);
    else if (options.what == query::closest)
      go(trace_kernel<query::closest, How>, &sum.data()->nodes);
    else go(trace_kernel<query::any, How>, &sum.data()->nodes);
  });
}

void count_lattice_async(gpu& place, int radius, counting how, device_span<std::uint64_t> sum) {
  device_guard const current{place.device()};
  lattice_ray const rays{radius};
  with(how, [&]<aggregation How>() {
    detail::launch(place.stream(), {.blocks = blocks_for(rays.rays()), .threads = threads},
                   lattice_kernel<How>, rays, static_cast<float>(radius), sum.data());
  });
}

} // namespace warpfold::raycast
