#pragma once
// Where the sums of bins lie, in shared and in GPU memory, and what is noted beside them.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/scatter/bins.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// What a thread refused.
struct scatter_refusals {
  unsigned count = 0;
  std::uint64_t first = no_position;

  WARPFOLD_HOST_DEVICE void note(std::uint64_t position) {
    ++count;
    if (position < first) first = position;
  }
  WARPFOLD_HOST_DEVICE void add_to(thread_block auto const& block, std::uint64_t* refused,
                                   std::uint64_t* smallest) const {
    if (count == 0) return;
    block.fetch_add(refused, std::uint64_t{count});
    block.lower(smallest, first);
  }
};

/// Adds to a bin in GPU memory.
template <int Words>
WARPFOLD_HOST_DEVICE void add_words(thread_block auto const& block, std::uint64_t* sums,
                                    std::uint64_t bin, fixed_words<Words> const& q) {
  WARPFOLD_UNROLL
  for (int w = 0; w < Words; ++w)
    if (q.word[w] != 0) block.fetch_add(sums + bin * Words + w, q.word[w]);
}

/// Sums in a block's shared memory, in several copies side by side so that lanes do not meet.
/// There is no 64-bit addition there: a word is two of 32 bits, and whoever makes the lower one
/// wrap carries.
template <int Words>
struct shared_sums {
  unsigned* memory; ///< 2 Words arrays
  int slots;        ///< of an array

  /// All threads come here, and to a barrier behind it.
  WARPFOLD_HOST_DEVICE void clear(thread_block auto const& block, int used) const {
    WARPFOLD_UNROLL
    for (int a = 0; a < 2 * Words; ++a)
      for (int k = block.thread_rank(); k < used; k += block.size()) memory[a * slots + k] = 0;
  }
  WARPFOLD_HOST_DEVICE void add(thread_block auto const& block, int slot,
                                fixed_words<Words> const& q) const {
    WARPFOLD_UNROLL
    for (int w = 0; w < Words; ++w) {
      if (w > 0 && q.word[w] == 0) continue;
      unsigned* const low = memory + 2 * w * slots + slot;
      auto const added = static_cast<unsigned>(q.word[w]);
      auto high = static_cast<unsigned>(q.word[w] >> 32);
      if (block.fetch_add(low, added) + added < added) ++high;
      if (high != 0) block.fetch_add(low + slots, high);
    }
  }
  /// The sum of a slot, which is 0 then.
  WARPFOLD_HOST_DEVICE fixed_words<Words> take(int slot) const {
    fixed_words<Words> q;
    WARPFOLD_UNROLL
    for (int w = 0; w < Words; ++w) {
      unsigned* const low = memory + 2 * w * slots + slot;
      q.word[w] = std::uint64_t{low[slots]} << 32 | *low;
      low[0] = low[slots] = 0;
    }
    return q;
  }
  /// Adds the `count` bins from `first` on to those in GPU memory.
  WARPFOLD_HOST_DEVICE void spill(thread_block auto const& block, std::uint64_t* sums, int first,
                                  int count, int log_copies) const {
    int const mask = (1 << log_copies) - 1;
    for (int k = block.thread_rank(); k < count; k += block.size()) {
      fixed_words<Words> q{};
      for (int c = 0; c <= mask; ++c) // every lane another bank
        q += take((k << log_copies) + ((c + block.thread_rank()) & mask));
      add_words(block, sums, static_cast<unsigned>(first) + static_cast<unsigned>(k), q);
    }
  }
};

} // namespace warpfold::inline v0::detail
