#pragma once
// The kernels of rows that are longer than units.

#include "long_backend.hpp"
#include "poisson/engine/launch.cuh"
#include "poisson/engine/tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <algorithm>
#include <optional>

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

template <class Pass>
struct long_row_kernels {
  unit_kernel<Pass> leave;
  unit_kernel<Pass, bool> come_back;
};
template <class Core, bool Stays, class Pass>
long_row_kernels<Pass> long_row_kernels_of(gpu& place) {
  using shape = typename Core::shape;
  return {kernel_of_shape<shape>(place, leave_rows_kernel<Core, Stays, Pass>),
          kernel_of_shape<shape>(place, return_rows_kernel<Core, Stays, Pass>)};
}

/// How rows are launched.
template <class Pass>
struct built_long_rows {
  long_row_kernels<Pass> any;
  /// For aligned rows: blocks that come back stay.
  std::optional<long_row_kernels<Pass>> staying;
  unsigned at_work; ///< blocks that the GPU has room for

  void launch_leave(gpu& place, Pass pass) const {
    pass.ahead = at_work / 2;
    bool const stays = staying && are_aligned(pass.in, pass.stride);
    (stays ? *staying : any).leave.launch(place, pass.rows, pass);
  }
  void launch_come_back(gpu& place, Pass pass, bool probes) const {
    bool const stays = staying && are_aligned(pass.out, pass.stride);
    if (probes) pass.rows = 1;
    unsigned const blocks = stays ? std::min(at_work, pass.rows) : pass.rows;
    pass.ahead = stays ? blocks : at_work / 2;
    (stays ? *staying : any).come_back.launch(place, blocks, pass, probes);
  }
};

/// Blocks stay where a multiprocessor has room for one.
template <class Core, bool Stays, class Pass>
long_row_launcher<typename Core::T, Pass> long_rows_of(gpu& place, axis_plan const& of) {
  built_long_rows<Pass> rows{long_row_kernels_of<Core, false, Pass>(place), {}, 0};
  if constexpr (Stays) rows.staying = long_row_kernels_of<Core, true, Pass>(place);
  int const at_work = (rows.staying ? *rows.staying : rows.any).come_back.at_work();
  rows.at_work = static_cast<unsigned>(std::max(at_work, 1));
  return {packed_tables_of<Core>(of), [=](gpu& on, Pass pass) { rows.launch_leave(on, pass); },
          [=](gpu& on, Pass pass, bool probes) { rows.launch_come_back(on, pass, probes); }};
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
