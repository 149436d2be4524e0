#pragma once
// The body of the exact sums' kernel, written over a block: an object with the members of
// detail::cuda_block. The same source runs on the GPU and, under test/simt, on the CPU.
//
// Every thread adds its terms to a floating-point expansion in registers, a batch at a time. Where
// that loses anything the batch is taken back and added as integers to the thread's own words,
// which lie in shared memory side by side with the other threads' so that no two banks ever
// conflict, whatever the data. In the end all is integers, and integers add up in any order.

#include <warpfold/detail/exact_terms.hpp>
#include <warpfold/detail/fold_body.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::detail {

/// One thread's words in shared memory: word k of all threads is one row.
struct exact_column {
  std::int64_t* first;
  int threads;
  WARPFOLD_HOST_DEVICE std::int64_t& operator()(int k) const { return first[k * threads]; }
};

/// Words in a row.
struct exact_row {
  std::int64_t* first;
  WARPFOLD_HOST_DEVICE std::int64_t& operator()(int k) const { return first[k]; }
};

/// Reads the factors of products from two arrays.
template <class Reader>
struct factors_reader {
  static constexpr int lanes = Reader::lanes;
  struct pack {
    typename Reader::pack x, y;
  };
  Reader x, y;

  WARPFOLD_HOST_DEVICE void advance(std::int64_t by) {
    x.advance(by);
    y.advance(by);
  }
  WARPFOLD_HOST_DEVICE pack load(int offset) const { return {x.load(offset), y.load(offset)}; }
  WARPFOLD_HOST_DEVICE pack load_first(int offset, int count) const {
    return {x.load_first(offset, count), y.load_first(offset, count)};
  }
  WARPFOLD_HOST_DEVICE auto operator()(pack const& loaded, int v) const {
    return factors{x(loaded.x, v), y(loaded.y, v)};
  }
};

/// Makes a number the factors of its square.
template <class A>
struct squared_factors {
  template <class T>
  WARPFOLD_HOST_DEVICE factors<A> operator()(T x) const {
    return {widen<A>(x), widen<A>(x)};
  }
};

/// Shared memory of a block: its threads' columns, and a row for their sum.
template <class Terms>
constexpr std::size_t exact_shared_bytes(int threads) {
  return (static_cast<std::size_t>(threads) + 1) * Terms::layout::size * sizeof(std::int64_t);
}

/// Where a block finds the others' words.
struct exact_scratch {
  std::uint64_t* words; ///< the layout's size of them, 0 between kernels
  unsigned* ticket;     ///< 0 between kernels
};

/// What a thread has added up.
template <class Terms>
class exact_thread {
public:
  using layout = typename Terms::layout;
  using element = typename Terms::element;

  WARPFOLD_HOST_DEVICE explicit exact_thread(exact_column at) : at_{at} {
    WARPFOLD_UNROLL_BY(8)
    for (int k = 0; k < layout::size; ++k) at_(k) = 0;
  }

  /// A batch of every thread of the warp.
  template <class Block, int N>
  WARPFOLD_HOST_DEVICE void add(Block const& block, element const (&batch)[N]) {
    bool as_integers = turns_left_ > 0;
    if (as_integers) {
      --turns_left_;
    } else {
      expansion<Terms::parts> const before = sum_;
      std::uint64_t rest = 0;
      WARPFOLD_UNROLL
      for (int i = 0; i < N; ++i) rest |= Terms::add_fast(sum_, batch[i]);
      as_integers = block.any(rest != 0);
      if (as_integers) {
        // Data that overtaxes an expansion once will do so again: the more often, the longer until
        // the next attempt.
        turns_ = turns_ < max_turns ? 2 * turns_ + 1 : max_turns;
        turns_left_ = turns_;
        sum_ = before;
        put_parts();
      } else {
        turns_ /= 2;
      }
    }
    if (!as_integers) return;
    WARPFOLD_UNROLL
    for (int i = 0; i < N; ++i) put(batch[i]);
    has_added(N);
  }

  /// One term of one thread, at most a batch of them.
  WARPFOLD_HOST_DEVICE void put(element x) {
    std::int64_t const special = Terms::special_of(x);
    if (special != no_special) at_(layout::specials) |= special;
    else Terms::add(at_, x);
  }

  /// Leaves all that was added in the words. They have room for a batch of terms more.
  WARPFOLD_HOST_DEVICE void put_parts() {
    add_parts<Terms>(at_, sum_);
    sum_ = {};
    has_added(Terms::parts);
  }

private:
  static constexpr int max_turns = 15;

  WARPFOLD_HOST_DEVICE void has_added(int terms) {
    constexpr int largest_batch = 64;
    static_assert(Terms::additions >= 2 * largest_batch + Terms::parts);
    additions_ += terms;
    if (additions_ + largest_batch + Terms::parts <= Terms::additions) return;
    make_room<layout>(at_);
    additions_ = 0;
  }

  exact_column at_;
  expansion<Terms::parts> sum_;
  int turns_ = 0, turns_left_ = 0; ///< batches to add as integers; the same in all of a warp
  int additions_ = 0;              ///< to the words since they had all their room
};

/// Adds up the words of a warp's threads, into the first two columns of each warp: the lower 32
/// bits of the words to column 0, what is above to column 1, to be added to the next word.
template <class Layout, class Block>
WARPFOLD_HOST_DEVICE void sum_columns(Block const& block, std::int64_t* columns) {
  int const lane = block.thread_rank() % warp_size;
  std::int64_t* const of_warp = columns + (block.thread_rank() - lane);
  constexpr int per_lane = (Layout::size + warp_size - 1) / warp_size;
  std::int64_t low[per_lane] = {}, high[per_lane] = {};
  block.sync_warp();
  WARPFOLD_UNROLL
  for (int i = 0; i < per_lane; ++i) {
    int const k = lane + i * warp_size;
    if (k >= Layout::size) continue;
    WARPFOLD_UNROLL_BY(8)
    for (int c = 0; c < warp_size; ++c) {
      // Every lane begins at another column, so that they read from different banks.
      std::int64_t const word = of_warp[k * block.size() + (c + lane) % warp_size];
      low[i] += static_cast<std::uint32_t>(word);
      high[i] += word >> 32;
    }
  }
  block.sync_warp();
  WARPFOLD_UNROLL
  for (int i = 0; i < per_lane; ++i) {
    int const k = lane + i * warp_size;
    if (k >= Layout::size) continue;
    of_warp[k * block.size()] = low[i];
    of_warp[k * block.size() + 1] = high[i];
  }
}

/// Word k of the block's sum, of what sum_columns left.
template <class Layout, class Block>
WARPFOLD_HOST_DEVICE std::int64_t sum_of_warps(Block const& block, std::int64_t const* columns,
                                               int k) {
  std::int64_t sum = 0;
  for (int first = 0; first < block.size(); first += warp_size) {
    std::int64_t const* const low = columns + k * block.size() + first;
    sum += *low;
    if (k == Layout::words - 1 || k == Layout::specials) sum += low[1] * (std::int64_t{1} << 32);
    if (k > 0 && k < Layout::words) sum += *(low - block.size() + 1);
  }
  return sum;
}

/// Adds up what `reader` reads and calls finish(words), in one thread of the grid, with the sum.
/// Any grid has the same result. Blocks of whole warps.
template <class Terms, int Rows, class Block, class Reader, class Finish>
WARPFOLD_HOST_DEVICE void exact_fold(Block const& block, Reader reader, std::int64_t size,
                                     std::int64_t* columns, exact_scratch scratch, bool& is_last,
                                     Finish finish) {
  using layout = typename Terms::layout;
  using pack = typename Reader::pack;
  constexpr int lanes = Reader::lanes;
  int const rank = block.thread_rank();
  int const row_size = block.size() * lanes;
  std::int64_t const batch_size = std::int64_t{Rows} * row_size;
  exact_thread<Terms> self(exact_column{columns + rank, block.size()});
  block.wait_for_previous_grid();

  std::int64_t first = block.block_rank() * batch_size;
  reader.advance(first + rank * lanes);
  WARPFOLD_UNROLL_BY(1)
  for (; first + batch_size <= size; first += block.grid_size() * batch_size) {
    pack rows[Rows];
    WARPFOLD_UNROLL
    for (int i = 0; i < Rows; ++i) rows[i] = reader.load(i * row_size);
    typename Terms::element batch[Rows * lanes];
    WARPFOLD_UNROLL
    for (int i = 0; i < Rows * lanes; ++i) batch[i] = reader(rows[i / lanes], i % lanes);
    self.add(block, batch);
    reader.advance(block.grid_size() * batch_size);
  }
  // At most one block comes to the incomplete batch.
  for (first += rank * lanes; first < size; first += row_size) {
    int const count = size - first < lanes ? static_cast<int>(size - first) : lanes;
    pack const end = reader.load_first(0, count);
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v < count) self.put(reader(end, v));
    reader.advance(row_size);
  }
  self.put_parts();

  sum_columns<layout>(block, columns);
  block.sync();
  std::int64_t* const total = columns + layout::size * block.size();
  bool const alone = block.grid_size() == 1;
  for (int k = rank; k < layout::size; k += block.size()) {
    std::int64_t const word = sum_of_warps<layout>(block, columns, k);
    if (alone) total[k] = word;
    else if (word != 0) block.atomic_add(scratch.words + k, static_cast<std::uint64_t>(word));
  }
  block.sync();
  if (!alone) {
    if (rank == 0) is_last = block.arrives_last(scratch.ticket);
    block.sync();
    if (!is_last) return;
    for (int k = rank; k < layout::size; k += block.size())
      total[k] = static_cast<std::int64_t>(block.exchange(scratch.words + k, 0));
    block.sync();
  }
  if (rank == 0) finish(exact_row{total});
}

} // namespace warpfold::detail
