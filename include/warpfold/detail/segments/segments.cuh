#pragma once
// The kernels of the segmented reductions and their launch.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/fold.cuh>
#include <warpfold/detail/segments/columns_body.hpp>
#include <warpfold/detail/segments/marked_body.hpp>
#include <warpfold/detail/segments/segments_body.hpp>
#include <warpfold/detail/segments/segments_offsets_body.hpp>
#include <warpfold/detail/segments/segments_tuning.hpp>
#include <warpfold/execution.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

namespace {

/// Blocks that a multiprocessor must have room for: `Wanted` with up to 16 bytes of values a
/// thread, which has `Lanes` of them, half of them with up to 64; else what the compiler makes.
template <class A, int Lanes, int Wanted>
inline constexpr int room_for = Lanes * sizeof(A) <= 16   ? Wanted
                                : Lanes * sizeof(A) <= 64 ? Wanted / 2
                                                          : 0;

template <int InFlight, int Rows, class A, class Reader, class Op>
__global__ __launch_bounds__(segment_threads) void short_rows_kernel(Reader reader,
                                                                     segment_rows rows, int group,
                                                                     A init, Op op, A* results) {
  cuda_block{}.wait_for_previous_grid();
  fold_short_rows<InFlight, Rows>(cuda_block{}, reader, rows, group, init, op, results);
}

template <class Tuning, class A, class Reader, class Op>
__global__ __launch_bounds__(segment_threads) void one_block_rows_kernel(
    Reader reader, segment_rows rows, fold_shape shape, int warps, A init, Op op, A* results) {
  __shared__ warp_totals<A, segment_warps * max_warps> shared;
  cuda_block{}.wait_for_previous_grid();
  fold_one_block_rows<Tuning>(cuda_block{}, reader, rows, shape, warps, init, op, results, shared);
}

template <class Tuning, class A, class Reader, class Op>
__global__ __launch_bounds__(max_fold_threads, room_for<A, Reader::lanes, 2>) void long_rows_kernel(
    Reader reader, segment_rows rows, fold_shape shape, int together, A init, Op op, A* partials,
    unsigned* arrived, A* results) {
  __shared__ long_shared<A> shared;
  cuda_block{}.wait_for_previous_grid();
  fold_long_rows<Tuning>(cuda_block{}, reader, rows, shape, together, init, op, partials, arrived,
                         results, shared);
}

template <class Tuning, class A, class T, class Transform, class Op>
__global__
__launch_bounds__(offsets_threads, room_for<A, lanes_per_thread<T>, 16>) void segments_kernel(
    segments_input<T> input, segment_offsets offsets, int span, Transform transform, A init, Op op,
    A* results, long_segments<A> found) {
  __shared__ segments_shared<T, A> shared;
  fold_segments<Tuning>(cuda_block{}, input, offsets, span, transform, init, op, results, found,
                        shared);
}

template <class Tuning, class A, class T, class Transform, class Op>
__global__
__launch_bounds__(marked_threads, room_for<A, lanes_per_thread<T>, 28>) void marked_kernel(
    segments_input<T> input, run_marks<std::uint64_t const> marks, marked_deal deal,
    std::uint64_t capacity, Transform transform, A init, Op op, A* results,
    long_segments<A> found) {
  __shared__ marked_shared<T, A> shared;
  cuda_block{}.wait_for_previous_grid();
  int const rank = cuda_block{}.block_rank();
  fold_marked<Tuning>(cuda_block{}, input, marks, deal.first(rank), deal.count(rank), capacity,
                      transform, init, op, results, found, shared);
}

template <class Tuning, class A, class T, class Transform, class Op>
__global__
__launch_bounds__(long_threads, room_for<A, lanes_per_thread<T>, 4>) void long_segments_kernel(
    T const* elements, Transform transform, long_segments<A> found, A init, Op op, A* results) {
  __shared__ long_shared<A> shared;
  cuda_block{}.wait_for_previous_grid();
  fold_long_segments<Tuning>(cuda_block{}, packed_reader<T, Transform>{elements, transform},
                             element_reader<T const*, Transform>{elements, transform}, found, init,
                             op, results, shared);
}

template <int MaxLanes, class A, class Reader, class Op>
__global__ __launch_bounds__(column_threads) void column_parts_kernel(
    Reader reader, fold_shape shape, column_deal deal, A init, Op op, A* partials, A* results) {
  __shared__ column_shared<A, Reader::lanes> shared;
  fold_column_part<MaxLanes>(cuda_block{}, reader, shape, deal, init, op, partials, results,
                             shared);
}

template <class A, class Op>
__global__ __launch_bounds__(column_threads) void column_partials_kernel(A const* partials,
                                                                         fold_shape shape,
                                                                         column_deal deal, A init,
                                                                         Op op, A* results) {
  __shared__ column_shared<A, 1> shared;
  fold_column_partials(cuda_block{}, partials, shape, deal, init, op, results, shared);
}

/// Enqueues a kernel that begins with the wait for its predecessor, ahead of its turn.
template <auto Kernel, class... Args>
void launch_ahead(gpu const& place, std::int64_t blocks, int threads, Args const&... args) {
  static kernel_facts const facts = facts_of(Kernel, threads, place.compute_capability());
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  launch(place.stream(), {static_cast<int>(blocks), threads, ahead}, Kernel, args...);
}

/// Blocks of a tree that an item takes, where every block of the GPU has `blocks` of them to fold.
inline int together_for(std::int64_t blocks) {
  return blocks >= 16 ? 8 : blocks >= 8 ? 4 : blocks >= 4 ? 2 : 1;
}

/// And of a list of trees. Each of a block's warps can fold two warps of a tree at a time; blocks
/// of long_threads have half as many warps as those of rows. See docs/by_key.md.
inline int together_in_list(std::int64_t blocks) { return blocks >= 16 ? 8 : blocks >= 4 ? 4 : 2; }

template <class Tuning, class A, class Reader, class Op>
void launch_rows(gpu& place, Reader reader, segment_rows rows, fold_shape shape, A init, Op op,
                 A* results, bool blocking) {
  constexpr int lanes = Reader::lanes;
  auto const launch_short = [&]<int InFlight, int Rows>(int group) {
    std::int64_t const of_block = segment_threads / group * InFlight;
    launch_ahead<short_rows_kernel<InFlight, Rows, A, Reader, Op>>(
        place, (rows.count + of_block - 1) / of_block, segment_threads, reader, rows, group, init,
        op, results);
  };
  constexpr int in_flight = Tuning::segments_in_flight;
  if (rows.length <= warp_size * lanes) {
    auto const packs = static_cast<unsigned>((rows.length + lanes - 1) / lanes);
    launch_short.template operator()<in_flight, 1>(
        static_cast<int>(std::bit_ceil(larger(packs, 1))));
  } else if (rows.length <= 2 * warp_size * lanes) {
    launch_short.template operator()<in_flight / 2, 2>(warp_size);
  } else if (shape.blocks == 1) {
    int const at_once = is_paired<Tuning>(shape.last_block_rows, shape.tail) ? 2 : 1;
    int warps = clamped(shape.threads / warp_size / at_once, 1, Tuning::warps_of_segment);
    while (warps < segment_warps && 2 * warps * warp_size <= shape.threads &&
           rows.count * warps < Tuning::enough_warps)
      warps *= 2;
    std::int64_t const of_block = segment_warps / warps;
    launch_ahead<one_block_rows_kernel<Tuning, A, Reader, Op>>(
        place, (rows.count + of_block - 1) / of_block, segment_threads, reader, rows, shape, warps,
        init, op, results);
  } else {
    auto const count = static_cast<std::size_t>(rows.count);
    int const together =
        parts_together(shape, together_for(rows.count * shape.blocks / Tuning::long_blocks));
    std::int64_t const items = (shape.blocks + together - 1) / together;
    // The place's counters are 0 already; more must be made so.
    bool const few = count <= gpu_scratch::counter_count;
    std::size_t const own = few ? 0 : aligned_size(count * sizeof(unsigned));
    auto* const scratch = static_cast<unsigned char*>(scratch_for(
        place, own + count * static_cast<std::size_t>(shape.blocks) * sizeof(A), blocking));
    auto* const tickets = few ? reinterpret_cast<unsigned*>(gpu_scratch(place).counters())
                              : reinterpret_cast<unsigned*>(scratch);
    if (!few) check(cudaMemsetAsync(tickets, 0, count * sizeof(unsigned), place.stream()));
    launch_ahead<long_rows_kernel<Tuning, A, Reader, Op>>(
        place, rows.count * items, max_fold_threads, reader, rows, shape, together, init, op,
        reinterpret_cast<A*>(scratch + own), tickets, results);
  }
}

/// Enqueues results[i] = op(init, fold of segment i): of row i,
template <class T, class A, class Op, class Transform>
void fold_segments_of(gpu& place, T const* elements, std::size_t, segment_rows const& rows, A init,
                      Op op, Transform transform, A* results, bool blocking) {
  if (rows.count == 0) return;
  device_guard const current{place.device()};
  auto const shape = fold_shape_of<T>(static_cast<std::size_t>(rows.length), sizeof(A));
  auto const launch_with = [&](auto reader) {
    launch_rows<segments_tuning>(place, reader, rows, shape, init, op, results, blocking);
  };
  if (is_aligned(elements) && (rows.pitch % lanes_per_thread<T> == 0 || rows.count == 1))
    launch_with(packed_reader<T, Transform>{elements, transform});
  else launch_with(element_reader<T const*, Transform>{elements, transform});
}

/// What is known of the kernel for long segments; asked for before any is enqueued.
template <auto Kernel>
kernel_facts const& facts_of_long(gpu const& place) {
  static kernel_facts const facts = facts_of(Kernel, long_threads, place.compute_capability());
  return facts;
}

/// Long segments of an array of `size` elements, in the workspace behind `scratch_begin`; none yet.
template <class Tuning, class T, class A, auto Kernel>
long_segments<A> long_segments_in(gpu& place, std::size_t size, std::size_t scratch_begin,
                                  bool blocking) {
  long_segments<A> found{};
  found.longest_alone = warp_elements<T>;
  if (most_long_segments<T>(size) == 0) return found;
  facts_of_long<Kernel>(place);
  long_segments_layout<T, A> const layout(size);
  auto const packs = static_cast<std::int64_t>(size) / lanes_per_thread<T>;
  void* const scratch = scratch_for(place, scratch_begin + layout.bytes, blocking);
  gpu_scratch const memory(place);
  found = layout.in(static_cast<unsigned char*>(scratch) + scratch_begin,
                    reinterpret_cast<unsigned long long*>(memory.counters()), memory.ticket(),
                    together_in_list(packs / 1024 / Tuning::long_blocks),
                    packs / 1024 < Tuning::enough_warps ? warp_elements<T> : block_elements<T>);
  return found;
}

/// Folds the long segments that were found, by `Kernel`.
template <class Tuning, auto Kernel, class T, class A, class Op, class Transform>
void launch_long_segments(gpu& place, T const* elements, std::size_t size, Transform transform,
                          long_segments<A> const& found, A init, Op op, A* results) {
  if (most_long_segments<T>(size) == 0) return;
  // As many blocks as there is room for: they take equal numbers of items.
  kernel_facts const& facts = facts_of_long<Kernel>(place);
  std::size_t const room = static_cast<std::size_t>(Tuning::multiprocessors) *
                           static_cast<std::size_t>(facts.blocks_per_multiprocessor);
  std::size_t const blocks = clamped<std::size_t>(size / (1024 * lanes_per_thread<T>), 1, room);
  try {
    launch(place.stream(),
           {static_cast<int>(blocks), long_threads,
            facts.waits_for_previous_grid(place.compute_capability())},
           Kernel, elements, transform, found, init, op, results);
  } catch (...) { // nobody else makes them 0 again
    static_cast<void>(cudaMemsetAsync(found.listed, 0, 2 * sizeof(*found.listed), place.stream()));
    throw;
  }
}

/// of the elements between two offsets,
template <class Tuning = segments_tuning, class T, class A, class Op, class Transform>
void fold_segments_of(gpu& place, T const* elements, std::size_t size,
                      segment_offsets const& offsets, A init, Op op, Transform transform,
                      A* results, bool blocking) {
  if (offsets.count == 0) return;
  device_guard const current{place.device()};
  constexpr auto long_kernel = long_segments_kernel<Tuning, A, T, Transform, Op>;
  auto const found = long_segments_in<Tuning, T, A, long_kernel>(place, size, 0, blocking);
  std::int64_t const places = offsets.count + static_cast<std::int64_t>(size);
  auto const span =
      static_cast<int>(clamped<std::int64_t>(places / Tuning::enough_warps, Tuning::least_span,
                                             Tuning::stages_of_span * stage_elements<T>));
  std::int64_t const of_block = std::int64_t{span} * offsets_warps;
  segments_input<T> const input{elements, static_cast<std::int64_t>(size)};
  launch(place.stream(), {static_cast<int>((places + of_block - 1) / of_block), offsets_threads},
         segments_kernel<Tuning, A, T, Transform, Op>, input, offsets, span, transform, init, op,
         results, found);
  launch_long_segments<Tuning, long_kernel>(place, elements, size, transform, found, init, op,
                                            results);
}

/// of marked runs,
template <class Tuning = segments_tuning, class T, class A, class Op, class Transform>
void fold_segments_of(gpu& place, T const* elements, std::size_t size, marked_segments const& runs,
                      A init, Op op, Transform transform, A* results, bool blocking) {
  if (runs.most() == 0) return;
  device_guard const current{place.device()};
  constexpr auto long_kernel = long_segments_kernel<Tuning, A, T, Transform, Op>;
  auto const found =
      long_segments_in<Tuning, T, A, long_kernel>(place, size, runs.scratch_begin, blocking);
  segments_input<T> const input{elements, static_cast<std::int64_t>(size)};
  std::int64_t const parts = (input.size + part_keys<T> - 1) / part_keys<T>;
  auto const deal = marked_deal::of(parts, Tuning::marked_warps, Tuning::marked_parts);
  launch_ahead<marked_kernel<Tuning, A, T, Transform, Op>>(
      place, deal.blocks(parts), marked_threads, input, run_marks(runs.marks, size), deal,
      runs.capacity, transform, init, op, results, found);
  launch_long_segments<Tuning, long_kernel>(place, elements, size, transform, found, init, op,
                                            results);
}

template <class T, class A, class Reader, class Op>
void launch_columns(gpu& place, Reader reader, fold_shape shape, column_deal deal, A init, Op op,
                    A* results, bool blocking) {
  auto const deal_out = [&](std::int64_t packs, std::size_t bytes, int blocks) {
    deal.across = static_cast<int>(
        std::bit_ceil(static_cast<unsigned>(smaller<std::int64_t>(packs, warp_size))));
    // Narrower tiles where there are too few, down to 128 bytes.
    int const narrow = larger(1, 128 / static_cast<int>(bytes));
    auto const tiles = [&] { return (packs + deal.across - 1) / deal.across; };
    while (deal.across > narrow && tiles() * blocks < segments_tuning::long_blocks)
      deal.across /= 2;
    deal.tiles = static_cast<int>(tiles());
  };
  deal_out((deal.columns + Reader::lanes - 1) / Reader::lanes, Reader::lanes * sizeof(T),
           shape.blocks);
  A* partials = nullptr;
  if (shape.blocks > 1)
    partials = static_cast<A*>(scratch_for(place,
                                           static_cast<std::size_t>(shape.blocks) *
                                               static_cast<std::size_t>(deal.columns) * sizeof(A),
                                           blocking));
  launch(place.stream(),
         {static_cast<int>(std::int64_t{deal.tiles} * shape.blocks), column_threads},
         column_parts_kernel<max_column_lanes<T>, A, Reader, Op>, reader, shape, deal, init, op,
         partials, results);
  if (shape.blocks == 1) return;
  deal_out(deal.columns, sizeof(A), 1);
  deal.pitch = deal.columns;
  launch(place.stream(), {deal.tiles, column_threads}, column_partials_kernel<A, Op>, partials,
         shape, deal, init, op, results);
}

/// or of column i.
template <class T, class A, class Op, class Transform>
void fold_segments_of(gpu& place, T const* elements, std::size_t, segment_columns const& columns,
                      A init, Op op, Transform transform, A* results, bool blocking) {
  if (columns.count == 0) return;
  device_guard const current{place.device()};
  auto const shape = fold_shape_of<T>(static_cast<std::size_t>(columns.rows), sizeof(A));
  column_deal const deal{columns.count, columns.pitch, 0, 0};
  constexpr int lanes = lanes_per_thread<T>;
  if constexpr (lanes > 1 && column_threads * lanes * sizeof(A) <= 32 << 10)
    if (is_aligned(elements) && columns.pitch % lanes == 0)
      return launch_columns<T>(place, packed_reader<T, Transform>{elements, transform}, shape, deal,
                               init, op, results, blocking);
  launch_columns<T>(place, single_reader<T, Transform>{elements, transform}, shape, deal, init, op,
                    results, blocking);
}

} // namespace

} // namespace warpfold::inline v0::detail
