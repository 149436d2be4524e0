#pragma once
// The fold on the host: the kernels' tree and bits, with SIMD lanes for threads, threads for
// blocks.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/reduction/fold_body.hpp>
#include <warpfold/detail/reduction/fold_shape.hpp>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Folds values[0, live) in pairs of neighbours, as fold_block does. live is at least 1.
template <class A, class Op>
A fold_pairs(A* values, std::int64_t live, Op op) {
  for (; live > 1; live = (live + 1) / 2) {
    for (std::int64_t i = 0; i < live / 2; ++i) values[i] = op(values[2 * i], values[2 * i + 1]);
    if (live % 2 == 1) values[live / 2] = values[live - 1];
  }
  return values[0];
}

/// Asks for the memory of the element `offset` after that of an iterator that is a pointer. There
/// need be none.
template <class Iterator>
void prefetch_after([[maybe_unused]] Iterator at, [[maybe_unused]] std::int64_t offset) {
#ifdef __GNUC__
  if constexpr (std::is_pointer_v<Iterator>)
    __builtin_prefetch(reinterpret_cast<void const*>(
        reinterpret_cast<std::uintptr_t>(at) + static_cast<std::uintptr_t>(offset) * sizeof(*at)));
#endif
}

/// The result of fold_striped's block from its rows and tail; `lane` has room for a row.
template <class A, class Iterator, class Op, class Transform>
A fold_block_striped(A* lane, Iterator elements, std::int64_t row_size, std::int64_t rows, int tail,
                     Op op, Transform transform) {
  using T = iterator_element<Iterator>;
  if (rows > 0)
    for (std::int64_t j = 0; j < row_size; ++j) lane[j] = transform(elements[j]);

  // Two rows at a time: lanes are read half as often. Processors' prefetching ends with a row.
  std::int64_t row = 1;
  constexpr std::int64_t line = 4 * lanes_per_thread<T>; // 64 bytes
  for (; row + 2 <= rows; row += 2)
    for (std::int64_t j = 0; j < row_size; j += line) {
      auto const first = elements + (row * row_size + j), second = first + row_size;
      detail::prefetch_after(second, row_size);
      detail::prefetch_after(second, 2 * row_size);
      A value[line];
      for (std::int64_t k = 0; k < line; ++k)
        value[k] = op(op(lane[j + k], transform(first[k])), transform(second[k]));
      for (std::int64_t k = 0; k < line; ++k) lane[j + k] = value[k];
    }
  auto const fold_row = [&](std::int64_t size) {
    Iterator const from = elements + row * row_size;
    for (std::int64_t j = 0; j < size; ++j) lane[j] = op(lane[j], transform(from[j]));
  };
  for (; row < rows; ++row) fold_row(row_size);
  if (rows > 0) fold_row(tail);
  else
    for (int j = 0; j < tail; ++j) lane[j] = transform(elements[j]);
  return detail::fold_pairs(lane, rows > 0 ? row_size : tail, op);
}

/// The result of fold_ordered's block from its `size` elements, at least 1.
template <class A, class Iterator, class Op, class Transform>
A fold_block_ordered(Iterator elements, std::int64_t size, std::int64_t row_size, int warps, Op op,
                     Transform transform) {
  std::int64_t const warp_row = row_size / warps;
  std::int64_t const part = (size + row_size - 1) / row_size * warp_row;
  auto const storage = std::make_unique_for_overwrite<A[]>(static_cast<std::size_t>(warp_row));
  A* const lane = storage.get();
  A total[max_warps] = {};
  int live_warps = 0;
  for (std::int64_t begin = 0; begin < size; begin += part) {
    A& value = total[live_warps++];
    std::int64_t const end = std::min(begin + part, size);
    for (std::int64_t row = begin; row < end; row += warp_row) {
      std::int64_t const count = std::min(end - row, warp_row);
      for (std::int64_t j = 0; j < count; ++j) lane[j] = transform(elements[row + j]);
      A const folded = detail::fold_pairs(lane, count, op);
      value = row == begin ? folded : op(value, folded);
    }
  }
  return detail::fold_pairs(total, live_warps, op);
}

/// The result of fold_grid from the blocks' partials, without the initial value.
template <class A, class Op>
A fold_partials(A* partials, fold_shape shape, Op op) {
  for (int r = 0; r < shape.runs; ++r) {
    int const first = r * shape.run;
    A value = partials[first];
    for (int i = first + 1; i < std::min(first + shape.run, shape.blocks); ++i)
      value = op(value, partials[i]);
    partials[r] = value;
  }
  return detail::fold_pairs(partials, shape.runs, op);
}

/// op(init, fold of `size` transformed elements), on up to `threads` threads.
template <class A, class Iterator, class Op, class Transform>
A fold_host(int threads, Iterator elements, std::size_t size, A init, Op op, Transform transform) {
  using T = iterator_element<Iterator>;
  if (size == 0) return init;
  fold_shape const shape = fold_shape_of<T>(size, sizeof(A));
  std::int64_t const row_size = static_cast<std::int64_t>(shape.threads) * lanes_per_thread<T>;
  auto const partials = std::make_unique_for_overwrite<A[]>(static_cast<std::size_t>(shape.blocks));

  parallel_for(threads, shape.blocks, [&](std::int64_t b) {
    Iterator const first = elements + b * shape.rows_per_block * row_size;
    int const rows = shape.rows_of(static_cast<int>(b));
    int const tail = b == shape.blocks - 1 ? shape.tail : 0;
    if constexpr (is_commutative<Op>) {
      auto const lanes = std::make_unique_for_overwrite<A[]>(static_cast<std::size_t>(row_size));
      partials[b] =
          detail::fold_block_striped(lanes.get(), first, row_size, rows, tail, op, transform);
    } else
      partials[b] = detail::fold_block_ordered<A>(first, rows * row_size + tail, row_size,
                                                  shape.threads / warp_size, op, transform);
  });

  return op(init, detail::fold_partials(partials.get(), shape, op));
}

/// *result = fold_host; it needs no tuning.
template <class Tuning = void, class Iterator, class A, class Op, class Transform, class Output>
void fold_array(host const& place, Iterator first, counted_size size, A init, Op op,
                Transform transform, Output result) {
  *result = fold_host(place.threads(), first, size.get(), init, op, transform);
}

} // namespace warpfold::inline v0::detail
