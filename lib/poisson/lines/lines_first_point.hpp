#pragma once
// The solution's value at its first point, from its modes along all axes but the slowest.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/macros.hpp>

#include <cstddef>

namespace warpfold::inline v0::poisson {

inline constexpr int first_point_threads = 256;

template <class T>
struct first_points {
  T const* modes;         ///< in the first places of every entry
  int count;              ///< of an entry
  std::size_t entry, row; ///< elements between entries, and between rows of modes
  T const* slower;        ///< factors of the modes; or null
  T const* faster;
  int fastest; ///< modes along the faster axis
  T* values;   ///< by entry
};

struct first_point_shared {
  double sums[first_point_threads];
};

/// A block for each entry of the batch.
template <class T, detail::thread_block Block>
WARPFOLD_HOST_DEVICE void sum_first_point(Block const& block, first_points<T> const& of,
                                          first_point_shared& shared) {
  T const* const modes = of.modes + static_cast<std::size_t>(block.block_rank()) * of.entry;
  int const rank = block.thread_rank();
  double sum = 0;
  for (std::int64_t at = rank; at < of.count; at += first_point_threads) {
    double factor = of.faster[at % of.fastest];
    if (of.slower) factor *= of.slower[at / of.fastest];
    sum += factor * modes[at / of.fastest * of.row + at % of.fastest];
  }
  shared.sums[rank] = sum;
  for (int half = first_point_threads / 2; half > 0; half /= 2) {
    block.sync();
    if (rank < half) shared.sums[rank] += shared.sums[rank + half];
  }
  if (rank == 0) of.values[block.block_rank()] = static_cast<T>(shared.sums[0]);
}

} // namespace warpfold::inline v0::poisson
