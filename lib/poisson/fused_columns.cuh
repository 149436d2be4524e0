#pragma once
// The kernels of columns and their launch.

#include "fused_squares.hpp"
#include "fused_tables.hpp"
#include "fused_tuning.hpp"

#include <warpfold/detail/cuda_block.cuh>
#include <warpfold/detail/launch.cuh>

namespace warpfold::poisson::gpu_impl {
namespace {

template <class T, int Height>
using tuned_columns =
    column_shape<T, Height, column_tuning<T, Height>::points, column_tuning<T, Height>::columns>;

template <class Shape>
__global__ __launch_bounds__(Shape::threads, blocks_wanted<Shape>) void columns_kernel(
    column_arrays<typename Shape::number> arrays, unsigned blocks) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  solve_columns<Shape>(block, arrays, blockIdx.x / blocks,
                       static_cast<int>(blockIdx.x % blocks) * Shape::columns,
                       reinterpret_cast<complex<typename Shape::number>*>(shared));
}

template <class Shape, class T>
void launch_columns(gpu& place, column_arrays<T> const& arrays, std::size_t batch) {
  constexpr auto kernel = columns_kernel<Shape>;
  device_guard const current{place.device()};
  static detail::kernel_facts const facts =
      detail::facts_of(kernel, Shape::threads, place.compute_capability());
  auto const blocks = static_cast<unsigned>(arrays.width / 2 / Shape::columns + 1);
  detail::launch(place.stream(),
                 {.blocks = static_cast<int>(batch * blocks),
                  .threads = Shape::threads,
                  .ahead = facts.waits_for_previous_grid(place.compute_capability()),
                  .shared = Shape::shared},
                 kernel, arrays, blocks);
}

template <class T, int Height>
column_launch<T> column_launch_of(gpu& place, plan const& of) {
  using shape = tuned_columns<T, Height>;
  device_guard const current{place.device()};
  detail::allow_shared(columns_kernel<shape>, shape::shared);
  column_tables<shape> const tables{of, largest_divisor(of)};
  std::size_t const at_work = static_cast<std::size_t>(
      place.multiprocessors() *
      detail::blocks_at_once(columns_kernel<shape>, shape::threads, shape::shared));
  return {factors_of<T, stages<Height / 2, shape::points>>(), tables.roots, tables.modes,
          static_cast<int>(at_work) * shape::columns * column_tuning<T, Height>::fetches / 2,
          launch_columns<shape, T>};
}

} // namespace

template <class T>
column_launch<T> make_column_launch(gpu& place, plan const& of) {
  switch (of.axes[0].points) {
  case 64: return column_launch_of<T, 64>(place, of);
  case 128: return column_launch_of<T, 128>(place, of);
  case 256: return column_launch_of<T, 256>(place, of);
  case 512: return column_launch_of<T, 512>(place, of);
  case 1024: return column_launch_of<T, 1024>(place, of);
  case 2048: return column_launch_of<T, 2048>(place, of);
  case 4096: return column_launch_of<T, 4096>(place, of);
  case 8192: return column_launch_of<T, 8192>(place, of);
  default: return column_launch_of<T, most_square_points(sizeof(T))>(place, of);
  }
}

} // namespace warpfold::poisson::gpu_impl
