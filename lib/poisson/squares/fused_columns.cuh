#pragma once
// The kernels of columns and their launch.

#include "fused_launch.cuh"
#include "fused_squares.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Shape>
__global__ __launch_bounds__(Shape::threads, blocks_wanted<Shape>) void columns_kernel(
    column_arrays<typename Shape::number> arrays, unsigned blocks) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  solve_columns<Shape>(block, arrays, blockIdx.x / blocks,
                       static_cast<int>(blockIdx.x % blocks) * Shape::columns,
                       reinterpret_cast<complex<typename Shape::number>*>(shared));
}

template <class Shape, class T>
void launch_columns(gpu& place, column_arrays<T> const& arrays, std::size_t batch) {
  auto const blocks = static_cast<unsigned>(arrays.width / 2 / Shape::columns + 1);
  if constexpr (Shape::keeps)
    if (!are_few(batch * blocks, place.multiprocessors()))
      return launch_columns<typename Shape::keeping_nothing>(place, arrays, batch);
  launch_pass<Shape, columns_kernel<Shape>>(place, batch * blocks, arrays, blocks);
}

template <class T, int Height>
column_launch<T> column_launch_of(gpu& place, plan const& of) {
  using shape = tuned_columns<T, Height>;
  return {place_columns<shape>(place, of), launch_columns<shape, T>};
}

} // namespace

template <class T>
column_launch<T> make_column_launch(gpu& place, plan const& of) {
  return with_square_points<T>(of.axes[0].points,
                               [&](auto points) { return column_launch_of<T, points>(place, of); });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template column_launch<T> make_column_launch(gpu&, plan const&);                                 \
  }
