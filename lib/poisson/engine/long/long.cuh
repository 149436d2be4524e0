#pragma once
// The kernels of periodic fields that are longer than units.

#include "long_rows.cuh"
#include "poisson/instances.hpp"

#include <algorithm>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Core>
__global__
__launch_bounds__(Core::shape::threads, cross_blocks_wanted<Core>) void cross_planes_kernel(
    long_columns<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  cross_planes<Core>(detail::cuda_block{}, pass, blockIdx.x,
                     reinterpret_cast<complex<typename Core::T>*>(shared));
}
template <class Core>
__global__
__launch_bounds__(Core::shape::threads, within_blocks_wanted<Core>) void solve_planes_kernel(
    long_columns<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  solve_planes<Core>(detail::cuda_block{}, pass, blockIdx.x,
                     reinterpret_cast<complex<typename Core::T>*>(shared));
}

template <class T>
auto launch_of_planes(unit_kernel<long_columns<T>> const& kernel) {
  return [=](gpu& on, long_columns<T> const& pass, std::size_t blocks) {
    kernel.launch(on, blocks, pass);
  };
}

/// Planes across which Planes goes, of rows along which Rows does.
template <class Planes, class Rows>
long_column_launcher<typename Rows::T> long_columns_of(gpu& place, axis_plan const& of,
                                                       double divisor) {
  using T = typename Rows::T;
  // What blocks may have on any GPU from compute capability 8.0 on; rows are looked at when
  // planned.
  static_assert(std::max(Planes::shape::shared, Rows::shape::shared) <= std::size_t{99} << 10);
  return {
      depth_axis_of<Planes>().tables,
      unit_tables_of<Rows>(of),
      long_along_of<Rows>(of, divisor),
      Planes::shape::length,
      2 * Planes::shape::units,
      Rows::shape::units,
      launch_of_planes<T>(
          kernel_of_shape<typename Planes::shape>(place, cross_planes_kernel<Planes>)),
      launch_of_planes<T>(kernel_of_shape<typename Rows::shape>(place, solve_planes_kernel<Rows>))};
}

} // namespace

template <class T>
long_row_launcher<T> make_long_rows(gpu& place, axis_plan const& of) {
  return launcher_of_long_rows<T, long_rows<T>>(place, of);
}

template <class T>
long_column_launcher<T> make_long_columns(gpu& place, axis_plan const& of, double divisor) {
  std::size_t const rows = long_plane_rows(of.points);
  return with_power<least_points, most_plane_rows>(rows, [&](auto length) {
    using rows_of = typename long_layout<T, length>::core;
    if constexpr (length < most_plane_rows)
      if (of.points > rows * rows)
        return long_columns_of<typename depth_layout<T, 2 * length>::core, rows_of>(place, of,
                                                                                    divisor);
    return long_columns_of<typename depth_layout<T, length>::core, rows_of>(place, of, divisor);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template long_row_launcher<T> make_long_rows<T>(gpu&, axis_plan const&);                         \
  template long_column_launcher<T> make_long_columns<T>(gpu&, axis_plan const&, double);           \
  }
