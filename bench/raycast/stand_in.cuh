#pragma once
// Until the counter is there.
#include <warpfold/detail/cuda_block.cuh>
namespace warpfold {
enum class aggregation { none, global, warp, block, any, automatic };
template <aggregation How, int Counters, class Block>
class aggregated_counter {
public:
  struct shared_storage {
    std::uint64_t sums[Counters];
    int flags[Counters];
  };
  __device__ aggregated_counter(shared_storage& shared, std::uint64_t* totals, Block const& block)
      : shared_(shared), totals_(totals), block_(block) {
    if (block.thread_rank() < Counters) {
      shared_.sums[block.thread_rank()] = 0;
      shared_.flags[block.thread_rank()] = 0;
    }
    block.sync();
  }
  __device__ void add(int which) { add(which, std::uint64_t{1}); }
  __device__ void add(int which, std::uint64_t weight) {
    if constexpr (How == aggregation::none) return;
    else if constexpr (How == aggregation::global || How == aggregation::warp)
      block_.fetch_add(totals_ + which, weight);
    else if constexpr (How == aggregation::any) {
      if (weight) shared_.flags[which] = 1;
    } else block_.fetch_add(shared_.sums + which, weight);
  }
  __device__ void flush() {
    block_.sync();
    int const i = block_.thread_rank();
    if (i < Counters) {
      if (How == aggregation::any && shared_.flags[i])
        block_.fetch_add(totals_ + i, std::uint64_t{1});
      if (How == aggregation::block || How == aggregation::automatic)
        block_.fetch_add(totals_ + i, shared_.sums[i]);
    }
  }

private:
  shared_storage& shared_;
  std::uint64_t* totals_;
  Block block_;
};
} // namespace warpfold
