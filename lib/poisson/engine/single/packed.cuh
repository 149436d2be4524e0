#pragma once
// The kernels of one axis alone.

#include "poisson/engine/engine.hpp"
#include "poisson/engine/launch.cuh"
#include "poisson/engine/tuning.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Core>
__global__ __launch_bounds__(Core::shape::threads, packed_blocks_wanted<Core>) void packed_kernel(
    packed_pass<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  solve_lines<Core>(block, pass, blockIdx.x * Core::shape::units,
                    reinterpret_cast<complex<typename Core::T>*>(shared));
}

template <class T>
auto launch_of_lines(unit_kernel<packed_pass<T>> const& kernel, unsigned units) {
  return [=](gpu& on, packed_pass<T> const& pass) {
    kernel.launch(on, (pass.lines + units - 1) / units, pass);
  };
}

template <class Core>
packed_launcher<typename Core::T> packed_launcher_of(gpu& place, axis_plan const& of,
                                                     double divisor, int fetches) {
  using T = typename Core::T;
  using shape = typename Core::shape;
  auto const kernel = kernel_of_shape<shape>(place, packed_kernel<Core>);
  unsigned const units = shape::units;
  return {packed_tables_of<Core>(of), packed_along_of<Core>(of, divisor),
          static_cast<unsigned>(kernel.at_work()) * units * static_cast<unsigned>(fetches) / 2,
          launch_of_lines(kernel, units)};
}

} // namespace

template <class T, unit_kind Kind>
packed_launcher<T> make_packed(gpu& place, axis_plan const& of, double divisor) {
  if constexpr (Kind == unit_kind::first)
    return with_points<T>(unit_length(of), [&](auto length) {
      using layout = lone_layout<T, length>;
      return packed_launcher_of<typename layout::core>(place, of, divisor, layout::fetches);
    });
  else
    return with_points<T>(of.points / 2, [&](auto length) {
      using layout = packed_layout<T, length>;
      return packed_launcher_of<typename layout::template core<Kind>>(place, of, divisor,
                                                                      layout::fetches);
    });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T, KIND)                                                                       \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template packed_launcher<T> make_packed<T, unit_kind::KIND>(gpu&, axis_plan const&, double);     \
  }
