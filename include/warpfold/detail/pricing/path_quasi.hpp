#pragma once
// Brownian motions from Sobol's sequence, scrambled, by a Brownian bridge: the first dimensions,
// its best, decide where a path ends and what its middle is.

#include <warpfold/detail/pricing/brownian_bridge.hpp>
#include <warpfold/detail/pricing/path_shape.hpp>
#include <warpfold/detail/random/inverse_normal.hpp>
#include <warpfold/detail/random/sobol.hpp>

#include <cstdint>
#include <cstring>

namespace warpfold::inline v0::detail {

/// Tables of the points, in the place's memory.
template <class T>
struct quasi_tables {
  std::uint32_t const* directions; ///< sobol_bits of a dimension; aligned to 16 bytes
  std::uint32_t const* keys;       ///< of a replicate: one a dimension
  bridge_step<T> const* bridge;
  int dimensions;
  int fixed; ///< times before those of the bridge: 1 where the first is 0
};

WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float quasi_normal(std::uint32_t word, float) {
  return normal_by_inverse(word);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double quasi_normal(std::uint32_t word, double) {
  return inverse_normal((static_cast<double>(word) + 0.5) * 0x1p-32);
}

/// Writes motion number `index` of a replicate: its values are `stride` elements apart.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
make_motion(quasi_tables<T> const& from, std::int64_t replicate, std::int64_t index, T* motion,
            std::int64_t stride) {
  std::uint32_t const* const keys = from.keys + replicate * from.dimensions;
  if (from.fixed > 0) motion[0] = T{0};
  auto const normal = [&](int k) {
    alignas(16) std::uint32_t row[sobol_bits]; // read 16 bytes at a time
    std::memcpy(row, __builtin_assume_aligned(from.directions + k * sobol_bits, 16), sizeof row);
    std::uint32_t const word = sobol_word(row, static_cast<std::uint32_t>(index));
    return quasi_normal(owen_scrambled(word, keys[k]), T{});
  };
  build_path(from.bridge, from.dimensions, normal, motion + from.fixed * stride, stride);
}

/// Writes a column of the motions of a range of tiles from number first_tile on.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
make_column(path_shape const& shape, quasi_tables<T> const& from, std::int64_t first_tile,
            std::int64_t column, T* motions, std::int64_t stride) {
  std::int64_t const tile = first_tile + column / shape.tile_samples();
  std::int64_t const index = shape.first_sample(tile) + column % shape.tile_samples();
  if (index < shape.samples)
    make_motion(from, tile / shape.replicate_tiles(), index, motions + column, stride);
}

} // namespace warpfold::inline v0::detail
