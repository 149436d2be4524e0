#pragma once
// The body of the exact sums' kernel, over a block. Every thread adds its terms to a floating-point
// expansion in registers, a batch at a time. Where that loses anything, the batch is taken back and
// added as integers to the thread's words in shared memory, which lie so that no two banks ever
// conflict. In the end all is integers, and integers add up in any order.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/reduction/exact_terms.hpp>
#include <warpfold/detail/reduction/fold_body.hpp>

#include <cstdint>
#include <initializer_list>

namespace warpfold::inline v0::detail {

/// One thread's words in shared memory: word k of all threads is one row.
template <int Threads>
struct exact_column {
  std::int64_t* first;
  WARPFOLD_HOST_DEVICE std::int64_t& operator()(int k) const { return first[k * Threads]; }
};

/// Makes a number the factors of its square.
template <class A>
struct squared_factors {
  template <class T>
  WARPFOLD_HOST_DEVICE factors<A> operator()(T x) const {
    return {widen<A>(x), widen<A>(x)};
  }
};

template <class Terms, int Threads>
struct exact_shared {
  static constexpr int warps = Threads / warp_size;
  std::int64_t columns[Terms::layout::words * Threads]; ///< of its threads
  std::int64_t of_warp[warps][Terms::layout::size];
  std::int64_t total[Terms::layout::size];
};

/// Where a block finds the others' words.
struct exact_scratch {
  std::uint64_t* words; ///< the layout's size of them, 0 between kernels
  unsigned* ticket;     ///< 0 between kernels
};

/// A thread's sum: an expansion and, since that first failed a thread of its warp, words.
template <class Terms, int Threads>
class exact_thread {
public:
  using layout = typename Terms::layout;
  using element = typename Terms::element;

  WARPFOLD_HOST_DEVICE explicit exact_thread(exact_column<Threads> at) : at_{at} {}

  /// A batch of every thread of the warp.
  template <thread_block Block, int N>
  WARPFOLD_HOST_DEVICE void add(Block const& block, element (&batch)[N]) {
    bool as_integers = turns_left_ > 0;
    if (as_integers) {
      --turns_left_;
    } else {
      expansion<Terms::parts> const before = sum_;
      std::uint64_t rest = 0;
      if constexpr (requires { Terms::add_batch(sum_, batch); }) {
        rest = Terms::add_batch(sum_, batch);
      } else {
        WARPFOLD_UNROLL
        for (int i = 0; i < N; ++i) rest |= Terms::add_fast(sum_, batch[i]);
      }
      as_integers = block.any(rest != 0);
      if (as_integers) {
        // Data that overtaxes an expansion will do so again: the next attempt comes later each
        // time.
        turns_ = turns_ < max_turns ? 2 * turns_ + 1 : max_turns;
        turns_left_ = turns_;
        sum_ = before;
        put_parts();
      } else {
        turns_ /= 2;
      }
    }
    if (as_integers) put(batch);
  }

  /// Adds up what the threads of the warp have added, into a row of words.
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE void sum_warp(Block const& block, exact_row row) {
    int const lane = block.thread_rank() % warp_size;
    for (int k = lane; k < layout::size; k += warp_size) row(k) = 0;
    block.sync_warp();

    word_pair pair[Terms::parts];
    word_range used = used_;
    WARPFOLD_UNROLL
    for (int i = 0; i < Terms::parts; ++i) {
      pair[i] = pair_of_part<Terms>(i, sum_.part[i]);
      if (sum_.part[i] != 0) used = with(used, pair[i].word, 2);
    }
    used = {block.reduce_min(used.first), -block.reduce_min(-used.end)};
    std::int64_t carried = 0;
    WARPFOLD_UNROLL_BY(2)
    for (int k = used.first; k < used.end; ++k) {
      std::int64_t word = has_words_ ? at_(k) : 0;
      WARPFOLD_UNROLL
      for (word_pair const& one : pair) {
        if (one.word == k) word += one.low;
        if (one.word + 1 == k) word += one.high;
      }
      if constexpr (requires { typename layout::second; }) // the other sum's words may be far
        if (carried == 0 && !block.any(word != 0)) continue;
      // 32 words of 64 bits, in parts whose sums have 32 bits.
      std::int64_t const low =
          block.reduce_add(static_cast<int>(word & 0x3fffff)) +
          (std::int64_t{block.reduce_add(static_cast<int>(word >> 22 & 0x3fffff))} << 22);
      std::int64_t const high = block.reduce_add(static_cast<int>(word >> 44)); // worth 2^44 each
      constexpr int above = layout::step - 44;
      std::int64_t own = low + high * (std::int64_t{1} << 44);
      std::int64_t next = 0;
      if (!layout::is_last(k)) {
        if constexpr (above >= 0) {
          own = low + ((high & ((1 << above) - 1)) << 44);
          next = high >> above;
        } else {
          own = low & ((std::int64_t{1} << layout::step) - 1);
          next = (low >> layout::step) + high * (std::int64_t{1} << -above);
        }
      }
      if (lane == 0) row(k) = own + carried;
      carried = next;
    }
    if (lane == 0 && carried != 0) row(used.end) = carried;

    if (!block.any(specials_ != 0)) return;
    std::int64_t seen = 0;
    for (std::int64_t const special : {saw_nan, saw_infinity, saw_minus_infinity})
      if (block.any((specials_ & special) != 0)) seen |= special;
    if (lane == 0) row(layout::specials) = seen;
  }

private:
  static constexpr int max_turns = 63;

  WARPFOLD_HOST_DEVICE static word_range with(word_range range, int word, int span) {
    return {word < range.first ? word : range.first,
            word + span > range.end ? word + span : range.end};
  }

  /// The batch, to the words.
  template <int N>
  WARPFOLD_HOST_DEVICE void put(element (&batch)[N]) {
    if constexpr (requires { Terms::picked(batch, 0); }) { // long terms
      make_room_for(N);
      WARPFOLD_UNROLL_BY(1)
      for (int i = 0; i < N; ++i) {
        element const x = Terms::picked(batch, i);
        if (Terms::is_finite(x)) used_ = with(used_, Terms::add(at_, x), Terms::span);
        else specials_ |= Terms::special_of(x);
      }
      return;
    }
    bool all_finite = true;
    WARPFOLD_UNROLL
    for (int i = 0; i < N; ++i) all_finite &= Terms::is_finite(batch[i]);
    if (!all_finite) {
      WARPFOLD_UNROLL
      for (int i = 0; i < N; ++i)
        if (!Terms::is_finite(batch[i])) {
          specials_ |= Terms::special_of(batch[i]);
          batch[i] = element{};
        }
    }
    make_room_for(N);
    WARPFOLD_UNROLL
    for (int i = 0; i < N; ++i) used_ = with(used_, Terms::add(at_, batch[i]), Terms::span);
  }

  /// The expansion, to the words.
  WARPFOLD_HOST_DEVICE void put_parts() {
    make_room_for(Terms::parts);
    WARPFOLD_UNROLL
    for (int i = 0; i < Terms::parts; ++i)
      if (sum_.part[i] != 0)
        used_ = with(used_, add_pair(at_, pair_of_part<Terms>(i, sum_.part[i])), 2);
    sum_ = {};
  }

  WARPFOLD_HOST_DEVICE void make_room_for(int additions) {
    if (!has_words_) {
      WARPFOLD_UNROLL_BY(8)
      for (int k = 0; k < layout::words; ++k) at_(k) = 0;
      has_words_ = true;
    }
    additions_ += additions;
    if (additions_ <= Terms::additions) return;
    make_room<layout>(at_);
    used_ = {0, layout::words};
    additions_ = additions;
  }

  exact_column<Threads> at_;
  expansion<Terms::parts> sum_;
  word_range used_{layout::words, 0};
  std::int64_t specials_ = no_special;
  bool has_words_ = false;         ///< the same in all of a warp, as these are:
  int turns_ = 0, turns_left_ = 0; ///< batches to add as integers
  int additions_ = 0;              ///< to the words since they had all their room
};

/// Word k of a block's sum, with so few bits that 2^14 blocks can be added up.
template <class Terms, int Threads>
WARPFOLD_HOST_DEVICE std::int64_t sum_of_block(exact_shared<Terms, Threads> const& shared, int k) {
  using layout = typename Terms::layout;
  std::int64_t word = 0, before = 0;
  WARPFOLD_UNROLL
  for (int w = 0; w < shared.warps; ++w) {
    word += shared.of_warp[w][k];
    if (k > 0) before += shared.of_warp[w][k - 1];
  }
  return k == layout::specials ? word : layout::own(word, k) + layout::next(before, k - 1);
}

/// The words of a row that are not zero, for all threads of the warp that has written it. The row
/// is then theirs to read.
template <class Layout, thread_block Block>
WARPFOLD_HOST_DEVICE word_range range_of_row(Block const& block, exact_row row) {
  word_range range{Layout::words, 0};
  for (int k = block.thread_rank() % warp_size; k < Layout::words; k += warp_size)
    if (row(k) != 0) range = {k < range.first ? k : range.first, k + 1};
  range = {block.reduce_min(range.first), -block.reduce_min(-range.end)};
  block.sync_warp();
  return range;
}

/// Calls finish(words, range) in the first thread of the warp that has written the row; where there
/// are two sums, finish(words, range of the first, range of the second in its own).
template <class Layout, thread_block Block, class Finish>
WARPFOLD_HOST_DEVICE void finish_row(Block const& block, exact_row row, Finish finish) {
  bool const is_first = block.thread_rank() % warp_size == 0;
  if constexpr (requires { typename Layout::second; }) {
    auto const range = range_of_row<typename Layout::first>(block, row);
    auto const other = range_of_row<typename Layout::second>(block, Layout::second_of(row));
    if (is_first) finish(row, range, other);
  } else {
    auto const range = range_of_row<Layout>(block, row);
    if (is_first) finish(row, range);
  }
}

/// Calls finish as finish_row does, in one thread of the grid, with the sum of what `reader` reads.
template <class Terms, int Threads, int Rows, thread_block Block, class Reader, class Finish>
WARPFOLD_HOST_DEVICE void exact_fold(Block const& block, Reader reader, std::int64_t size,
                                     exact_shared<Terms, Threads>& shared, exact_scratch scratch,
                                     Finish finish) {
  using layout = typename Terms::layout;
  constexpr int lanes = Reader::lanes;
  constexpr int row_size = Threads * lanes;
  constexpr int batch_size = Rows * row_size;
  int const rank = block.thread_rank();
  exact_thread<Terms, Threads> self(exact_column<Threads>{shared.columns + rank});
  block.wait_for_previous_grid();

  std::int64_t const first = std::int64_t{block.block_rank()} * batch_size + rank * lanes;
  std::int64_t const stride = std::int64_t{block.grid_size()} * batch_size;
  reader.advance(first);
  WARPFOLD_UNROLL_BY(1)
  for (std::int64_t left = size - first; left > -rank * lanes; left -= stride) {
    typename Reader::pack rows[Rows];
    if (left >= batch_size - rank * lanes) {
      WARPFOLD_UNROLL
      for (int i = 0; i < Rows; ++i) rows[i] = reader.load(i * row_size);
    } else { // the incomplete batch at the end: zeros in place of what is not there
      WARPFOLD_UNROLL
      for (int i = 0; i < Rows; ++i) {
        std::int64_t const count = left - i * row_size;
        rows[i] = reader.load_first(i * row_size, count < lanes ? static_cast<int>(count) : lanes);
      }
    }
    typename Terms::element batch[Rows * lanes];
    WARPFOLD_UNROLL
    for (int i = 0; i < Rows * lanes; ++i) batch[i] = reader(rows[i / lanes], i % lanes);
    self.add(block, batch);
    reader.advance(stride);
  }

  self.sum_warp(block, exact_row{shared.of_warp[rank / warp_size]});
  block.sync();
  if (rank >= warp_size) return;
  bool const alone = block.grid_size() == 1;
  for (int k = rank; k < layout::size; k += warp_size) {
    std::int64_t const word = sum_of_block(shared, k);
    shared.total[k] = word;
    if (!alone && word != 0) block.fetch_add(scratch.words + k, static_cast<std::uint64_t>(word));
  }
  block.sync_warp();
  if (!alone) {
    bool is_last = false;
    if (rank == 0) is_last = block.arrives_last(scratch.ticket);
    if (!block.broadcast(is_last)) return;
    block.sync_warp();
  }
  if (!alone)
    for (int k = rank; k < layout::size; k += warp_size)
      shared.total[k] = static_cast<std::int64_t>(block.exchange(scratch.words + k, 0));
  finish_row<layout>(block, exact_row{shared.total}, finish);
}

} // namespace warpfold::inline v0::detail
