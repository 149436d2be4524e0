// Loops over an index on a gpu, and the tree that they build.

#include "growth.hpp"

#include <twins/call.cuh>

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

} // namespace

template <class Body>
void for_each(gpu const& place, std::size_t size, Body body, std::source_location where) {
  if (size == 0) return;
  device_guard const current{place.device()};
  constexpr int threads = 128;
  int const blocks = static_cast<int>((size + threads - 1) / threads);
  detail::launch(place.stream(), {.blocks = blocks, .threads = threads, .where = where},
                 each_kernel<Body>, static_cast<std::uint32_t>(size), body);
}

template void for_each(gpu const&, std::size_t, fill_all<landscape>, std::source_location);
template void for_each(gpu const&, std::size_t, fill_all<camera>, std::source_location);
template void for_each(gpu const&, std::size_t, fill_all<random_ray>, std::source_location);
template void for_each(gpu const&, std::size_t, test_all, std::source_location);
template void for_each(gpu const&, std::size_t, shade_all, std::source_location);

hierarchy<gpu> build(gpu& place, device_span<triangle const> source) {
  check_size(source.size());
  auto const size = static_cast<std::uint32_t>(source.size());
  if (size == 0) return {};
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
  return tree_over(place, triangles, scene, codes, order);
}

} // namespace warpfold::raycast
