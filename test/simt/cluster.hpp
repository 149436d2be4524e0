#pragma once
// Clusters of blocks in the emulator.

#include "block.hpp"

namespace simt {

/// A block of a cluster whose blocks run as one of the emulator's, with its threads and its shared
/// memory divided among them. Its barriers are those of all of them, so that a test sees whether
/// the cluster's own are missing only where no other one follows.
template <class Block>
class clustered {
public:
  clustered(Block const& all, int blocks, std::size_t shared_bytes)
      : all_(all), blocks_(blocks), shared_bytes_(static_cast<std::ptrdiff_t>(shared_bytes)) {}

  int size() const { return all_.size() / blocks_; }
  int thread_rank() const { return all_.thread_rank() % size(); }
  int cluster_rank() const { return all_.thread_rank() / size(); }
  int block_rank() const { return all_.block_rank() * blocks_ + cluster_rank(); }

  /// The block's part of all shared memory.
  unsigned char* own(unsigned char* all) const { return all + cluster_rank() * shared_bytes_; }
  template <class T>
  T* of_cluster(T* own, int rank) const {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(own) +
                                (rank - cluster_rank()) * shared_bytes_);
  }

  void sync(std::source_location where = std::source_location::current()) const {
    all_.sync(where);
  }
  void sync_cluster(std::source_location where = std::source_location::current()) const {
    all_.sync(where);
  }
  void wait_for_previous_grid() const { all_.wait_for_previous_grid(); }
  void prefetch(void const* from, unsigned bytes) const { all_.prefetch(from, bytes); }

private:
  Block all_;
  int blocks_;
  std::ptrdiff_t shared_bytes_;
};

} // namespace simt
