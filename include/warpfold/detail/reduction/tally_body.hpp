#pragma once
// The body of the tallies' kernels: folds in which a thread keeps one state for all elements that
// it sees, and knows where each stands. The tree is the fold's; see docs/guarantees.md.
//
// A Tally has
//   element    what it is given: elements as their default accumulator
//   running    what a thread keeps: add(pack, i) in the order of the indices i, which are those of
//              the packs' first elements, counted from the thread's; close(seen, first) makes a
//              partial of it, where `first` is that element's index among all; and, where it must
//              see elements before they are added, wants_look() and look(x)
//   partial    nothing() is the one of no elements
//   operator() merges two partials
//   finish     makes the result of the last partial; before that, where partials know no more than
//              a pack, locate<lanes>(partial, x_at) finds the element with the help of x_at(index)

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/reduction/fold_body.hpp>
#include <warpfold/detail/reduction/tally_shape.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// The result of the last partial of elements of which x_at(i) is number i.
template <int Lanes, class Tally, class ElementAt>
WARPFOLD_HOST_DEVICE typename Tally::result finished(Tally const& tally,
                                                     typename Tally::partial last, ElementAt x_at) {
  if constexpr (requires { tally.template locate<Lanes>(last, x_at); })
    return tally.finish(tally.template locate<Lanes>(last, x_at));
  else return tally.finish(last);
}

/// Element number i of all that a reader reads from its first on.
template <class Reader>
struct element_of {
  Reader all;
  WARPFOLD_HOST_DEVICE auto operator()(std::uint64_t i) const {
    Reader at = all;
    at.advance(static_cast<std::int64_t>(i));
    return at(at.load_first(0, 1), 0);
  }
};

/// The place of a tally's result: finishes the state that is assigned to it.
template <class Tally, class Reader>
struct finished_output {
  Tally tally;
  typename Tally::result* to;
  element_of<Reader> x_at;

  WARPFOLD_HOST_DEVICE finished_output& operator*() { return *this; }
  WARPFOLD_HOST_DEVICE finished_output& operator=(typename Tally::partial const& last) {
    *to = finished<Reader::lanes>(tally, last, x_at);
    return *this;
  }
};

/// Shows a running state the elements that visit(show) calls show with, until it has seen enough.
template <class Running, class Visit>
WARPFOLD_HOST_DEVICE void show_ahead(Running& running, Visit visit) {
  if constexpr (requires { running.wants_look(); })
    if (running.wants_look()) visit([&](auto x) { running.look(x); });
}

/// fold_rows for a thread's state. The first row is `at` elements after the thread's first.
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
    for (int i = 0; i < Batch; ++i) {
      WARPFOLD_UNROLL
      for (int v = 0; v < lanes; ++v)
        if (All || i < count) show(reader(batch[i], v));
    }
  });
  WARPFOLD_UNROLL
  for (int i = 0; i < Batch; ++i) {
    if (!All && i >= count) break;
    typename Running::element pack[lanes];
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v) pack[v] = reader(batch[i], v);
    running.add(pack, at + static_cast<std::uint32_t>(i * row_size));
  }
}

template <class A, int Threads>
struct tally_shared {
  fold_shared<A> grid;
  alignas(A) unsigned char bytes[(sizeof(A) > small_partial ? Threads : 1) * sizeof(A)];

  WARPFOLD_HOST_DEVICE A& partial(int i) { return reinterpret_cast<A*>(bytes)[i]; }
};

/// fold_block, but pairs are folded by neighbouring threads: where an operator is long, warps that
/// do nothing at all are better than warps of which every other lane does nothing.
template <class A, thread_block Block, class Op>
WARPFOLD_HOST_DEVICE A fold_dense(Block const& block, A value, int live, Op op, A* shared) {
  int const rank = block.thread_rank();
  if (rank < live) shared[rank] = value;
  WARPFOLD_UNROLL_BY(1)
  while (live > 1) {
    block.sync();
    int const left = (live + 1) / 2;
    if (rank < left) {
      value = shared[2 * rank];
      if (2 * rank + 1 < live) value = op(value, shared[2 * rank + 1]);
    }
    live = left;
    if (live == 1) break;
    block.sync();
    if (rank < live) shared[rank] = value;
  }
  return value;
}

template <class Tuning, class Tally, thread_block Block, class Reader, class Shared>
WARPFOLD_HOST_DEVICE void tally_striped(Block const& block, Reader reader, fold_shape shape,
                                        Tally tally, fold_scratch<typename Tally::partial> scratch,
                                        typename Tally::result* result, Shared& shared) {
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
  Reader const all = reader;
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
    if (v < tail) {
      typename Tally::element const pack[1] = {reader(incomplete, v)};
      running.add(pack, at + static_cast<std::uint32_t>(v));
    }

  std::int64_t const seen = std::int64_t{rows} * lanes + tail;
  partial value = Tally::nothing();
  if (seen > 0) value = running.close(seen, static_cast<std::uint64_t>(first));
  int const live_threads = rows > 0 ? block.size() : (shape.tail + lanes - 1) / lanes;
  if constexpr (sizeof(partial) > small_partial)
    value = fold_dense(block, value, live_threads, tally, &shared.partial(0));
  else value = fold_block(block, value, live_threads, tally, shared.grid);
  fold_grid(block, value, live_threads, shape, Tally::nothing(), tally, scratch,
            finished_output<Tally, Reader>{tally, result, {all}}, shared.grid);
}

} // namespace warpfold::inline v0::detail
