#pragma once
// The transports there are.

#include <warpfold/detail/comm/transport_parts.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace warpfold::inline v0::comm {

/// Ranks as host threads of this process, which copy from each other's memory.
std::vector<std::unique_ptr<transport>> make_thread_transports(int ranks,
                                                               communicator_options const& options);

/// A group of one gpu, without NCCL.
std::unique_ptr<transport> make_lone_transport(gpu const& place);

/// Shared by the ranks of one process: true if one of them has aborted the group.
using shared_fuse = std::shared_ptr<std::atomic<bool>>;

/// True for the streams that nobody made, on which NCCL's copy engines refuse even exchanges.
inline bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// On NCCL. All ranks at the same time. @throws as join_group
std::unique_ptr<transport> make_nccl_transport(gpu const& place, group_id const& id, int rank,
                                               int size, communicator_options const& options,
                                               shared_fuse fuse);

} // namespace warpfold::inline v0::comm
