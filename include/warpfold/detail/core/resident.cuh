#pragma once
// Grids of no more blocks than run at once.

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <cstddef>

namespace warpfold::inline v0::detail {

/// A block for each of `wanted` pieces of work, if all of them have room at the same time; at least
/// one.
inline int blocks_at_once(gpu const& place, kernel_facts const& facts, std::size_t wanted) {
  auto const room = static_cast<std::size_t>(place.multiprocessors()) *
                    static_cast<std::size_t>(std::max(1, facts.blocks_per_multiprocessor));
  return static_cast<int>(std::clamp<std::size_t>(wanted, 1, room));
}

} // namespace warpfold::inline v0::detail
