#pragma once
// Kernels that are compiled while a program runs, from kernels.cuh, whose text this library holds.

#include <warpfold/detail/core/check.hpp>

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

/// Compiles kernels.cuh with these macros ("NAME=value"), for one compute capability; for that
/// alone.
/// @throws vendor_error
std::string compile_kernels(std::vector<std::string> const& macros, int compute_capability);

/// The same, loaded, and kept until the process ends: for the next solver of such an axis. Threads
/// may call it together.
/// @throws also cuda_error
cudaLibrary_t compiled_kernels(std::vector<std::string> const& macros, int compute_capability);

/// One of its kernels, to be launched as one that nvcc compiled.
template <class... Params>
void (*kernel_of(cudaLibrary_t library, char const* name))(Params...) {
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryGetKernel(&kernel, library, name));
  // The runtime takes either for a kernel.
  return reinterpret_cast<void (*)(Params...)>(kernel);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
