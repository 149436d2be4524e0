#pragma once
// Where the normals of a simulation come from.

#include <warpfold/detail/pricing/path_walk.hpp>
#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/detail/random/philox.hpp>
#include <warpfold/detail/random/sobol.hpp>

#include <cstdint>

namespace warpfold::inline v0::pricing {

/// As many normals as a Philox block gives: 16 bytes.
template <class T>
struct alignas(16) normals_pack {
  static constexpr int size = 16 / sizeof(T);
  T of[size];
};

/// Normals of the Philox generator.
template <class T>
struct philox_source {
  static constexpr bool reads = false, is_replicated = false;
  detail::philox_keys keys;
  std::uint64_t stream;
  std::uint64_t first; ///< pack

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE normals_pack<T>
  pack(std::uint32_t option, std::uint32_t, std::uint64_t i) const {
    std::uint64_t const block = first + i, of = stream + option;
    auto const words = detail::philox4x32_10(
        {{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
          static_cast<std::uint32_t>(of), static_cast<std::uint32_t>(of >> 32)}},
        keys);
    normals_pack<T> normals;
    detail::write_block(normals.of, words);
    return normals;
  }
};

/// From normal number `first` of the stream on, which is a multiple of 4.
template <class T>
philox_source<T> philox_source_of(detail::address from, std::uint64_t first) {
  return {detail::prepared(from).keys, from.stream, first / normals_pack<T>::size};
}

/// Normals of the first dimension of Sobol's sequence, whose direction numbers are the powers of
/// two. Every replicate has a scrambling of its own.
template <class T>
struct sobol_source {
  static constexpr bool reads = false, is_replicated = true;
  detail::address from;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE normals_pack<T>
  pack(std::uint32_t option, std::uint32_t replicate, std::uint64_t i) const {
    std::uint32_t const key =
        detail::sobol_key_of(from.seed, (from.stream + option) << 32 | replicate, 0).owen;
    normals_pack<T> normals;
    WARPFOLD_UNROLL
    for (int k = 0; k < normals_pack<T>::size; ++k) {
      auto const index =
          static_cast<std::uint32_t>(i * normals_pack<T>::size) + static_cast<std::uint32_t>(k);
      std::uint32_t const gray = index ^ (index >> 1);
      std::uint32_t const word = detail::owen_scrambled(detail::reversed_bits(gray), key);
      if constexpr (sizeof(T) == 4) normals.of[k] = detail::inverse_normal_of_word<T>(word);
      else
        normals.of[k] =
            detail::inverse_normal_of_word<T>(detail::two_words(std::uint32_t{1} << 31, word));
    }
    return normals;
  }
};

} // namespace warpfold::inline v0::pricing
