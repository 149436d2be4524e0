#pragma once
// The kernels of columns where they or the rows are folded, and their launch.

#include "fused_launch.cuh"
#include "fused_squares.hpp"
#include "fused_tables.hpp"
#include "fused_tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Shape>
__global__ __launch_bounds__(Shape::threads, cosine_blocks_wanted<Shape>) void cosines_kernel(
    column_arrays<typename Shape::number> arrays, unsigned blocks) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  solve_cosine_columns<Shape>(block, arrays, blockIdx.x / blocks,
                              static_cast<int>(blockIdx.x % blocks) * Shape::columns,
                              reinterpret_cast<complex<typename Shape::number>*>(shared));
}

template <class Shape, class T>
void launch_cosines(gpu& place, column_arrays<T> const& arrays, std::size_t batch) {
  auto const blocks = static_cast<unsigned>(arrays.width / 2 / Shape::columns);
  launch_pass<Shape, cosines_kernel<Shape>>(place, batch * blocks, arrays, blocks);
}

/// `fetches` as in column_tuning.
template <class Shape>
column_launch<typename Shape::number> cosine_launch_of(gpu& place, plan const& of, int fetches) {
  using T = typename Shape::number;
  device_guard const current{place.device()};
  detail::allow_shared(cosines_kernel<Shape>, Shape::shared);
  double const divisor = largest_divisor(of);
  cosine_tables<Shape> const tables{of, divisor};
  return {factors_of<T, stages<Shape::length, Shape::points>>(),
          tables.roots,
          tables.modes,
          cosine_row_eigenvalues_of<T>(of, divisor),
          cosine_row_roots_of<T>(of),
          blocks_at_work<Shape, cosines_kernel<Shape>>(place) * Shape::columns * fetches / 2,
          launch_cosines<Shape, T>};
}

} // namespace

template <class T, bool Folded, bool FoldedRows>
column_launch<T> make_cosine_launch(gpu& place, plan const& of) {
  return with_points<T>(of.axes[0].points, [&](auto points) {
    return cosine_launch_of<tuned_cosines<T, points, Folded, FoldedRows>>(
        place, of, cosine_tuning<T, points>::fetches);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl
