#pragma once
// The kernels of columns.

#include "engine.hpp"
#include "launch.cuh"
#include "poisson/instances.hpp"
#include "tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Core>
__global__
__launch_bounds__(Core::shape::threads, unit_blocks_wanted<Core, false>) void unit_columns_kernel(
    unit_columns<typename Core::T> const __grid_constant__ pass, unsigned blocks) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  solve_units<Core>(block, pass, blockIdx.x / blocks,
                    static_cast<int>(blockIdx.x % blocks) * Core::shape::units, pass.slots,
                    reinterpret_cast<complex<typename Core::T>*>(shared));
}

template <class Core>
column_launcher<typename Core::T> make_columns(gpu& place, axis_plan const& of, double divisor,
                                               int fetches) {
  using T = typename Core::T;
  using shape = typename Core::shape;
  built_columns<T> columns{{}, {}, shape::units, takes_single_rows<Core> ? shape::per_line : 0};
  columns.any = kernel_of_shape<shape>(place, unit_columns_kernel<Core>);
  if constexpr (shape::keeps) {
    using other = typename Core::keeping_nothing;
    columns.few = columns.any;
    columns.any = kernel_of_shape<typename other::shape>(place, unit_columns_kernel<other>);
  }
  return column_launcher_of(columns, divided_axis_of<Core>(of, divisor), fetches);
}

} // namespace

template <class T, unit_kind Kind>
column_launcher<T> make_unit_columns(gpu& place, axis_plan const& of, double divisor) {
  return with_points<T>(unit_length(of), [&](auto length) {
    using layout = unit_column_layout<T, length>;
    return make_columns<typename layout::template core<Kind>>(place, of, divisor,
                                                              layout::template fetches<Kind>);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T, KIND)                                                                       \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template column_launcher<T> make_unit_columns<T, unit_kind::KIND>(gpu&, axis_plan const&,        \
                                                                    double);                       \
  }
