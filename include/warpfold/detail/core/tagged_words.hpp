#pragma once
// Messages between blocks that run at the same time: words with a tag each. A message takes one way
// through memory, without a fence, a ticket or a flag. Whoever waits reads until the tag is right.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/macros.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// A word with a tag, which tells who waits for the word that it is there: no flag stands beside
/// it, and no fence before it.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint64_t tagged(std::uint32_t word,
                                                                 std::uint32_t tag) {
  return std::uint64_t{tag} << 32 | word;
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t tag_of(std::uint64_t of) {
  return static_cast<std::uint32_t>(of >> 32);
}

/// Writes a number as words of that tag.
template <thread_block Block>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_number(Block const& block, std::uint64_t* to,
                                                            double number, std::uint32_t tag) {
  auto const bits = __builtin_bit_cast(std::uint64_t, number);
  block.store_relaxed(to, tagged(static_cast<std::uint32_t>(bits), tag));
  block.store_relaxed(to + 1, tagged(static_cast<std::uint32_t>(bits >> 32), tag));
}

/// Number i of `words`. A GPU would load the bytes of a memcpy from them one by one.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T number_of_words(std::uint32_t const* words, int i) {
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, words[i]);
  else return __builtin_bit_cast(T, std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i]);
}

/// Waits for a word of a tag. A read takes longer than a word should wait: two are always on their
/// way, half their time apart.
template <thread_block Block>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t
await_word(Block const& block, std::uint64_t const* from, std::uint32_t tag) {
  constexpr int half_a_read = 300; // cycles of an NVIDIA H200
  std::uint64_t one = block.load_relaxed(from);
  block.spin(half_a_read);
  std::uint64_t other = block.load_relaxed(from);
  WARPFOLD_UNROLL_BY(1)
  for (;; block.pause()) {
    if (tag_of(one) == tag) return static_cast<std::uint32_t>(one);
    one = block.load_relaxed(from);
    if (tag_of(other) == tag) return static_cast<std::uint32_t>(other);
    other = block.load_relaxed(from);
  }
}

} // namespace warpfold::inline v0::detail
