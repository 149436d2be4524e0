#include "lines_kernels.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template <>
line_kernel_of<float> strided_kernel<float>(line_kind kind) {
  return kernel_of<float, true>(kind);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
