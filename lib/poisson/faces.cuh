#pragma once
// Boundary values and differences on a gpu.

#include "ghosts.hpp"
#include "instances.hpp"
#include "launches.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/macros.hpp>

#include <algorithm>
#include <cstdint>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

constexpr int threads = 256;

/// The first `count` points of each line that see an end.
template <class T>
__global__ void add_faces_kernel(lines_with_ends<T> lines, line_starts starts, std::int64_t count,
                                 T* rhs) {
  std::int64_t const n = lines.axis.points, all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < count * lines.count; i += all) {
    std::int64_t const number = i / lines.count, line = i - number * lines.count;
    std::int64_t const j = number < reach ? number : n - count + number;
    rhs[starts.begin(line) + j * starts.stride] -= lines.second_difference(line, j);
  }
}

template <class T>
__global__ void difference_kernel(lines_with_ends<T> lines, line_starts in, T const* solution,
                                  line_starts out, T* derivative) {
  std::int64_t const n = lines.axis.points, all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n * lines.count;
       i += all) {
    std::int64_t const row = i / lines.beside, outer = row / n, j = row - outer * n;
    std::int64_t const line = outer * lines.beside + (i - row * lines.beside);
    auto const place = in.place_of(line);
    derivative[out.begin(place) + j * out.stride] =
        lines.derivative(line, j, solution + in.begin(place), in.stride);
  }
}

} // namespace

template <class T>
void add_faces(gpu& place, plan const& plan, faces<T> const& values, T* rhs,
               field_layout const& layout) {
  for (std::size_t d = 0; d < plan.axes.size(); ++d) {
    if (!values.lower[d] && !values.upper[d]) continue;
    lines_with_ends<T> const lines(plan, d, values);
    std::int64_t const count = std::min<std::int64_t>(lines.axis.points, 2 * reach);
    detail::launch(place.stream(), {blocks_for(count * lines.count, threads), threads},
                   add_faces_kernel<T>, lines, starts_of(plan.problem, d, layout), count, rhs);
  }
}

template <class T>
void difference(gpu& place, plan const& plan, std::size_t axis, faces<T> const& values,
                T const* solution, field_layout const& solution_layout, T* derivative,
                field_layout const& derivative_layout) {
  lines_with_ends<T> const lines(plan, axis, values);
  detail::launch(place.stream(), {blocks_for(lines.axis.points * lines.count, threads), threads},
                 difference_kernel<T>, lines, starts_of(plan.problem, axis, solution_layout),
                 solution, starts_of(plan.problem, axis, derivative_layout), derivative);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template void add_faces(gpu&, plan const&, faces<T> const&, T*, field_layout const&);            \
  template void difference(gpu&, plan const&, std::size_t, faces<T> const&, T const*,              \
                           field_layout const&, T*, field_layout const&);                          \
  }
