#pragma once
// The body of the tallies' kernels: folds in which a thread keeps one state for all elements that
// it sees, and knows where each stands. The tree is the fold's; see docs/numerics.md.
//
// A Tally has
//   element    what it is given: elements as their default accumulator
//   running    what a thread keeps: add(x, i) in the order of the indices i, counted from the
//              thread's first element; close(seen, first) makes a partial of it, where `first` is
//              that element's index among all; and, where it must see elements before they are
//              added, wants_look() and look(x)
//   partial    nothing() is the one of no elements
//   operator() merges two partials
//   finish     makes the result of the last partial

#include <warpfold/detail/fold_body.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::detail {

/// Where a tally's result goes: finishes what is assigned to it.
template <class Tally>
struct finished_output {
  Tally tally;
  typename Tally::result* to;

  WARPFOLD_HOST_DEVICE finished_output const& operator*() const { return *this; }
  WARPFOLD_HOST_DEVICE finished_output const& operator=(typename Tally::partial const& last) const {
    *to = tally.finish(last);
    return *this;
  }
};

/// Shows a running state the elements that visit(show) calls show with, until it has seen enough.
template <class Running, class Visit>
WARPFOLD_HOST_DEVICE void show_ahead(Running& running, Visit visit) {
  if constexpr (requires { running.wants_look(); })
    if (running.wants_look()) visit([&](auto x) { running.look(x); });
}

/// Adds the next `count` rows, at most Batch, to a thread's state; all are read before the first is
/// used. With All there are Batch of them, and no condition is left. `at` is the first one's number
/// of elements after the thread's first row.
template <int Batch, bool All, class Reader, class Running>
WARPFOLD_HOST_DEVICE void tally_rows(Reader const& reader, int row_size, int count,
                                     std::uint32_t at, Running& running) {
  constexpr int lanes = Reader::lanes;
  typename Reader::pack batch[Batch];
  WARPFOLD_UNROLL
  for (int i = 0; i < Batch; ++i)
    batch[i] = reader.load((All || i < count ? i : count - 1) * row_size);
  show_ahead(running, [&](auto show) {
    WARPFOLD_UNROLL
    for (int i = 0; i < Batch; ++i) WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (All || i < count) show(reader(batch[i], v));
  });
  WARPFOLD_UNROLL
  for (int i = 0; i < Batch; ++i) WARPFOLD_UNROLL
  for (int v = 0; v < lanes; ++v)
    if (All || i < count)
      running.add(reader(batch[i], v), at + static_cast<std::uint32_t>(i * row_size + v));
}

template <class Tuning, class Tally, class Block, class Reader>
WARPFOLD_HOST_DEVICE void tally_striped(Block const& block, Reader reader, fold_shape shape,
                                        Tally tally, fold_scratch<typename Tally::partial> scratch,
                                        typename Tally::result* result,
                                        fold_shared<typename Tally::partial>& shared) {
  constexpr int lanes = Reader::lanes;
  constexpr int rows_in_flight = Tuning::rows_in_flight;
  using partial = typename Tally::partial;
  int const rank = block.thread_rank();
  int const row_size = block.size() * lanes;
  bool const last_block = block.block_rank() == shape.blocks - 1;
  int const rows = shape.rows_of(block.block_rank());
  int const rest = last_block ? shape.tail - rank * lanes : 0;
  int const tail = rest < 0 ? 0 : rest < lanes ? rest : lanes;
  std::int64_t const first =
      std::int64_t{block.block_rank()} * shape.rows_per_block * row_size + rank * lanes;
  reader.advance(first);
  if (shape.blocks * shape.rows_per_block <= Tuning::max_prefetched_rows) {
    WARPFOLD_UNROLL
    for (int i = 0; i < 2 * rows_in_flight; ++i)
      if (i < rows) reader.prefetch(i * row_size);
  }
  block.wait_for_previous_grid();

  // The incomplete row is asked for first, to have it when the others are done.
  typename Reader::pack incomplete{};
  if (tail > 0) {
    Reader end = reader;
    end.advance(std::int64_t{rows} * row_size);
    incomplete = end.load_first(0, tail);
  }

  typename Tally::running running{};
  // Within a block 32 bits count the elements: it has at most 2^-8 of them.
  std::uint32_t at = 0;
  int row = 0;
  WARPFOLD_UNROLL_BY(1)
  for (; row + rows_in_flight <= rows; row += rows_in_flight) {
    tally_rows<rows_in_flight, true>(reader, row_size, rows_in_flight, at, running);
    reader.advance(rows_in_flight * row_size);
    at += static_cast<std::uint32_t>(rows_in_flight * row_size);
  }
  if constexpr (rows_in_flight > 1)
    if (row < rows) {
      tally_rows<rows_in_flight - 1, false>(reader, row_size, rows - row, at, running);
      at += static_cast<std::uint32_t>((rows - row) * row_size);
    }
  show_ahead(running, [&](auto show) {
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v < tail) show(reader(incomplete, v));
  });
  WARPFOLD_UNROLL
  for (int v = 0; v < lanes; ++v)
    if (v < tail) running.add(reader(incomplete, v), at + static_cast<std::uint32_t>(v));

  std::int64_t const seen = std::int64_t{rows} * lanes + tail;
  partial value = Tally::nothing();
  if (seen > 0) value = running.close(seen, static_cast<std::uint64_t>(first));
  int const live_threads = rows > 0 ? block.size() : (shape.tail + lanes - 1) / lanes;
  value = fold_block(block, value, live_threads, tally, shared);
  fold_grid(block, value, live_threads, shape, Tally::nothing(), tally, scratch,
            finished_output<Tally>{tally, result}, shared);
}

} // namespace warpfold::detail
