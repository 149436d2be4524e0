#pragma once
// The one place where kernels are launched.

#include <warpfold/detail/core/bounds.hpp>
#include <warpfold/detail/core/check.hpp>
#include <warpfold/execution.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>

namespace warpfold::inline v0::detail {

struct launch_shape {
  int blocks;
  int threads;
  /// Start while the stream's previous kernel drains (compute capability 9.0). The kernel must call
  /// cuda_block::wait_for_previous_grid, which says what it may do before.
  bool ahead = false;
  std::size_t shared = 0; ///< bytes of dynamic shared memory of a block; see allow_shared
  int cluster = 1;        ///< blocks of a cluster, if kernel_facts::knows_clusters
  bool together = false;  ///< all blocks run at the same time, or the launch fails
  std::source_location where = std::source_location::current();
};

/// A kernel's code for devices of one compute capability.
struct kernel_facts {
  int compute_capability;
  int compiled_for;              ///< lower, where older PTX was translated for a newer GPU
  int blocks_per_multiprocessor; ///< that there is room for, without dynamic shared memory

  /// True if it contains the wait of cuda_block::wait_for_previous_grid; false for devices of
  /// another compute capability.
  bool waits_for_previous_grid(int capability) const {
    return compute_capability == capability && capability >= 90 && compiled_for >= 90;
  }
  /// True if cuda_block's functions of clusters do something in it.
  bool knows_clusters(int capability) const { return waits_for_previous_grid(capability); }
};

/// Blocks that a multiprocessor of the current device has room for, with `shared` bytes of dynamic
/// shared memory each.
template <class Kernel>
int blocks_per_multiprocessor(Kernel kernel, int threads, std::size_t shared) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
  return blocks;
}

/// On the current device, whose compute capability is given.
template <class Kernel>
kernel_facts facts_of(Kernel kernel, int threads, int compute_capability) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  return {compute_capability, attributes.ptxVersion, blocks_per_multiprocessor(kernel, threads, 0)};
}

/// A block for each of `wanted` pieces of work, but no more than run at once; at least one.
inline int blocks_at_once(gpu const& place, kernel_facts const& facts, std::size_t wanted) {
  auto const room = static_cast<std::size_t>(place.multiprocessors()) *
                    static_cast<std::size_t>(larger(facts.blocks_per_multiprocessor, 1));
  return static_cast<int>(larger(smaller(wanted, room), 1));
}

/// Bytes of shared memory of one of the place's multiprocessors.
inline std::size_t shared_memory_of(gpu const& place) {
  int bytes = 0;
  check(
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, place.device()));
  return static_cast<std::size_t>(bytes);
}

/// Lets a kernel have so much dynamic shared memory on the current device, beside `fixed` bytes
/// that it declares. All uses of a kernel name the same size: a smaller one takes back what a
/// larger one allowed.
template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes, std::size_t fixed = 0) {
  if (fixed + bytes > 48 * 1024)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
}

/// Enqueues kernel(args...) and checks that it could be.
template <class... Params, class... Args>
void launch(cudaStream_t stream, launch_shape shape, void (*kernel)(Params...),
            Args const&... args) {
  cudaLaunchAttribute attributes[3]{};
  unsigned used = 0;
  if (shape.ahead) {
    attributes[used].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[used++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (shape.cluster > 1) {
    attributes[used].id = cudaLaunchAttributeClusterDimension;
    attributes[used++].val.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
  }
  if (shape.together) {
    attributes[used].id = cudaLaunchAttributeCooperative;
    attributes[used++].val.cooperative = 1;
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
