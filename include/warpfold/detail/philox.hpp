#pragma once
// Philox4x32-10: the words of a random sequence from their place in it. J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011.

#include <warpfold/detail/macros.hpp>

#include <cstdint>

namespace warpfold::detail {

struct philox_words {
  std::uint32_t of[4];
};

WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE philox_words philox4x32_10(philox_words counter,
                                                                       std::uint32_t key0,
                                                                       std::uint32_t key1) {
  philox_words c = counter;
  WARPFOLD_UNROLL
  for (int round = 0; round < 10; ++round) {
    std::uint64_t const a = std::uint64_t{0xD2511F53} * c.of[0];
    std::uint64_t const b = std::uint64_t{0xCD9E8D57} * c.of[2];
    c = {{static_cast<std::uint32_t>(b >> 32) ^ c.of[1] ^ key0, static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ c.of[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return c;
}

/// Which sequence of 2^66 words: streams of one seed do not overlap.
struct address {
  std::uint64_t seed, stream;
};

/// Words 4 block ... 4 block + 3 of a sequence.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE philox_words random_words(address from,
                                                                      std::uint64_t block) {
  return philox4x32_10(
      {{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
        static_cast<std::uint32_t>(from.stream), static_cast<std::uint32_t>(from.stream >> 32)}},
      static_cast<std::uint32_t>(from.seed), static_cast<std::uint32_t>(from.seed >> 32));
}

} // namespace warpfold::detail
