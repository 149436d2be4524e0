#pragma once
// Boundary values, differences, conversions and copies of fields on a gpu.

#include "ghosts.hpp"
#include "instances.hpp"
#include "launches.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/macros.hpp>

#include <cstdint>
#include <type_traits>

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

constexpr int packs_each = 4; ///< packs of a thread that are on their way at once

/// Neighbours that one instruction reads or writes.
template <class T, int Width>
struct alignas(Width * sizeof(T)) pack {
  T at[Width];
};

template <int Width, class From, class To>
__global__ void __launch_bounds__(threads)
    convert_kernel(From const* from, std::int64_t size, To* to) {
  auto const* const in = reinterpret_cast<pack<From, Width> const*>(from);
  auto* const out = reinterpret_cast<pack<To, Width>*>(to);
  constexpr int tile = threads * packs_each;
  std::int64_t const packs = size / Width, all = std::int64_t{gridDim.x} * tile;
  for (std::int64_t first = std::int64_t{blockIdx.x} * tile + threadIdx.x; first < packs;
       first += all) {
    pack<From, Width> read[packs_each];
    WARPFOLD_UNROLL
    for (int i = 0; i < packs_each; ++i)
      if (std::int64_t const at = first + i * threads; at < packs) read[i] = in[at];
    WARPFOLD_UNROLL
    for (int i = 0; i < packs_each; ++i) {
      std::int64_t const at = first + i * threads;
      if (at >= packs) continue;
      pack<To, Width> converted;
      WARPFOLD_UNROLL
      for (int k = 0; k < Width; ++k) converted.at[k] = static_cast<To>(read[i].at[k]);
      out[at] = converted;
    }
  }
  std::int64_t const rest = packs * Width + threadIdx.x;
  if (blockIdx.x == 0 && rest < size) to[rest] = static_cast<To>(from[rest]);
}

template <int Width, class From, class To>
void launch_convert(gpu const& place, From const* from, std::int64_t size, To* to) {
  std::int64_t const packs = detail::larger<std::int64_t>(size / Width, 1);
  detail::launch(place.stream(), {blocks_for(packs, threads * packs_each), threads},
                 convert_kernel<Width, From, To>, from, size, to);
}

/// Rows in pieces of a block.
template <class From, class To>
__global__ void convert_rows_kernel(line_starts in, From const* from, line_starts out, To* to,
                                    std::int64_t width, std::int64_t pieces, std::int64_t blocks) {
  for (std::int64_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    std::int64_t const row = block / pieces;
    std::int64_t const first = (block - row * pieces) * blockDim.x * packs_each + threadIdx.x;
    From const* const from_row = from + in.begin(row);
    To* const to_row = to + out.begin(row);
    WARPFOLD_UNROLL
    for (int i = 0; i < packs_each; ++i) {
      std::int64_t const x = first + i * static_cast<int>(blockDim.x);
      if (x < width) to_row[x] = static_cast<To>(from_row[x]);
    }
  }
}

} // namespace

template <class T>
void add_faces(gpu& place, plan const& plan, faces<T> const& values, T* rhs,
               field_layout const& layout) {
  for (std::size_t d = 0; d < plan.axes.size(); ++d) {
    if (!values.lower[d] && !values.upper[d]) continue;
    lines_with_ends<T> const lines(plan, d, values);
    std::int64_t const count = detail::smaller<std::int64_t>(lines.axis.points, 2 * reach);
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

template <class From, class To>
void convert(gpu const& place, From const* from, std::size_t size, To* to) {
  constexpr int width = 16 / sizeof(double);
  auto const is_aligned = [](auto const* array) {
    return reinterpret_cast<std::uintptr_t>(array) % (width * sizeof *array) == 0;
  };
  auto const count = static_cast<std::int64_t>(size);
  if (is_aligned(from) && is_aligned(to)) launch_convert<width>(place, from, count, to);
  else launch_convert<1>(place, from, count, to);
}

template <class From, class To>
void convert_field(gpu const& place, plan const& plan, From const* from,
                   field_layout const& from_layout, To* to, field_layout const& to_layout) {
  std::size_t const all = plan.size() * plan.problem.batch, last = plan.axes.size() - 1;
  if (is_dense(plan.problem, from_layout) && is_dense(plan.problem, to_layout)) {
    if constexpr (std::is_same_v<From, To>)
      check(cudaMemcpyAsync(to, from, all * sizeof(To), cudaMemcpyDeviceToDevice, place.stream()));
    else convert(place, from, all, to);
    return;
  }
  auto const width = static_cast<std::int64_t>(plan.axes[last].points);
  std::int64_t const wanted = (width + packs_each - 1) / packs_each;
  int const size =
      static_cast<int>(detail::smaller<std::int64_t>(threads, (wanted + 31) / 32 * 32));
  std::int64_t const piece = std::int64_t{size} * packs_each, pieces = (width + piece - 1) / piece;
  std::int64_t const blocks = pieces * (static_cast<std::int64_t>(all) / width);
  detail::launch(place.stream(), {blocks_for(blocks, 1), size}, convert_rows_kernel<From, To>,
                 starts_of(plan.problem, last, from_layout), from,
                 starts_of(plan.problem, last, to_layout), to, width, pieces, blocks);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template void add_faces(gpu&, plan const&, faces<T> const&, T*, field_layout const&);            \
  template void difference(gpu&, plan const&, std::size_t, faces<T> const&, T const*,              \
                           field_layout const&, T*, field_layout const&);                          \
  template void convert(gpu const&, other_real<T> const*, std::size_t, T*);                        \
  template void convert_field(gpu const&, plan const&, T const*, field_layout const&, T*,          \
                              field_layout const&);                                                \
  template void convert_field(gpu const&, plan const&, other_real<T> const*, field_layout const&,  \
                              T*, field_layout const&);                                            \
  }
