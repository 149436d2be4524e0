#pragma once
// How a simulation of European options is cut into pieces, and in which tree their sums are added:
// from the numbers of options and paths alone, so that the bits of the result depend on nothing
// else.

#include <warpfold/detail/macros.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpfold::pricing {

/// A block's threads stand in `option_lanes` rows of `path_lanes`; a thread sees every
/// path_lanes'th pack of a chunk's normals, for `per_thread` options. A unit is one group of
/// options and one tile of samples of one replicate.
struct simulation_shape {
  static constexpr int threads = 256;
  /// Normals in shared memory: a thread sees at most 128 of them, and adds those up in T before it
  /// adds that to what the tile has in double.
  static constexpr int most_in_chunk = 2048;
  static constexpr int most_option_lanes = 16;

  std::uint64_t samples; ///< of a replicate, for an option
  std::uint64_t tile;    ///< samples; a multiple of the chunk
  std::uint32_t chunk;   ///< samples
  std::uint32_t options;
  std::uint32_t replicates;
  std::uint32_t per_thread; ///< options
  std::uint32_t option_lanes;
  std::uint32_t path_lanes;
  bool independent; ///< every option has a stream of its own

  WARPFOLD_HOST_DEVICE std::uint32_t group() const { return per_thread * option_lanes; }
  WARPFOLD_HOST_DEVICE std::uint32_t groups() const { return (options + group() - 1) / group(); }
  /// Of a replicate.
  WARPFOLD_HOST_DEVICE std::uint32_t tiles() const {
    return static_cast<std::uint32_t>((samples + tile - 1) / tile);
  }
  /// Of a group.
  WARPFOLD_HOST_DEVICE std::uint32_t all_tiles() const { return replicates * tiles(); }
  WARPFOLD_HOST_DEVICE std::uint64_t units() const { return std::uint64_t{groups()} * all_tiles(); }
};

/// More samples would overflow counts of a tile.
inline constexpr std::uint64_t most_samples = std::uint64_t{1} << 42;

constexpr simulation_shape simulation_shape_of(std::uint32_t options, std::uint64_t samples,
                                               std::uint32_t replicates, bool independent,
                                               std::uint32_t most_per_thread) {
  std::uint32_t const together = independent ? 1 : options;
  std::uint32_t const per_thread = std::min(most_per_thread, std::bit_ceil(together));
  std::uint32_t const lanes = std::min<std::uint32_t>(
      simulation_shape::most_option_lanes, std::bit_ceil((together + per_thread - 1) / per_thread));
  std::uint64_t const wide = per_thread * lanes;
  std::uint64_t const groups = (options + wide - 1) / wide * replicates;
  // Units enough for a GPU's multiprocessors twice; then longer ones, and when they are long, more.
  auto const of_units = [&](std::uint64_t units) {
    return std::bit_floor(std::max<std::uint64_t>(1, samples * groups / units));
  };
  std::uint64_t const tile = std::clamp<std::uint64_t>(
      of_units(256), 512, std::max<std::uint64_t>(1 << 15, of_units(4096)));
  auto const chunk =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(tile, simulation_shape::most_in_chunk));
  return {samples,    tile,       chunk, options,
          replicates, per_thread, lanes, simulation_shape::threads / lanes,
          independent};
}

} // namespace warpfold::pricing
