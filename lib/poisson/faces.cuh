#pragma once
// Boundary values and differences on a gpu.

#include "backend.hpp"
#include "ghosts.hpp"
#include "instances.hpp"
#include "launches.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <algorithm>
#include <cstdint>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

constexpr int threads = 256;

/// Lines along an axis of all right-hand sides, and what is given at their ends, by line; null is
/// 0.
template <class T>
struct given_lines {
  ends<T> axis;
  symbol stands;
  std::int64_t stride, lines;
  T const* lower;
  T const* upper;

  given_lines(plan const& of, std::size_t number, faces<T> const& values)
      : axis{ends_of<T>(of, number)}, stands{of.of.stands}, stride{1},
        lines{static_cast<std::int64_t>(of.size() / of.axes[number].points * of.of.batch)},
        lower{values.lower[number]}, upper{values.upper[number]} {
    for (std::size_t d = number + 1; d < of.axes.size(); ++d)
      stride *= static_cast<std::int64_t>(of.axes[d].points);
  }
  __device__ T at_lower(std::int64_t line) const { return lower ? lower[line] : T{0}; }
  __device__ T at_upper(std::int64_t line) const { return upper ? upper[line] : T{0}; }
};

/// The first `count` points of each line that see an end.
template <class T>
__global__ void add_faces_kernel(given_lines<T> along, std::int64_t count, T* rhs) {
  std::int64_t const n = along.axis.points, all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < count * along.lines; i += all) {
    std::int64_t const number = i / along.lines, line = i - number * along.lines;
    std::int64_t const j = number < reach ? number : n - count + number;
    std::int64_t const outer = line / along.stride, inner = line - outer * along.stride;
    rhs[(outer * n + j) * along.stride + inner] -= second_difference_of_ends(
        along.axis, along.stands, j, along.at_lower(line), along.at_upper(line));
  }
}

template <class T>
__global__ void difference_kernel(given_lines<T> along, T const* solution, T* derivative) {
  std::int64_t const n = along.axis.points, all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n * along.lines;
       i += all) {
    std::int64_t const row = i / along.stride, inner = i - row * along.stride;
    std::int64_t const outer = row / n, j = row - outer * n;
    std::int64_t const line = outer * along.stride + inner;
    T const* const first = solution + outer * n * along.stride + inner;
    derivative[i] =
        first_difference(along.axis, along.stands, j, along.at_lower(line), along.at_upper(line),
                         [&](std::int64_t k) { return first[k * along.stride]; });
  }
}

} // namespace

template <class T>
void add_faces(gpu& place, plan const& of, faces<T> const& values, T* rhs) {
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    if (!values.lower[d] && !values.upper[d]) continue;
    given_lines<T> const along(of, d, values);
    std::int64_t const count = std::min<std::int64_t>(along.axis.points, 2 * reach);
    detail::launch(place.stream(), {blocks_for(count * along.lines, threads), threads},
                   add_faces_kernel<T>, along, count, rhs);
  }
}

template <class T>
void difference(gpu& place, plan const& of, std::size_t axis, faces<T> const& values,
                T const* solution, T* derivative) {
  given_lines<T> const along(of, axis, values);
  detail::launch(place.stream(), {blocks_for(along.axis.points * along.lines, threads), threads},
                 difference_kernel<T>, along, solution, derivative);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template void add_faces(gpu&, plan const&, faces<T> const&, T*);                                 \
  template void difference(gpu&, plan const&, std::size_t, faces<T> const&, T const*, T*);         \
  }
