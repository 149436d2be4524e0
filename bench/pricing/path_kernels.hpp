#pragma once
// Asian and barrier options as CUDA's samples price options by Monte Carlo.

#include <warpfold/warpfold.hpp>

namespace warpfold::bench {

/// One row of blocks an option, cuRAND's Philox normals in registers, a path a thread, the sums by
/// CUB and atomics: sums[2 i] is that of option i's undiscounted payoffs, sums[2 i + 1] of their
/// squares. Steps are of equal length; a barrier is looked at at their ends, and a rebate is none.
void sample_asian_async(gpu& place, device_span<pricing::asian_option const> book, int steps,
                        std::uint64_t paths, device_span<double> sums);
void sample_barrier_async(gpu& place, device_span<pricing::barrier_option const> book, int steps,
                          std::uint64_t paths, device_span<double> sums);

} // namespace warpfold::bench
