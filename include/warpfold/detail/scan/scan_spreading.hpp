#pragma once
// Shared memory that keeps a grid's blocks evenly spread.

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Bytes of shared memory that a GPU has.
struct shared_limits {
  std::size_t of_multiprocessor, of_block;
  std::size_t reserved; ///< of each block
};
/// Bytes to add to the `own` ones of each of `blocks`, so that no multiprocessor has room for more
/// than its share of them, and each for as many. Shared memory is given out in 128 bytes.
constexpr std::size_t scan_spreading(shared_limits const& limits, std::size_t blocks,
                                     std::size_t multiprocessors, std::size_t own) {
  std::size_t const share =
      limits.of_multiprocessor / ((blocks + multiprocessors - 1) / multiprocessors) / 128 * 128;
  std::size_t const used = own + limits.reserved, most = limits.of_block - own;
  return share <= used ? 0 : share - used < most ? share - used : most;
}

} // namespace warpfold::inline v0::detail
