#pragma once
// Where the normals of a simulation come from.

#include <warpfold/detail/normals.hpp>
#include <warpfold/detail/philox.hpp>

#include <cstdint>

namespace warpfold::pricing {

/// As many normals as a Philox block gives: 16 bytes.
template <class T>
struct alignas(16) normals_pack {
  static constexpr int size = 16 / sizeof(T);
  T of[size];
};

/// Those of the Philox generator.
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
    if constexpr (sizeof(T) == 4) {
      auto const four = detail::normals_of(words);
      return {{four.of[0], four.of[1], four.of[2], four.of[3]}};
    } else {
      auto const two = detail::double_normals_of(words);
      return {{two.of[0], two.of[1]}};
    }
  }
};

/// From normal number `first` of the stream on, which is a multiple of 4.
template <class T>
philox_source<T> philox_source_of(detail::address from, std::uint64_t first) {
  return {detail::prepared(from).keys, from.stream, first / normals_pack<T>::size};
}

} // namespace warpfold::pricing
