#include "lines_kernels.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template <>
line_kernel_of<double> contiguous_kernel<double>(line_kind kind) {
  return kernel_of<double, false>(kind);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
