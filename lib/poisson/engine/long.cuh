#pragma once
// The kernels of periodic fields that are longer than units.

#include "launch.cuh"
#include "long_backend.hpp"
#include "poisson/instances.hpp"
#include "tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <algorithm>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Core, bool Aligned>
__global__
__launch_bounds__(Core::shape::threads, packed_blocks_wanted<Core>) void leave_rows_kernel(
    long_rows<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  leave_long_row<Core, Aligned>(detail::cuda_block{}, pass, blockIdx.x,
                                reinterpret_cast<complex<typename Core::T>*>(shared));
}
template <class Core, bool Stays>
__global__
__launch_bounds__(Core::shape::threads, packed_blocks_wanted<Core>) void return_rows_kernel(
    long_rows<typename Core::T> const __grid_constant__ pass, bool probes) {
  extern __shared__ __align__(16) unsigned char shared[];
  return_long_rows<Core, Stays>(detail::cuda_block{}, pass, blockIdx.x, gridDim.x, probes,
                                reinterpret_cast<complex<typename Core::T>*>(shared));
}
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

/// The kernels of rows. Stays: those for aligned rows, of which blocks that come back stay.
template <class Core, bool Stays>
struct long_row_kernels {
  using T = typename Core::T;
  using shape = typename Core::shape;
  static constexpr auto leave = leave_rows_kernel<Core, Stays>;
  static constexpr auto come_back = return_rows_kernel<Core, Stays>;

  static void launch_leave(gpu& place, long_rows<T> pass, unsigned at_work) {
    if constexpr (Stays)
      if (!are_aligned(pass.in, pass.stride))
        return long_row_kernels<Core, false>::launch_leave(place, pass, at_work);
    pass.ahead = at_work / 2;
    launch_pass<shape, leave>(place, pass.rows, pass);
  }
  static void launch_come_back(gpu& place, long_rows<T> pass, unsigned at_work, bool probes) {
    if constexpr (Stays)
      if (!are_aligned(pass.out, pass.stride))
        return long_row_kernels<Core, false>::launch_come_back(place, pass, at_work, probes);
    if (probes) pass.rows = 1;
    unsigned const blocks = Stays ? std::min(at_work, pass.rows) : pass.rows;
    pass.ahead = Stays ? blocks : at_work / 2;
    launch_pass<shape, come_back>(place, blocks, pass, probes);
  }
  static void allow_shared() {
    detail::allow_shared(leave, shape::shared);
    detail::allow_shared(come_back, shape::shared);
    if constexpr (Stays) long_row_kernels<Core, false>::allow_shared();
  }
};

/// Blocks stay where a multiprocessor has room for one.
template <class Core, bool Stays>
long_row_launcher<typename Core::T> long_rows_of(gpu& place, axis_plan const& of) {
  using kernels = long_row_kernels<Core, Stays>;
  device_guard const current{place.device()};
  kernels::allow_shared();
  int const at_work = blocks_at_work<typename Core::shape, kernels::come_back>(place);
  return {packed_tables_of<Core>(of), static_cast<unsigned>(std::max(at_work, 1)),
          kernels::launch_leave, kernels::launch_come_back};
}

/// Planes across which Planes goes, of rows along which Rows does.
template <class Planes, class Rows>
long_column_launcher<typename Rows::T> long_columns_of(gpu& place, axis_plan const& of,
                                                       double divisor) {
  using T = typename Rows::T;
  // What blocks may have on any GPU from compute capability 8.0 on; rows are looked at when
  // planned.
  static_assert(std::max(Planes::shape::shared, Rows::shape::shared) <= std::size_t{99} << 10);
  device_guard const current{place.device()};
  detail::allow_shared(cross_planes_kernel<Planes>, Planes::shape::shared);
  detail::allow_shared(solve_planes_kernel<Rows>, Rows::shape::shared);
  return {depth_axis_of<Planes>().tables,
          unit_tables_of<Rows>(of),
          long_along_of<Rows>(of, divisor),
          Planes::shape::length,
          2 * Planes::shape::units,
          Rows::shape::units,
          [](gpu& on, long_columns<T> const& pass, std::size_t blocks) {
            launch_pass<typename Planes::shape, cross_planes_kernel<Planes>>(on, blocks, pass);
          },
          [](gpu& on, long_columns<T> const& pass, std::size_t blocks) {
            launch_pass<typename Rows::shape, solve_planes_kernel<Rows>>(on, blocks, pass);
          }};
}

} // namespace

template <class T>
long_row_launcher<T> make_long_rows(gpu& place, axis_plan const& of) {
  constexpr int most = most_unit_points(sizeof(T));
  return with_power<most / 4, most>(of.points / 2, [&](auto length) {
    using core = typename packed_layout<T, length>::template core<unit_kind::fourier>;
    constexpr bool stays = decltype(length)::value == most;
    return long_rows_of<core, stays>(place, of);
  });
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
