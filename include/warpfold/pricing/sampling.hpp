#pragma once
// Where a simulation's normals come from.

#include <cstdint>

namespace warpfold::pricing {

/// The kind of normal numbers.
enum class sampling : std::uint8_t {
  philox, ///< independent ones, by Box and Muller
  /// Sobol's sequence with Owen's scrambling. The points of one sequence depend on each other, so
  /// the paths are those of several replicates, scrambled independently of each other: their means
  /// are the samples that the error is estimated from, with Student's distribution for the
  /// interval. They are a little skewed: of intervals of 95 % 92 to 96 % hold the price.
  sobol
};

} // namespace warpfold::pricing
