#pragma once
// Philox4x32-10: the words of a random sequence from their place in it. J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011.

#include <warpfold/detail/core/macros.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

struct philox_words {
  std::uint32_t of[4];
};

/// The keys of the ten rounds. A kernel that gets them as an argument has them in constant memory.
struct philox_keys {
  std::uint32_t of[10][2];
};
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE philox_keys philox_keys_of(std::uint32_t key0,
                                                                       std::uint32_t key1) {
  philox_keys keys{};
  WARPFOLD_UNROLL
  for (std::uint32_t round = 0; round < 10; ++round) {
    keys.of[round][0] = key0 + round * 0x9E3779B9;
    keys.of[round][1] = key1 + round * 0xBB67AE85;
  }
  return keys;
}

struct product_words {
  std::uint32_t low, high;
};
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE product_words wide_product(std::uint32_t a,
                                                                       std::uint32_t b) {
#ifdef __CUDA_ARCH__ // of std::uint64_t the compiler makes one instruction more
  product_words p;
  asm("{.reg .u64 p; mul.wide.u32 p, %2, %3; mov.b64 {%0, %1}, p;}"
      : "=r"(p.low), "=r"(p.high)
      : "r"(a), "r"(b));
  return p;
#else
  std::uint64_t const p = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(p >> 32)};
#endif
}

WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE philox_words philox4x32_10(philox_words counter,
                                                                       philox_keys const& keys) {
  philox_words c = counter;
  WARPFOLD_UNROLL
  for (int round = 0; round < 10; ++round) {
    auto const a = wide_product(c.of[0], 0xD2511F53), b = wide_product(c.of[2], 0xCD9E8D57);
    c = {
        {b.high ^ c.of[1] ^ keys.of[round][0], b.low, a.high ^ c.of[3] ^ keys.of[round][1], a.low}};
  }
  return c;
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE philox_words philox4x32_10(philox_words counter,
                                                                       std::uint32_t key0,
                                                                       std::uint32_t key1) {
  return philox4x32_10(counter, philox_keys_of(key0, key1));
}

/// A sequence of 2^66 words: streams of one seed do not overlap.
struct address {
  std::uint64_t seed, stream;
};

/// An address, ready for use.
struct prepared_address {
  philox_keys keys;
  std::uint32_t stream[2];
};
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE prepared_address prepared(address from) {
  return {philox_keys_of(static_cast<std::uint32_t>(from.seed),
                         static_cast<std::uint32_t>(from.seed >> 32)),
          {static_cast<std::uint32_t>(from.stream), static_cast<std::uint32_t>(from.stream >> 32)}};
}

/// Words 4 block ... 4 block + 3 of a sequence.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE philox_words
prepared_words(prepared_address const& from, std::uint64_t block) {
  return philox4x32_10({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                         from.stream[0], from.stream[1]}},
                       from.keys);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE philox_words random_words(address from,
                                                                      std::uint64_t block) {
  return prepared_words(prepared(from), block);
}

} // namespace warpfold::inline v0::detail
