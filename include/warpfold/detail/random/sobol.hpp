#pragma once
// Points of Sobol's sequence by their index, and their randomisation.

#include <warpfold/detail/random/philox.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// Direction numbers of a dimension.
inline constexpr int sobol_bits = 32;

/// Coordinate of point `index`, as a fraction of 2^32, from the direction numbers of its dimension:
/// in the order of Gray's code. I. A. Antonov, V. M. Saleev, USSR Computational Mathematics and
/// Mathematical Physics 19, 1979.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t
sobol_word(std::uint32_t const* directions, std::uint32_t index) {
  std::uint32_t const gray = index ^ (index >> 1);
  std::uint32_t word = 0;
  WARPFOLD_UNROLL
  for (int j = 0; j < sobol_bits; ++j) word ^= directions[j] & (0 - (gray >> j & 1));
  return word;
}

/// Randomises a dimension of a replicate.
struct sobol_key {
  std::uint32_t shift, owen;
};
/// From words that no stream's samples are made of: those of blocks from 2^63 on.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE sobol_key sobol_key_of(std::uint64_t seed,
                                                                   std::uint64_t replicate,
                                                                   std::uint32_t dimension) {
  auto const words = random_words({seed, replicate}, std::uint64_t{1} << 63 | dimension);
  return {words.of[0], words.of[1]};
}

WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t reversed_bits(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return __brev(x);
#else
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
#endif
}

/// A nested uniform scrambling (A. B. Owen, 1995): whether a bit is flipped depends, at random, on
/// the bits above it alone. So as many points as before lie in each elementary interval. A hash of
/// S. Laine and T. Karras, Stratified sampling for stochastic transparency, 2011, with constants of
/// B. Burley, Practical hash-based Owen scrambling, Journal of Computer Graphics Techniques 9,
/// 2020.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t owen_scrambled(std::uint32_t word,
                                                                         std::uint32_t key) {
  std::uint32_t x = reversed_bits(word) + key;
  x ^= x * 0x6c50b47c;
  x ^= x * 0xb82f1e52;
  x ^= x * 0xc7afe638;
  x ^= x * 0x8d22f6e6;
  return reversed_bits(x);
}

} // namespace warpfold::inline v0::detail
