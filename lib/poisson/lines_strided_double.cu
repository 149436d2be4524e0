#include "lines_kernels.cuh"

namespace warpfold::poisson::gpu_impl {

template <>
line_kernel_of<double> strided_kernel<double>(line_kind kind) {
  return kernel_of<double, true>(kind);
}

} // namespace warpfold::poisson::gpu_impl
