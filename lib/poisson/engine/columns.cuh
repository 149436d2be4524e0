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

template <class Core, class T>
void launch_columns(gpu& place, unit_columns<T> const& pass, std::size_t batch) {
  using shape = typename Core::shape;
  auto const of_entry = static_cast<unsigned>((pass.slots + shape::units - 1) / shape::units);
  std::size_t const blocks = batch * of_entry;
  if constexpr (shape::keeps)
    if (!are_few(blocks, place.multiprocessors()))
      return launch_columns<typename Core::keeping_nothing>(place, pass, batch);
  unit_columns<T> touched = touched_if_few(place, pass, blocks);
  if constexpr (takes_single_rows<Core>) touched = by_single_rows(touched, shape::per_line);
  launch_pass<shape, unit_columns_kernel<Core>>(place, blocks, touched, of_entry);
}

template <class Core>
column_launcher<typename Core::T> column_launcher_of(gpu& place, axis_plan const& of,
                                                     double divisor, int fetches) {
  using T = typename Core::T;
  using shape = typename Core::shape;
  constexpr auto kernel = unit_columns_kernel<Core>;
  device_guard const current{place.device()};
  detail::allow_shared(kernel, shape::shared);
  return {divided_axis_of<Core>(of, divisor),
          blocks_at_work<shape, kernel>(place) * shape::units * fetches / 2,
          launch_columns<Core, T>};
}

} // namespace

template <class T, unit_kind Kind>
column_launcher<T> make_unit_columns(gpu& place, axis_plan const& of, double divisor) {
  return with_points<T>(unit_length(of), [&](auto length) {
    using layout = unit_column_layout<T, length>;
    return column_launcher_of<typename layout::template core<Kind>>(place, of, divisor,
                                                                    layout::template fetches<Kind>);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T, KIND)                                                                       \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template column_launcher<T> make_unit_columns<T, unit_kind::KIND>(gpu&, axis_plan const&,        \
                                                                    double);                       \
  }
