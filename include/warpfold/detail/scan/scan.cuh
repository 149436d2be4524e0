#pragma once
// Scans on a gpu.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/scan/scan.hpp>
#include <warpfold/detail/scan/scan_body.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

namespace {

template <int Units, class A, class Job>
__global__ __launch_bounds__(scan_threads) void scan_kernel(Job job, scan_levels levels,
                                                            scan_scratch scratch) {
  __shared__ scan_shared<A, Units> shared;
  scan_tile<Units>(cuda_block{}, job, levels, scratch, shared);
}

template <int Units, class A, class Job>
void launch_scan(gpu& place, Job const& job, scan_levels const& levels) {
  constexpr auto kernel = scan_kernel<Units, A, Job>;
  device_guard const current{place.device()};
  static kernel_facts const facts = facts_of(kernel, scan_threads, place.compute_capability());
  constexpr std::size_t tile = Units * scan_unit<A>;
  std::size_t const tiles = (job.size + tile - 1) / tile;
  gpu_scratch const memory(place);
  bool const at_once = static_cast<std::size_t>(blocks_at_once(place, facts, tiles)) == tiles;
  scan_scratch const scratch{memory.lookback(scan_lookback_bytes<A>(job.size)),
                             at_once ? nullptr : memory.counters()};
  launch(place.stream(),
         {static_cast<int>(tiles), scan_threads,
          facts.waits_for_previous_grid(place.compute_capability())},
         kernel, job, levels, scratch);
}

/// Enqueues the scan of `size` elements. Look-back memory grows if `may_allocate`.
template <class Iterator, class A, class Op, class Transform>
void scan_array(gpu& place, Iterator first, std::size_t size, scan_start<A> start, Op op,
                Transform transform, A* results, bool may_allocate) {
  if (may_allocate) place.reserve_lookback(scan_lookback_bytes<A>(size));
  if (size == 0) return;
  using job_type = scan_job<A, Iterator, Op, Transform>;
  job_type job{first, size,       results, op, transform, start.init, start.is_exclusive, false};
  if constexpr (job_type::has_packs) job.are_aligned = is_aligned(first) && is_aligned(results);
  scan_levels const levels(size, scan_unit<A>);
  constexpr int most = sizeof(A) <= 16 ? 4 : 1;
  if (size <= scan_few<A>) launch_scan<1, A>(place, job, levels);
  else launch_scan<most, A>(place, job, levels);
}

} // namespace

} // namespace warpfold::inline v0::detail
