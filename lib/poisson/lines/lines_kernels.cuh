#pragma once
// The kernels of lines: a block works on some of them at a time.

#include "lines_kernels.hpp"
#include "lines_passes.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {

namespace {

template <class T, bool Strided, line_kind Kind>
__global__ __launch_bounds__(most_line_threads<T>) void line_kernel(
    line_pass<T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  work_on_lines<T, Strided, Kind>(block, pass, reinterpret_cast<complex<T>*>(shared));
}

template <class T, bool Strided>
line_kernel_of<T> kernel_of(line_kind kind) {
  switch (kind) {
  case line_kind::fourier: return line_kernel<T, Strided, line_kind::fourier>;
  case line_kind::second: return line_kernel<T, Strided, line_kind::second>;
  case line_kind::third: return line_kernel<T, Strided, line_kind::third>;
  case line_kind::fourth: return line_kernel<T, Strided, line_kind::fourth>;
  default: return line_kernel<T, Strided, line_kind::first>;
  }
}

} // namespace

} // namespace warpfold::inline v0::poisson::gpu_impl
