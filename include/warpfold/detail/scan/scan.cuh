#pragma once
// Scans on a gpu.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/scan/scan.hpp>
#include <warpfold/detail/scan/scan_body.hpp>
#include <warpfold/detail/scan/scan_spreading.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

namespace {

/// Units of a tile: few elements in all want many blocks, many want few tiles. us of one of many
/// scans of 2^16, 2^18, 2^20, 2^21 and 2^22 floats in a stream, NVIDIA H100, 2026-11-26: with one
/// unit 3.5, 4.3, 11, 17 and 31, with two 3.7, 4.2, 7.2, 12 and 21, with four 3.9, 4.3, 6.9, 9.9
/// and 19, with eight 5.0, 5.5, 7.4, 10.0 and 15; of 2^28 alone 1998, 1221, 952 and 913. 512 units
/// on an NVIDIA H200, 2026-11-29, docs/validation/2026-11-29-scan-copies-h200.txt: 2^18 doubles
/// 4.99 with one, 5.31 with four.
struct scan_tuning {
  /// Units in all.
  template <class A>
  static constexpr std::uint64_t few() {
    return sizeof(kept_prefix_t<A>) > 4 ? 512 : 256;
  }
  static constexpr std::uint64_t some = 2048;
  static constexpr int units_of_few = 1;
  static constexpr int units_of_some = 4, units_of_many = staged_units;
  /// How far ahead tiles are prefetched, in blocks at once. us of 2^28 floats on an NVIDIA H200,
  /// 2026-11-29, docs/validation/2026-11-29-scans-ahead-h200.txt: without 677, with 30, 45, 60, 75
  /// and 90 per cent 640, 625, 621, 626 and 637.
  static constexpr unsigned ahead_per_cent = 60;
  /// So many, or as many as shared memory has room for prefixes of.
  template <class A>
  static constexpr int units(int wanted) {
    constexpr int lane = scan_lane_bytes<A>;
    if (sizeof(A) > 16 || lane > 32) return 1;
    return smaller(smaller(wanted, lane > 16 ? 4 : units_of_many), thread_begins<A>::most_units);
  }

  /// Blocks that a multiprocessor must have room for. The same day, 2^22 and 2^28: 17.9 and 913 us
  /// with four of eight units, 19.4 and 918 with five; doubles 35.3 and 1845, 36.5 and 1735. Staged
  /// tiles on an NVIDIA H200, 2026-11-26, docs/validation/2026-11-26-scans-h200.txt: 2^28 floats
  /// 720, 705 and 675 us with four, five and six blocks, doubles 1453, 1368 and 1451.
  template <class Job, class A, int Units>
  static constexpr int min_blocks() {
    if (is_staged<Job, Units>) return smaller(sizeof(kept_prefix_t<A>) > 4 ? 5 : 6, most_blocks);
    bool const has_registers = scan_lane_bytes<A> <= 16 || sizeof(A) > 16;
    // With four the next call's marks find no room beside them: 2^18 floats by key took 7.46 us
    // instead of 6.28 (NVIDIA H200, 2026-11-29, docs/validation/2026-11-29-scan-copies-h200.txt).
    if (has_segments<A>) return Units == 1 && sizeof(kept_prefix_t<A>) <= 4 ? 5 : 4;
    return has_registers && (Units < units_of_many || sizeof(A) > 4) ? 5 : 4;
  }

private:
  static constexpr int most_blocks =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800 && __CUDA_ARCH__ != 900 &&                      \
    __CUDA_ARCH__ != 1000 && __CUDA_ARCH__ != 1030
      1536 / scan_threads;
#else
      2048 / scan_threads;
#endif
};

template <int Units, class A, class Job>
__global__
__launch_bounds__(scan_threads, scan_tuning::min_blocks<Job, A, Units>()) void scan_kernel(
    Job const __grid_constant__ job, scan_levels const __grid_constant__ levels,
    scan_scratch const __grid_constant__ scratch) {
  __shared__ scan_shared<A, Units> shared;
  scan_tile<Units>(cuda_block{}, job, levels, scratch, shared);
}

/// Dynamic shared memory of a block that has `own` bytes already, so that a multiprocessor has room
/// for its even share of `blocks` and no more. In a busy stream blocks would gather where the
/// previous kernel's end first: 2^22 floats took 15.5 us instead of 13.9 (NVIDIA H200, 2026-11-26,
/// docs/validation/2026-11-26-scans-h200.txt).
inline std::size_t spreading_memory(gpu const& place, std::size_t blocks, std::size_t own) {
  auto const limit = [&](cudaDeviceAttr which) {
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, which, place.device()));
    return static_cast<std::size_t>(bytes);
  };
  return scan_spreading({.of_multiprocessor = limit(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
                         .of_block = limit(cudaDevAttrMaxSharedMemoryPerBlockOptin),
                         .reserved = limit(cudaDevAttrReservedSharedMemoryPerBlock)},
                        blocks, static_cast<std::size_t>(place.multiprocessors()), own);
}

template <int Units, class A, class Job>
void launch_scan(gpu& place, Job const& job, scan_levels const& levels) {
  constexpr auto kernel = scan_kernel<Units, A, Job>;
  device_guard const current{place.device()};
  static kernel_facts const facts = facts_of(kernel, scan_threads, place.compute_capability());
  constexpr std::size_t tile = Units * scan_unit<A>;
  std::size_t const size = job.size.capacity, tiles = (size + tile - 1) / tile;
  gpu_scratch const memory(place);
  auto const blocks = static_cast<unsigned>(blocks_at_once(place, facts, tiles));
  bool const at_once = blocks == tiles;
  scan_scratch const scratch{memory.lookback(scan_lookback_bytes<A>(size)),
                             at_once ? nullptr : memory.counters(),
                             at_once ? 0 : blocks * scan_tuning::ahead_per_cent / 100};
  std::size_t shared = 0;
  if constexpr (is_staged<Job, Units>) {
    constexpr std::size_t own = sizeof(scan_shared<A, Units>);
    if (at_once) {
      allow_shared(kernel, spreading_memory(place, 1, own));
      shared = spreading_memory(place, tiles, own);
    }
  }
  launch(place.stream(),
         {static_cast<int>(tiles), scan_threads,
          facts.waits_for_previous_grid(place.compute_capability()), shared},
         kernel, job, levels, scratch);
}

/// Enqueues the scan. Look-back memory grows if `may_allocate`.
template <class Iterator, class A, class Op, class Transform>
void scan_array(gpu& place, Iterator first, counted_size counted, scan_start<A> start, Op op,
                Transform transform, typename Transform::result* results, bool may_allocate) {
  std::size_t const size = counted.capacity;
  if (size == 0) return;
  constexpr std::size_t most = max_scan_units * scan_unit<A>;
  if (size > most) refuse("values", text(size, " elements"), text("up to ", most, " on a gpu"));
  if (may_allocate) place.reserve_lookback(scan_lookback_bytes<A>(size));
  using job_type = scan_job<A, Iterator, Op, Transform>;
  job_type job{first,        counted, results, op, transform, start.init, start.is_exclusive,
               start.begins, false};
  if constexpr (job_type::has_packs) job.are_aligned = is_aligned(first) && is_aligned(results);
  scan_levels const levels(size, scan_unit<A>);
  using tuning = scan_tuning;
  std::uint64_t const units = size / scan_unit<A>;
  if (units <= tuning::few<A>()) launch_scan<tuning::units_of_few, A>(place, job, levels);
  else if (units <= tuning::some)
    launch_scan<tuning::units<A>(tuning::units_of_some), A>(place, job, levels);
  else launch_scan<tuning::units<A>(tuning::units_of_many), A>(place, job, levels);
}

} // namespace

} // namespace warpfold::inline v0::detail
