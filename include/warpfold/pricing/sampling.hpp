#pragma once
// Where a simulation's normals come from.

#include <cstdint>

namespace warpfold::inline v0::pricing {

/// The kind of normal numbers.
enum class sampling : std::uint8_t {
  philox, ///< independent ones, by Box and Muller
  /// Sobol's sequence with Owen's scrambling. The points of one sequence depend on each other, so
  /// the paths are those of several replicates, scrambled independently of each other: their means
  /// are the samples that the error is estimated from, with Student's distribution for the
  /// interval. That takes them for normal, and they are skewed, so that intervals hold the price
  /// less often than they say. Of intervals of 95, 99 and 99.9 % of a European option's value held
  /// it: with 8 replicates 89, 94.8 and 97.8 % or more; with 32 (the default) 92.5, 97 and 98.9;
  /// with 64 93.6, 97.8 and 99.4; with 128 93.6, 98.5 and 99.7; with 512 94.6, 98.7 and 99.7. So
  /// take 128 or more for a level of 99 or 99.9 %. Payoffs that jump, as those of
  /// deltas, are worse: a jump shifts few of a replicate's points, and few replicates may all
  /// agree. docs/monte-carlo.md has the figures.
  sobol
};

} // namespace warpfold::inline v0::pricing
