#pragma once
// Counters for kernels of your own, which need fewer atomic operations than hits; and sums that do
// not depend on the order of additions. docs/counting.md tells where they come from.

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/counting/aggregated_counter_body.hpp>
#include <warpfold/detail/counting/aggregated_sum_body.hpp>
#include <warpfold/detail/reduction/exact_total.hpp>
#include <warpfold/execution.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

/// `Counters` counters that the threads of a kernel add to; what the members do, and who may call
/// them, is said there.
///
///   __global__ void kernel(..., std::uint64_t* totals) {        // Counters of them, 0 before
///     using counter = aggregated_counter<>;
///     __shared__ counter::shared_storage shared;
///     counter hits(shared, totals);
///     if (...) hits.add();                                      // anywhere, as often as you like
///     hits.flush();
///   }
///
/// Totals      are added to, so that several kernels can count one after the other. They have 64
///             bits and are exact beyond 2^32 hits, also of one block or one thread. Their values
///             do not depend on the strategy (but for `any`), the grid or the order; the slots of
///             append do.
/// Barriers    with `block`, `any` and `automatic` all threads of the block must construct their
///             counter and call flush() and append_all(); a thread must not return before. The
///             others need no barrier, and flush() does nothing.
/// Divergence  add() and append() may be called by any threads, in branches and loops.
/// Memory      additions are atomic, relaxed, of device scope; they order nothing. Totals,
///             and what append has written, are there when the kernel has ended.
/// Blocks      of one dimension and at most 1024 threads, the last warp full or not. global and
///             warp work in any block. Counters as many as shared memory has room for; a number
///             outside of 0 ... Counters - 1 is not looked for.
/// Errors      Nothing is looked for, and nothing throws.
/// Costs       none compiles to nothing. With block, a counter that is known when compiling is a
///             register of 64 bits: the only one, or add<0>() of up to 16. The others are 4 bytes
///             of shared memory each. any takes registers up to 64 counters. global and warp
///             need no barrier, but where all of 2^20 elements hit they took 9 times as long as
///             block (one NVIDIA H200, 2026-11-21, warpfold-bench --benchmark_filter=counter).
/// @tparam Block what threads know of each other: on a GPU there is no need for another
template <aggregation Strategy = aggregation::automatic, int Counters = 1,
          detail::thread_block Block = detail::cuda_block>
class aggregated_counter;

/// A sum of T's, float or double, that the threads of a kernel add to: the exact sum, the same for
/// every strategy, grid and order. It is used as an aggregated_counter is, on a total of
/// `total_size` std::uint64_t's, 0 before; when the kernel has ended to_accumulator takes it from
/// there. Any number of kernels may add to a total, 2^63 terms in all.
///
///   sum.add(x);    // anywhere; NaN and infinities as IEEE 754 has their sum
///   sum.flush();   // as a counter's
///
/// With `block` and `automatic` a thread adds to one double, or two for doubles, in registers, and
/// to GPU memory only what these cannot hold: fast unless the terms of a thread differ by more than
/// 29 bits (floats) or 53 (doubles). A block takes 96 bytes of shared memory, 536 for doubles.
/// `global` makes up to three atomic additions a term, and `warp` as many for the lanes together.
/// Code compiled with -ftz=true (or -use_fast_math) takes subnormal floats for 0.
/// Nothing throws.
template <aggregation Strategy = aggregation::automatic, class T = double,
          detail::thread_block Block = detail::cuda_block>
class aggregated_sum;

/// The exact sum in a total that an aggregated_sum added to: finish() rounds it, and it can be
/// merged with others. Blocks.
/// @throws argument_error if `total` is not of total_size numbers; cuda_error also for failures of
///         the kernels
template <detail::exact_result T>
exact_accumulator<T> to_accumulator(gpu& place, device_span<std::uint64_t const> total) {
  detail::verb const scope("to_accumulator");
  return detail::accumulator_of_total<T>(to_vector(place, total));
}

} // namespace warpfold::inline v0
