#pragma once
// The check of CUDA's calls alone: error.hpp without its classes, which kernels' sources do
// without.

#include <cuda_runtime_api.h>

#include <source_location>

namespace warpfold::inline v0 {

/// Throws cuda_error unless `status` is cudaSuccess.
///
/// The runtime's "last error" is cleared, so that one failure is reported once. Waits for nothing.
void check(cudaError_t status, std::source_location where = std::source_location::current());

} // namespace warpfold::inline v0
