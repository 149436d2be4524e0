#pragma once
// How a simulation of European options is cut into pieces, and in which tree their sums are added:
// from the numbers of options and paths alone, so that the bits of the result depend on nothing
// else.

#include <warpfold/detail/core/macros.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpfold::inline v0::pricing {

/// A block's threads stand in `option_lanes` rows of `path_lanes`; a thread sees every
/// path_lanes'th pack of a chunk's normals, for `per_thread` options. A unit is one group of
/// options and one tile of samples of one replicate.
struct simulation_shape {
  static constexpr int threads = 256;
  /// Normals in shared memory: a thread sees at most 128 of them, and adds those up in T before it
  /// adds that to what the tile has in double.
  static constexpr int most_in_chunk = 2048;
  static constexpr int most_option_lanes = 16;
  static constexpr std::uint32_t tiles_of_branch = 16;
  /// The tickets that a place has: a simulation needs one a group and one a branch.
  static constexpr std::uint32_t most_tickets = 512;

  std::uint64_t samples; ///< of a replicate, for an option
  std::uint64_t tile;    ///< samples; a multiple of the chunk
  std::uint32_t chunk;   ///< samples
  std::uint32_t options;
  std::uint32_t replicates;
  std::uint32_t per_thread; ///< options
  bool independent;         ///< every option has a stream of its own

  // Derived from these: a kernel does not divide.
  std::uint32_t log2_wide, log2_path_lanes;
  std::uint32_t wide;       ///< options of a group
  std::uint32_t path_lanes; ///< threads that have the same options
  std::uint32_t lanes;      ///< parts of an option's sums that are added in a tree
  std::uint32_t groups;
  std::uint32_t tiles;     ///< of a replicate
  std::uint32_t all_tiles; ///< of a group
  std::uint32_t units;
  /// A group's tiles' sums are added in branches first, where there are many; 0 if they are not.
  std::uint32_t branches;

  WARPFOLD_HOST_DEVICE std::uint32_t tiles_in_branch(std::uint32_t branch) const {
    std::uint32_t const left = tiles - branch * tiles_of_branch;
    return left < tiles_of_branch ? left : tiles_of_branch;
  }
  /// True if a cut into `parts` may use whole branches: the largest part then has hardly more tiles
  /// than one cut by tiles.
  constexpr bool divides_branches(std::uint32_t parts) const {
    std::uint64_t const most = (branches + parts - 1) / parts * tiles_of_branch;
    std::uint64_t const even = (tiles + parts - 1) / parts;
    return branches > 0 && most * 32 <= even * 33;
  }
};

inline constexpr std::uint64_t most_samples = std::uint64_t{1} << 42;
/// Samples of a tile: paths, of which an antithetic sample has two, are counted in 32 bits.
inline constexpr std::uint64_t most_in_tile = std::uint64_t{1} << 30;

constexpr simulation_shape simulation_shape_of(std::uint32_t options, std::uint64_t samples,
                                               std::uint32_t replicates, bool independent,
                                               std::uint32_t most_per_thread) {
  constexpr std::uint32_t threads = simulation_shape::threads;
  simulation_shape shape{};
  shape.samples = samples;
  shape.options = options;
  shape.replicates = replicates;
  shape.independent = independent;
  std::uint32_t const together = independent ? 1 : options;
  shape.per_thread = std::min(most_per_thread, std::bit_ceil(together));
  std::uint32_t const lanes =
      std::min<std::uint32_t>(simulation_shape::most_option_lanes,
                              std::bit_ceil((together + shape.per_thread - 1) / shape.per_thread));
  shape.wide = shape.per_thread * lanes;
  shape.log2_wide = static_cast<std::uint32_t>(std::countr_zero(shape.wide));
  shape.path_lanes = threads / lanes;
  shape.log2_path_lanes = static_cast<std::uint32_t>(std::countr_zero(shape.path_lanes));
  shape.groups = (options + shape.wide - 1) / shape.wide;
  shape.lanes = threads >> shape.log2_wide;
  // A unit for each multiprocessor; of larger work several, as long as they are worth their
  // beginning and end; and then longer ones. NVIDIA H200, 2026-11-21, 64 options: 128 units took
  // 13.0 us for 2^18 paths, 256 units 15.1 us; 10^4 options and 2^14 paths: 158 units 87.7 us, 316
  // units 68.6 us.
  auto const part = [&](std::uint64_t of) {
    std::uint64_t const wanted = (of + replicates - 1) / replicates;
    return std::bit_floor(std::max<std::uint64_t>(1, samples * shape.groups / wanted));
  };
  shape.tile = std::clamp<std::uint64_t>(part(128), 512, std::max<std::uint64_t>(2048, part(2048)));
  shape.tile = std::min(shape.tile, most_in_tile);
  shape.chunk = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(shape.tile, simulation_shape::most_in_chunk));
  shape.tiles = static_cast<std::uint32_t>((samples + shape.tile - 1) / shape.tile);
  shape.all_tiles = replicates * shape.tiles;
  shape.units = shape.groups * shape.all_tiles;
  std::uint32_t const branches =
      (shape.tiles + simulation_shape::tiles_of_branch - 1) / simulation_shape::tiles_of_branch;
  bool const is_many = replicates == 1 && branches > 2;
  if (is_many && std::uint64_t{shape.groups} * (branches + 1) <= simulation_shape::most_tickets)
    shape.branches = branches;
  return shape;
}

/// The same trees with groups of half as many options: a thread has half as many.
constexpr simulation_shape halved(simulation_shape shape) {
  shape.per_thread /= 2;
  shape.wide /= 2;
  --shape.log2_wide;
  shape.groups = (shape.options + shape.wide - 1) / shape.wide;
  shape.units = shape.groups * shape.all_tiles;
  return shape;
}

/// True if the threads of one block can add all branches of a group.
constexpr bool can_be_flat(simulation_shape const& shape) {
  return shape.branches > 0 && (shape.lanes == 2 || shape.lanes == 4) &&
         shape.branches * shape.wide <= simulation_shape::threads;
}

/// True if simulation_shape_of can count the units of so many options and samples: a replicate has
/// one for every option at most, about two thousand more if there are enough samples, and one for
/// every most_in_tile of them.
constexpr bool can_be_shaped(std::uint64_t options, std::uint64_t samples,
                             std::uint64_t replicates) {
  if (samples > (std::uint64_t{1} << 62) / options) return false;
  std::uint64_t const units = options + 4100 + samples * options / most_in_tile;
  return units <= (std::uint64_t{1} << 31) / replicates;
}

} // namespace warpfold::inline v0::pricing
