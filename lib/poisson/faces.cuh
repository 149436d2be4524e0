#pragma once
// Boundary values and differences on a gpu.

#include "ghosts.hpp"
#include "instances.hpp"
#include "launches.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <algorithm>
#include <cstdint>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

constexpr int threads = 256;

/// The first `count` points of each line that see an end.
template <class T>
__global__ void add_faces_kernel(lines_with_ends<T> lines, std::int64_t count, T* rhs) {
  std::int64_t const n = lines.axis.points, all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < count * lines.count; i += all) {
    std::int64_t const number = i / lines.count, line = i - number * lines.count;
    std::int64_t const j = number < reach ? number : n - count + number;
    rhs[lines.begin(line) + j * lines.stride] -= lines.second_difference(line, j);
  }
}

template <class T>
__global__ void difference_kernel(lines_with_ends<T> lines, T const* solution, T* derivative) {
  std::int64_t const n = lines.axis.points, all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n * lines.count;
       i += all) {
    std::int64_t const row = i / lines.stride, outer = row / n;
    std::int64_t const line = outer * lines.stride + (i - row * lines.stride);
    derivative[i] = lines.derivative(line, row - outer * n, solution);
  }
}

} // namespace

template <class T>
void add_faces(gpu& place, plan const& plan, faces<T> const& values, T* rhs) {
  for (std::size_t d = 0; d < plan.axes.size(); ++d) {
    if (!values.lower[d] && !values.upper[d]) continue;
    lines_with_ends<T> const lines(plan, d, values);
    std::int64_t const count = std::min<std::int64_t>(lines.axis.points, 2 * reach);
    detail::launch(place.stream(), {blocks_for(count * lines.count, threads), threads},
                   add_faces_kernel<T>, lines, count, rhs);
  }
}

template <class T>
void difference(gpu& place, plan const& plan, std::size_t axis, faces<T> const& values,
                T const* solution, T* derivative) {
  lines_with_ends<T> const lines(plan, axis, values);
  detail::launch(place.stream(), {blocks_for(lines.axis.points * lines.count, threads), threads},
                 difference_kernel<T>, lines, solution, derivative);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template void add_faces(gpu&, plan const&, faces<T> const&, T*);                                 \
  template void difference(gpu&, plan const&, std::size_t, faces<T> const&, T const*, T*);         \
  }
