#pragma once
// The kernels of rows.

#include "engine.hpp"
#include "poisson/squares/fused_launch.cuh"
#include "poisson/squares/fused_squares.hpp"
#include "tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// `apart` is how many units are between the first ones of two blocks.
template <class Core, int Beside, bool Streams, bool Leaves>
__global__
__launch_bounds__(Core::shape::threads, unit_blocks_wanted<Core, true>) void unit_rows_kernel(
    unit_rows<typename Core::T> const __grid_constant__ pass, std::size_t apart, bool probes) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  transform_rows<Core, Beside, Streams, Leaves>(
      block, pass, blockIdx.x * apart, probes,
      reinterpret_cast<complex<typename Core::T>*>(shared));
}

template <class Core, int Beside, bool Streams>
row_launcher<typename Core::T> row_launcher_of(gpu& place, axis_plan const& of, int fetches) {
  using T = typename Core::T;
  using shape = typename Core::shape;
  constexpr auto leave = unit_rows_kernel<Core, Beside, Streams, true>;
  constexpr auto come_back = unit_rows_kernel<Core, Beside, Streams, false>;
  device_guard const current{place.device()};
  detail::allow_shared(leave, shape::shared);
  detail::allow_shared(come_back, shape::shared);
  auto const at_work =
      static_cast<std::size_t>(blocks_at_work<shape, come_back>(place)) * shape::units;
  return {
      unit_tables_of<Core>(of),
      Beside,
      shape::units,
      at_work * static_cast<std::size_t>(fetches) / 2,
      [](gpu& on, unit_rows<T> const& pass) {
        std::size_t const apart = shape::units;
        launch_pass<shape, leave>(on, (pass.units + apart - 1) / apart, pass, apart, false);
      },
      [](gpu& on, unit_rows<T> const& pass, bool probes) {
        auto const apart = static_cast<std::size_t>(probes ? (pass.rows + 1) / 2 : shape::units);
        launch_pass<shape, come_back>(on, (pass.units + apart - 1) / apart, pass, apart, probes);
      }};
}

} // namespace

template <class T, unit_kind Kind>
row_launcher<T> make_paired_rows(gpu& place, axis_plan const& of) {
  return with_points<T>(unit_length(of), [&](auto length) {
    using tuning = unit_tuning<T, length>;
    using core = typename unit_layout<T, length, true>::template paired<Kind>;
    return row_launcher_of<core, tuning::beside, tuning::streams>(place, of, tuning::fetches_back);
  });
}
template <class T>
row_launcher<T> make_pruned_rows(gpu& place, axis_plan const& of) {
  return with_points<T>(unit_length(of), [&](auto length) {
    using tuning = unit_tuning<T, length>;
    using core = typename unit_layout<T, length, true>::pruned;
    return row_launcher_of<core, tuning::beside, tuning::streams>(place, of, tuning::fetches_back);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl
