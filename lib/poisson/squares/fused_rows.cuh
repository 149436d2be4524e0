#pragma once
// The kernels of rows, of squares and of cubes, and their launch.

#include "fused_launch.cuh"
#include "fused_squares.hpp"
#include "poisson/cubes/fused_cubes.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <bit>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Shape>
__global__ __launch_bounds__(Shape::threads, blocks_wanted<Shape>) void rows_forward_kernel(
    row_arrays<typename Shape::number> arrays) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  rows_forward<Shape>(block, arrays, std::size_t{blockIdx.x} * Shape::lines,
                      reinterpret_cast<complex<typename Shape::number>*>(shared));
}

/// `apart` is how many lines are between the first ones of two blocks.
template <class Shape>
__global__ __launch_bounds__(Shape::threads, blocks_wanted<Shape>) void rows_back_kernel(
    row_arrays<typename Shape::number> arrays, std::size_t apart, bool probes) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  rows_back<Shape>(block, arrays, blockIdx.x * apart, probes,
                   reinterpret_cast<complex<typename Shape::number>*>(shared));
}

template <class T>
bool can_keep(gpu& place, row_arrays<T> const& arrays, std::size_t blocks) {
  return are_few(blocks, place.multiprocessors()) && is_in_pairs(arrays.rhs) &&
         is_in_pairs(static_cast<T const*>(arrays.solution));
}

template <class Shape, class T>
void launch_forward(gpu& place, row_arrays<T> const& arrays, std::size_t blocks) {
  if constexpr (Shape::keeps)
    if (!can_keep(place, arrays, blocks))
      return launch_forward<typename Shape::keeping_nothing>(place, arrays, blocks);
  launch_pass<Shape, rows_forward_kernel<Shape>>(place, blocks, arrays);
}
template <class Shape, class T>
void launch_back(gpu& place, row_arrays<T> const& arrays, std::size_t blocks, std::size_t apart,
                 bool probes) {
  if constexpr (Shape::keeps)
    if (!can_keep(place, arrays, blocks))
      return launch_back<typename Shape::keeping_nothing>(place, arrays, blocks, apart, probes);
  launch_pass<Shape, rows_back_kernel<Shape>>(place, blocks, arrays, apart, probes);
}

template <class Shape>
void allow_shared() {
  detail::allow_shared(rows_forward_kernel<Shape>, Shape::shared);
  detail::allow_shared(rows_back_kernel<Shape>, Shape::shared);
  if constexpr (Shape::keeps) allow_shared<typename Shape::keeping_nothing>();
}

template <class Shape>
row_launch<typename Shape::number> row_launch_of(gpu& place) {
  using T = typename Shape::number;
  device_guard const current{place.device()};
  allow_shared<Shape>();
  return {{place, factors_of<T, typename Shape::digits>()},
          std::countr_zero(static_cast<unsigned>(Shape::interleaved)),
          [](gpu& on, row_arrays<T> const& arrays, std::size_t lines) {
            launch_forward<Shape>(on, arrays, lines / Shape::lines);
          },
          [](gpu& on, row_arrays<T> const& arrays, std::size_t batch) {
            launch_back<Shape>(on, arrays, batch, std::size_t{1} << arrays.lines_log2, true);
          },
          [](gpu& on, row_arrays<T> const& arrays, std::size_t lines) {
            launch_back<Shape>(on, arrays, lines / Shape::lines, std::size_t{Shape::lines}, false);
          }};
}

} // namespace

template <class T>
row_launch<T> make_row_launch(gpu& place, plan const& of) {
  return with_square_points<T>(
      of.axes[1].points, [&](auto points) { return row_launch_of<tuned_rows<T, points>>(place); });
}
template <class T>
row_launch<T> make_cube_row_launch(gpu& place, plan const& of) {
  return with_box_points(of.axes[2].points, [&](auto points) {
    return row_launch_of<tuned_cube_rows<T, points>>(place);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T, MAKE)                                                                       \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template row_launch<T> MAKE<T>(gpu&, plan const&);                                               \
  }
