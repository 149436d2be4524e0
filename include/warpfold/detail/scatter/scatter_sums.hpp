#pragma once
// Where the sums of bins lie, in shared and in GPU memory, and what is noted beside them.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/scatter/scatter_terms.hpp>

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

/// Adds a value to a bin in GPU memory.
template <class Terms, class T>
WARPFOLD_HOST_DEVICE void add_words(thread_block auto const& block, std::uint64_t* sums,
                                    std::uint64_t bin, Terms const& terms, T x) {
  terms.each_word(x, [&](int w, std::uint64_t q) {
    if (q != 0) block.fetch_add(sums + bin * Terms::words + w, q);
  });
}

/// Sums in a block's shared memory, in several copies side by side so that lanes do not meet.
/// There is no 64-bit addition there: a word is two of 32 bits, and whoever makes the lower one
/// wrap carries.
template <int Words>
struct shared_sums {
  unsigned* memory; ///< 2 Words arrays
  int slots;        ///< of an array

  /// All threads come here, and to a barrier behind it.
  WARPFOLD_HOST_DEVICE void clear(thread_block auto const& block) const {
    for (int k = block.thread_rank(); k < 2 * Words * slots; k += block.size()) memory[k] = 0;
  }
  /// Adds a value to a slot.
  template <class Terms, class T>
  WARPFOLD_HOST_DEVICE void add(thread_block auto const& block, int slot, Terms const& terms,
                                T x) const {
    terms.each_word(x, [&](int w, std::uint64_t q) {
      if (w > 0 && q == 0) return;
      unsigned* const low = memory + 2 * w * slots + slot;
      auto const added = static_cast<unsigned>(q);
      auto high = static_cast<unsigned>(q >> 32);
      if (block.fetch_add(low, added) + added < added) ++high;
      if (high != 0) block.fetch_add(low + slots, high);
    });
  }
  /// Word w of a slot, which is 0 then.
  WARPFOLD_HOST_DEVICE std::uint64_t take(int slot, int w) const {
    unsigned* const low = memory + 2 * w * slots + slot;
    std::uint64_t const word = std::uint64_t{low[slots]} << 32 | *low;
    low[0] = low[slots] = 0;
    return word;
  }
  /// Adds the `count` bins from `first` on to those in GPU memory.
  WARPFOLD_HOST_DEVICE void spill(thread_block auto const& block, std::uint64_t* sums, int first,
                                  int count, int log_copies) const {
    int const mask = (1 << log_copies) - 1;
    for (int w = 0, k = block.thread_rank();; k += block.size()) { // word w of bin first + k
      for (; w < Words && k >= count; ++w) k -= count;
      if (w == Words) return;
      std::uint64_t q = 0;
      for (int c = 0; c <= mask; ++c) // every lane another bank
        q += take((k << log_copies) + ((c + block.thread_rank()) & mask), w);
      std::uint64_t const bin = static_cast<unsigned>(first) + static_cast<unsigned>(k);
      if (q != 0) block.fetch_add(sums + bin * Words + w, q);
    }
  }
};

} // namespace warpfold::inline v0::detail
