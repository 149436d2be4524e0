#pragma once
// The kernels of lines along z and y and their launch.

#include "fused_cubes.hpp"
#include "poisson/instances.hpp"
#include "poisson/squares/fused_launch.cuh"

#include <warpfold/detail/core/cuda_block.cuh>

#include <bit>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <bool Inverse, class Shape, int Registers>
__global__
__launch_bounds__(Shape::threads,
                  blocks_for_registers(
                      Shape::threads,
                      Registers)) void depths_kernel(depth_arrays<typename Shape::number> arrays) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  transform_depths<Inverse, Shape>(block, arrays,
                                   reinterpret_cast<complex<typename Shape::number>*>(shared));
}

template <class Shape, int Registers>
__global__ __launch_bounds__(
    Shape::threads,
    blocks_for_registers(
        Shape::threads,
        Registers)) void cube_columns_kernel(cube_column_arrays<typename Shape::number> arrays) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  solve_cube_columns<Shape>(block, arrays,
                            reinterpret_cast<complex<typename Shape::number>*>(shared));
}

template <class Shape>
int pieces_log2(int columns) {
  return std::countr_zero(static_cast<unsigned>(columns / Shape::columns));
}

template <bool Inverse, class Shape, int Registers, class T>
void launch_depths(gpu& place, depth_arrays<T> arrays, int columns, std::size_t batch) {
  arrays.range.pieces_log2 = pieces_log2<Shape>(columns);
  launch_pass<Shape, depths_kernel<Inverse, Shape, Registers>>(
      place, batch << (arrays.lines_log2 + arrays.range.pieces_log2), arrays);
}

template <class Shape, int Registers, class T>
void launch_cube_columns(gpu& place, cube_column_arrays<T> arrays, int columns, std::size_t batch) {
  arrays.range.pieces_log2 = pieces_log2<Shape>(columns);
  arrays.blocks = static_cast<unsigned>(batch << (arrays.depth_log2 + arrays.range.pieces_log2));
  launch_pass<Shape, cube_columns_kernel<Shape, Registers>>(
      place, arrays.blocks + (arrays.range.first == 0 ? 2 * batch : 0), arrays);
}

template <class Shape, int Registers>
depth_launch<typename Shape::number> depth_launch_of(gpu& place) {
  using T = typename Shape::number;
  device_guard const current{place.device()};
  detail::allow_shared(depths_kernel<false, Shape, Registers>, Shape::shared);
  detail::allow_shared(depths_kernel<true, Shape, Registers>, Shape::shared);
  return {{place, factors_of<T, typename Shape::digits>()},
          Shape::columns,
          launch_depths<false, Shape, Registers, T>,
          launch_depths<true, Shape, Registers, T>};
}

template <class Shape, int Registers>
cube_column_launch<typename Shape::number> cube_column_launch_of(gpu& place, plan const& of) {
  using T = typename Shape::number;
  device_guard const current{place.device()};
  detail::allow_shared(cube_columns_kernel<Shape, Registers>, Shape::shared);
  return {place_columns<Shape>(place, of), Shape::columns,
          launch_cube_columns<Shape, Registers, T>};
}

} // namespace

template <class T>
depth_launch<T> make_depth_launch(gpu& place, plan const& of) {
  return with_box_points(of.axes[0].points, [&](auto points) {
    return depth_launch_of<tuned_depths<T, points>, depth_tuning<points>::registers>(place);
  });
}

template <class T>
cube_column_launch<T> make_cube_column_launch(gpu& place, plan const& of) {
  return with_box_points(of.axes[1].points, [&](auto points) {
    return cube_column_launch_of<tuned_cube_columns<T, points>,
                                 cube_column_tuning<points>::registers>(place, of);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template depth_launch<T> make_depth_launch(gpu&, plan const&);                                   \
  template cube_column_launch<T> make_cube_column_launch(gpu&, plan const&);                       \
  }
