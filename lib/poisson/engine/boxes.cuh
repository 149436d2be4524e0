#pragma once
// The kernels of boxes of three axes.

#include "engine.hpp"
#include "launch.cuh"
#include "poisson/instances.hpp"
#include "tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class Core>
__global__
__launch_bounds__(Core::shape::threads, unit_blocks_wanted<Core, false>) void unit_box_kernel(
    unit_boxes<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  pass_box<Core>(block, pass, blockIdx.x, reinterpret_cast<complex<typename Core::T>*>(shared));
}

template <class T>
auto launch_of_boxes(unit_kernel<unit_boxes<T>> const& kernel) {
  return [=](gpu& on, unit_boxes<T> const& pass, std::size_t blocks) {
    kernel.launch(on, blocks, touched_if_few(on, pass, blocks));
  };
}

template <class Core>
box_launcher<typename Core::T> box_launcher_of(gpu& place, axis_plan const& of, double divisor) {
  using T = typename Core::T;
  using shape = typename Core::shape;
  return {divided_axis_of<Core>(of, divisor), shape::units,
          launch_of_boxes<T>(kernel_of_shape<shape>(place, unit_box_kernel<Core>))};
}

template <class Core>
__global__
__launch_bounds__(Core::shape::threads, depth_blocks_wanted<Core>) void unit_depths_kernel(
    unit_boxes<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  pass_depths<Core>(block, pass, blockIdx.x, reinterpret_cast<complex<typename Core::T>*>(shared));
}

template <class Core>
box_launcher<typename Core::T> depth_launcher_of(gpu& place) {
  using T = typename Core::T;
  using shape = typename Core::shape;
  return {depth_axis_of<Core>(), 2 * shape::units,
          launch_of_boxes<T>(kernel_of_shape<shape>(place, unit_depths_kernel<Core>))};
}

} // namespace

template <class T, unit_kind Kind>
box_launcher<T> make_unit_boxes(gpu& place, axis_plan const& of, double divisor,
                                [[maybe_unused]] bool across_planes) {
  return with_box_points(unit_length(of), [&](auto length) {
    if constexpr (crosses_by_pairs<typename box_layout<T, length>::template core<Kind>>)
      if (across_planes) return depth_launcher_of<typename depth_layout<T, length>::core>(place);
    return box_launcher_of<typename box_layout<T, length>::template core<Kind>>(place, of, divisor);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T, KIND)                                                                       \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template box_launcher<T> make_unit_boxes<T, unit_kind::KIND>(gpu&, axis_plan const&, double,     \
                                                               bool);                              \
  }
