#pragma once
// For destructors, which cannot throw: says on standard error what went wrong.

#include <cuda_runtime_api.h>

#include <cstdio>

namespace warpfold::inline v0::detail {

inline void report(cudaError_t status, char const* call) noexcept {
  // At process exit the runtime may be gone before the last static object; nothing is lost then.
  if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
  std::fprintf(stderr, "warpfold: %s failed in a destructor: %s\n", call,
               cudaGetErrorString(status));
}

} // namespace warpfold::inline v0::detail
