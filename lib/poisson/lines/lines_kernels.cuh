#pragma once
// The kernels of lines: a block works on some of them at a time.

#include "lines_passes.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class T, bool Strided, line_kind Kind>
__global__ __launch_bounds__(most_line_threads<T>) void lines_kernel(
    line_pass<T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  work_on_lines<T, Strided, Kind>(block, pass, reinterpret_cast<complex<T>*>(shared));
}

} // namespace

template <class T>
line_kernel<T> line_kernel_of(line_kind kind, bool is_strided) {
  return with_kind(kind, [=](auto constant) -> line_kernel<T> {
    return is_strided ? lines_kernel<T, true, constant> : lines_kernel<T, false, constant>;
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template line_kernel<T> line_kernel_of(line_kind, bool);                                         \
  }
