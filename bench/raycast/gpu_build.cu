// The tree and what else is one loop over an index, on a gpu.

#include "loops.hpp"
#include "raycast.hpp"

#include <twins/call.cuh>

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>

#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

namespace warpfold::raycast {
namespace {

template <class Body>
__global__ void each_kernel(std::uint32_t size, Body body) {
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) body(i);
}

/// body(i) for all i < size, on the place's stream.
template <class Body>
void for_each(gpu& place, std::size_t size, Body body,
              std::source_location where = std::source_location::current()) {
  if (size == 0) return;
  device_guard const current{place.device()};
  constexpr int threads = 128;
  int const blocks = static_cast<int>((size + threads - 1) / threads);
  detail::launch(place.stream(), {.blocks = blocks, .threads = threads, .where = where},
                 each_kernel<Body>, static_cast<std::uint32_t>(size), body);
}

struct arrives_second {
  WARPFOLD_HOST_DEVICE bool operator()([[maybe_unused]] unsigned* arrivals) const {
#ifdef __CUDA_ARCH__
    return detail::cuda_block{}.arrives_last(arrivals, 2);
#else
    return false;
#endif
  }
};

} // namespace

hierarchy<gpu> build(gpu& place, device_span<triangle const> source) {
  check_size(source.size());
  auto const size = static_cast<std::uint32_t>(source.size());
  hierarchy<gpu> made;
  if (size == 0) return made;
  triangle const* const triangles = source.data();
  box const scene = detail::call_thrust(place, [&](auto policy) {
    return thrust::transform_reduce(policy, triangles, triangles + size, box_of{}, empty_box(),
                                    unite{});
  });
  device_buffer<std::uint32_t> codes(place, size), order(place, size);
  detail::call_thrust(place, [&](auto policy) {
    thrust::transform(policy, triangles, triangles + size, codes.data(), morton_code{scene});
    thrust::sequence(policy, order.data(), order.data() + size);
    thrust::stable_sort_by_key(policy, codes.data(), codes.data() + size, order.data());
    return 0;
  });
  made.extent = extent_of(scene);
  made.nodes = device_buffer<node>(place, size - 1);
  made.triangles = device_buffer<leaf_triangle>(place, size);
  device_buffer<hook> of_nodes(place, size), of_triangles(place, size);
  device_buffer<unsigned> arrivals(place, size);
  check(cudaMemsetAsync(arrivals.data(), 0, size * sizeof(unsigned), place.stream()));
  building const at{codes.data(),      order.data(),          triangles,
                    of_nodes.data(),   of_triangles.data(),   arrivals.data(),
                    made.nodes.data(), made.triangles.data(), size};
  for_each(place, size - 1, make_node{at});
  for_each(place, size, unite_boxes<arrives_second>{at, {}});
  place.synchronize();
  return made;
}

void trace_all_async(gpu& place, device_span<triangle const> triangles, float extent,
                     device_span<ray const> rays, device_span<hit> hits) {
  for_each(place, rays.size(),
           test_all{triangles.data(), static_cast<std::uint32_t>(triangles.size()), extent,
                    rays.data(), hits.data()});
}

template <class Generator, class T>
void fill_async(gpu& place, Generator const& generator, device_span<T> values) {
  for_each(place, values.size(), fill_all<Generator, T>{generator, values.data()});
}
template void fill_async(gpu&, landscape const&, device_span<triangle>);
template void fill_async(gpu&, camera const&, device_span<ray>);
template void fill_async(gpu&, random_ray const&, device_span<ray>);

void shade_async(gpu& place, shade const& colours, device_span<hit const> hits,
                 device_span<pixel> picture) {
  for_each(place, hits.size(), shade_all{colours, hits.data(), picture.data()});
}

} // namespace warpfold::raycast
