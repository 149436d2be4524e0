#pragma once
// The one place where kernels are launched.

#include <warpfold/error.hpp>

#include <cuda_runtime.h>

#include <source_location>

namespace warpfold::detail {

struct launch_shape {
  int blocks;
  int threads;
  /// Start while the stream's previous kernel drains, where the GPU can (compute capability 9.0).
  /// The kernel must begin with cuda_block::wait_for_previous_grid.
  bool ahead = false;
  std::source_location where = std::source_location::current();
};

/// What the code of a kernel that would run on the current device is like.
struct kernel_facts {
  /// It waits for its predecessor: only code compiled for 9.0 or later does, not older PTX
  /// translated for a newer GPU.
  bool waits_for_previous_grid;
  /// Blocks that a multiprocessor has room for.
  int blocks_per_multiprocessor;
};

template <class Kernel>
kernel_facts facts_of(Kernel kernel, int threads) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
  return {attributes.ptxVersion >= 90, blocks};
}

/// Enqueues kernel(args...) and checks that it could be.
template <class... Params, class... Args>
void launch(cudaStream_t stream, launch_shape shape, void (*kernel)(Params...),
            Args const&... args) {
  cudaLaunchAttribute ahead{};
  ahead.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  ahead.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(shape.blocks));
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.stream = stream;
  config.attrs = &ahead;
  config.numAttrs = shape.ahead ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, Params(args)...), shape.where);
}

} // namespace warpfold::detail
