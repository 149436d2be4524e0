#pragma once
// The one place where kernels are launched.

#include <warpfold/error.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>

namespace warpfold::inline v0::detail {

struct launch_shape {
  int blocks;
  int threads;
  /// Start while the stream's previous kernel drains, where the GPU can (compute capability 9.0).
  /// The kernel must call cuda_block::wait_for_previous_grid before it writes, and before it reads
  /// anything but what its predecessor has waited for and does not write: so fold_tiles_kernel of
  /// simulations reads the book early, not the sums.
  bool ahead = false;
  /// Bytes of dynamic shared memory of a block; see allow_shared.
  std::size_t shared = 0;
  /// Blocks of a cluster, if kernel_facts::knows_clusters.
  int cluster = 1;
  std::source_location where = std::source_location::current();
};

/// What the code of a kernel is like that runs on devices of one compute capability.
struct kernel_facts {
  int compute_capability;
  /// Of the code, which may be older PTX translated for a newer GPU.
  int compiled_for;
  /// Blocks that a multiprocessor has room for, without dynamic shared memory.
  int blocks_per_multiprocessor;

  /// Whether it contains the wait of cuda_block::wait_for_previous_grid. Not known, and so false,
  /// of another kind of device.
  bool waits_for_previous_grid(int on) const {
    return compute_capability == on && on >= 90 && compiled_for >= 90;
  }
  /// Whether cuda_block's functions of clusters do something in it.
  bool knows_clusters(int on) const { return waits_for_previous_grid(on); }
};

/// Blocks with so much dynamic shared memory that a multiprocessor of the current device has room
/// for.
template <class Kernel>
int blocks_per_multiprocessor(Kernel kernel, int threads, std::size_t shared) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
  return blocks;
}

/// Of a kernel on the current device, whose compute capability is given.
template <class Kernel>
kernel_facts facts_of(Kernel kernel, int threads, int compute_capability) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  return {compute_capability, attributes.ptxVersion, blocks_per_multiprocessor(kernel, threads, 0)};
}

/// Lets a kernel have so much dynamic shared memory on the current device, if that is more than any
/// may have. The same size for all uses of a kernel: a smaller one takes back what a larger one
/// allowed.
template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  if (bytes > 48 * 1024)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
}

/// Enqueues kernel(args...) and checks that it could be.
template <class... Params, class... Args>
void launch(cudaStream_t stream, launch_shape shape, void (*kernel)(Params...),
            Args const&... args) {
  cudaLaunchAttribute attributes[2]{};
  unsigned used = 0;
  if (shape.ahead) {
    attributes[used].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[used++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (shape.cluster > 1) {
    attributes[used].id = cudaLaunchAttributeClusterDimension;
    attributes[used++].val.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(shape.blocks));
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = shape.shared;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = used;
  check(cudaLaunchKernelEx(&config, kernel, Params(args)...), shape.where);
}

} // namespace warpfold::inline v0::detail
