#pragma once
// A simulation whose tiles are simulated by several ranks.

#include <cstddef>
#include <cstdint>

namespace warpfold::pricing {

/// Consecutive tiles.
struct tile_range {
  std::uint32_t first, count;
};

class tile_sharing {
public:
  virtual ~tile_sharing() = default;
  /// Which of so many tiles are simulated here.
  virtual tile_range own(std::uint32_t tiles) const = 0;
  /// Of a matrix of `rows` rows of `tiles` entries of `bytes` bytes the own tiles are there;
  /// brings the others. On a gpu it enqueues.
  virtual void share(void* sums, std::size_t rows, std::uint32_t tiles, std::size_t bytes) = 0;
};

} // namespace warpfold::pricing
