#pragma once
// Sets of lanes of a warp, as bits.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/macros.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::detail {

WARPFOLD_HOST_DEVICE inline int number_of(unsigned lanes) {
#ifdef __CUDA_ARCH__
  return __popc(lanes);
#else
  return std::popcount(lanes);
#endif
}

/// The first lane of the set.
WARPFOLD_HOST_DEVICE inline int first_of(unsigned lanes) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(lanes)) - 1;
#else
  return std::countr_zero(lanes);
#endif
}

/// The last lane of the set.
WARPFOLD_HOST_DEVICE inline int last_of(unsigned lanes) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(static_cast<int>(lanes));
#else
  return 31 - std::countl_zero(lanes);
#endif
}

/// The set's lanes before `lane`.
WARPFOLD_HOST_DEVICE inline unsigned before(unsigned lanes, int lane) {
  return lanes & ((1u << lane) - 1);
}

WARPFOLD_HOST_DEVICE inline int warps_of(int threads) { return (threads + 31) / 32; }

/// All lanes, also for a warp that is not full: nobody waits for lanes that do not exist.
inline constexpr unsigned every_lane = ~0u;

/// The sum of the lanes' values, modulo 2^64, in each of them.
WARPFOLD_HOST_DEVICE std::uint64_t sum_of_lanes(thread_block auto const& block, unsigned lanes,
                                                std::uint64_t value) {
  constexpr std::uint64_t part = (1u << 27) - 1; // 32 of them are less than 2^32
  auto const sum_of = [&](std::uint64_t bits) {
    return std::uint64_t{block.reduce_add(lanes, static_cast<unsigned>(bits))};
  };
  std::uint64_t sum = sum_of(value & part);
  if (block.ballot(lanes, value > part) != 0)
    sum += (sum_of(value >> 27 & part) << 27) + (sum_of(value >> 54) << 54);
  return sum;
}

} // namespace warpfold::inline v0::detail
