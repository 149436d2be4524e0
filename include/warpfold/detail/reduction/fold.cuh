#pragma once
// The fold's kernels and their launch.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/fold_body.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/reduction/fold_tuning.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

namespace {

/// Bytes of a thread's values.
template <class Reader, class Op, class A>
inline constexpr std::size_t value_bytes = Reader::lanes * sizeof(lane_t<Op, A>);

/// Blocks that a multiprocessor must have room for; 0 leaves it to the compiler. With 16 to 64
/// bytes of values a thread, and with extrema of doubles, it would read one row after the other to
/// save registers. With 2 blocks, half of 2^22 elements are summed 1.2 times as fast (NVIDIA H200,
/// 2026-11-21, warpfold-bench); us of minima of 2^10, 2^14 and 2^22 doubles are 1.16, 2.38 and 10.6
/// instead of 1.70, 2.95 and 12.4 (2026-11-29, docs/validation/2026-11-29-registers-h200.txt).
template <class Tuning, class Reader, class Op, class A>
inline constexpr int min_blocks = [] {
  constexpr std::size_t bytes = value_bytes<Reader, Op, A>;
  constexpr bool has_long_steps = std::is_same_v<A, double> && is_extremum<Op>;
  if (Tuning::min_blocks > 0) return Tuning::min_blocks;
  return (bytes > 16 && bytes <= 64) || has_long_steps ? 2 : 0;
}();

template <class Tuning, class A, class Reader, class Op, class Output>
__global__
__launch_bounds__(max_fold_threads, min_blocks<Tuning, Reader, Op, A>) void fold_striped_kernel(
    Reader reader, fold_shape shape, A init, Op op, fold_scratch<A> scratch, Output result) {
  __shared__ fold_shared<A> shared;
  fold_striped<Tuning>(cuda_block{}, reader, shape, init, op, scratch, result, shared);
}

template <class Tuning, class A, class Reader, class Op, class Output>
__global__ __launch_bounds__(max_fold_threads) void fold_ordered_kernel(
    Reader reader, fold_shape shape, A init, Op op, fold_scratch<A> scratch, Output result) {
  __shared__ fold_shared<A> shared;
  fold_ordered<Tuning>(cuda_block{}, reader, shape, init, op, scratch, result, shared);
}

/// It takes more registers, and would keep some in memory with fewer.
template <class Reader, class A>
inline constexpr int counted_min_blocks = Reader::lanes * sizeof(A) <= 32 ? 2 : 1;
template <class T, class A, class Reader, class Op>
__global__
__launch_bounds__(max_fold_threads, counted_min_blocks<Reader, A>) void fold_counted_kernel(
    Reader reader, counted_size size, A init, Op op, fold_scratch<A> scratch, A* result) {
  __shared__ counted_shared<A> shared;
  fold_counted<T, fold_tuning>(cuda_block{}, reader, size, init, op, scratch, result, shared);
}

/// True if a kernel may start while the stream's previous one drains. If multiprocessors have room
/// for an odd number of blocks, those of the next kernel come to lie unevenly (NVIDIA H200,
/// 2026-11-21, warpfold-bench: up to 1.4 times as long, from 2^22 to 2^25 elements).
template <class Tuning>
bool starts_ahead(gpu const& place, kernel_facts const& facts, int blocks) {
  bool const lies_evenly = facts.blocks_per_multiprocessor % 2 == 0 || blocks <= Tuning::few_blocks;
  return facts.waits_for_previous_grid(place.compute_capability()) && lies_evenly;
}

/// Enqueues a kernel that walks a tree: kernel(reader, shape, arguments..., scratch, result), where
/// A is the type of the blocks' partials.
template <class Tuning, class A, auto Kernel, int MaxThreads, class Reader, class Output,
          class... Args>
void launch_tree(gpu& place, Reader reader, fold_shape shape, Output result, Args const&... args) {
  device_guard const current{place.device()};
  gpu_scratch const memory(place);
  auto* const partials =
      static_cast<A*>(memory.workspace(static_cast<std::size_t>(shape.blocks) * sizeof(A)));
  static kernel_facts const facts = facts_of(Kernel, MaxThreads, place.compute_capability());
  bool const ahead = starts_ahead<Tuning>(place, facts, shape.blocks);
  launch(place.stream(), {shape.blocks, shape.threads, ahead}, Kernel, reader, shape, args...,
         fold_scratch<A>{partials, memory.ticket()}, result);
}

/// Enqueues *result = op(init, fold of the elements that `reader` reads); `result` is a pointer or
/// an output iterator, dereferenced on the gpu.
template <class Tuning = fold_tuning, class A, class Reader, class Op, class Output>
void launch_fold(gpu& place, Reader reader, fold_shape shape, A init, Op op, Output result) {
  constexpr auto kernel = [] {
    if constexpr (is_commutative<Op>) return fold_striped_kernel<Tuning, A, Reader, Op, Output>;
    else return fold_ordered_kernel<Tuning, A, Reader, Op, Output>;
  }();
  launch_tree<Tuning, A, kernel, max_fold_threads>(place, reader, shape, result, init, op);
}

/// launch_fold of the `size` elements from `first` on.
template <class Tuning = fold_tuning, class Iterator, class A, class Op, class Transform,
          class Output>
void fold_array(gpu& place, Iterator first, std::size_t size, A init, Op op, Transform transform,
                Output result, fold_tree const& tree = {}) {
  using T = iterator_element<Iterator>;
  fold_shape const shape = fold_shape_of<T>(size, sizeof(A), tree);
  with_reader(first, transform,
              [&](auto reader) { launch_fold<Tuning>(place, reader, shape, init, op, result); });
}

/// The same for the elements that count.
template <class T, class A, class Op, class Transform>
void fold_array(gpu& place, T const* first, counted_size size, A init, Op op, Transform transform,
                A* result) {
  if (!size.count)
    return fold_array(place, first, std::size_t{size.capacity}, init, op, transform, result);
  with_reader(first, transform, [&]<class Reader>(Reader reader) {
    constexpr auto kernel = fold_counted_kernel<T, A, Reader, Op>;
    device_guard const current{place.device()};
    static kernel_facts const facts =
        facts_of(kernel, max_fold_threads, place.compute_capability());
    // Blocks of a tree, if there are several, have at least 4 rows of 256 threads.
    int const blocks = blocks_at_once(place, facts, size.capacity / (1024 * Reader::lanes) + 1);
    bool const ahead = starts_ahead<fold_tuning>(place, facts, blocks);
    gpu_scratch const memory(place);
    auto* const partials = static_cast<A*>(memory.workspace(fold_tree{}.partial_bytes));
    launch(place.stream(), {blocks, max_fold_threads, ahead}, kernel, reader, size, init, op,
           fold_scratch<A>{partials, memory.ticket()}, result);
  });
}

} // namespace

} // namespace warpfold::inline v0::detail
