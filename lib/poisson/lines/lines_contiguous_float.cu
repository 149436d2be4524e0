#include "lines_kernels.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template <>
line_kernel_of<float> contiguous_kernel<float>(line_kind kind) {
  return kernel_of<float, false>(kind);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
