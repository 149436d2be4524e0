#include "lines_kernels.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template <>
line_kernel_of<double> strided_kernel<double>(line_kind kind) {
  return kernel_of<double, true>(kind);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
