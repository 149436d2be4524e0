#pragma once
// The kernels of rows that are longer than units.

#include "long_backend.hpp"
#include "poisson/engine/launch.cuh"
#include "poisson/engine/tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <algorithm>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Core, bool Aligned, class Pass>
__global__ __launch_bounds__(
    Core::shape::threads,
    packed_blocks_wanted<Core>) void leave_rows_kernel(Pass const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  leave_long_row<Core, Aligned>(detail::cuda_block{}, pass, blockIdx.x,
                                reinterpret_cast<complex<typename Core::T>*>(shared));
}
template <class Core, bool Stays, class Pass>
__global__
__launch_bounds__(Core::shape::threads, packed_blocks_wanted<Core>) void return_rows_kernel(
    Pass const __grid_constant__ pass, bool probes) {
  extern __shared__ __align__(16) unsigned char shared[];
  return_long_rows<Core, Stays>(detail::cuda_block{}, pass, blockIdx.x, gridDim.x, probes,
                                reinterpret_cast<complex<typename Core::T>*>(shared));
}

/// The kernels of rows. Stays: those for aligned rows, of which blocks that come back stay.
template <class Core, bool Stays, class Pass>
struct long_row_kernels {
  using shape = typename Core::shape;
  static constexpr auto leave = leave_rows_kernel<Core, Stays, Pass>;
  static constexpr auto come_back = return_rows_kernel<Core, Stays, Pass>;

  static void launch_leave(gpu& place, Pass pass, unsigned at_work) {
    if constexpr (Stays)
      if (!are_aligned(pass.in, pass.stride))
        return long_row_kernels<Core, false, Pass>::launch_leave(place, pass, at_work);
    pass.ahead = at_work / 2;
    launch_pass<shape, leave>(place, pass.rows, pass);
  }
  static void launch_come_back(gpu& place, Pass pass, unsigned at_work, bool probes) {
    if constexpr (Stays)
      if (!are_aligned(pass.out, pass.stride))
        return long_row_kernels<Core, false, Pass>::launch_come_back(place, pass, at_work, probes);
    if (probes) pass.rows = 1;
    unsigned const blocks = Stays ? std::min(at_work, pass.rows) : pass.rows;
    pass.ahead = Stays ? blocks : at_work / 2;
    launch_pass<shape, come_back>(place, blocks, pass, probes);
  }
  static void allow_shared() {
    detail::allow_shared(leave, shape::shared);
    detail::allow_shared(come_back, shape::shared);
    if constexpr (Stays) long_row_kernels<Core, false, Pass>::allow_shared();
  }
};

/// Blocks stay where a multiprocessor has room for one.
template <class Core, bool Stays, class Pass>
long_row_launcher<typename Core::T, Pass> long_rows_of(gpu& place, axis_plan const& of) {
  using kernels = long_row_kernels<Core, Stays, Pass>;
  device_guard const current{place.device()};
  kernels::allow_shared();
  int const at_work = blocks_at_work<typename Core::shape, kernels::come_back>(place);
  return {packed_tables_of<Core>(of), static_cast<unsigned>(std::max(at_work, 1)),
          kernels::launch_leave, kernels::launch_come_back};
}

/// Rows of any length that is compiled.
template <class T, class Pass>
long_row_launcher<T, Pass> launcher_of_long_rows(gpu& place, axis_plan const& of) {
  constexpr int most = most_unit_points(sizeof(T));
  return with_power<most / 4, most>(of.points / 2, [&](auto length) {
    using core = typename packed_layout<T, length>::template core<unit_kind::fourier>;
    constexpr bool stays = decltype(length)::value == most;
    return long_rows_of<core, stays, Pass>(place, of);
  });
}

} // namespace
} // namespace warpfold::inline v0::poisson::gpu_impl
