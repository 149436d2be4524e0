#pragma once
// Paths of correlated prices: the same bits on both places. Payoffs on them are in
// basket_group.hpp.

#include <warpfold/detail/core/macros.hpp>

#include <cmath>

namespace warpfold::inline v0::pricing {

/// The constants of a step. Assets are in the order of the factor; those that are not there have
/// zeros.
template <class T, int capacity>
struct alignas(16) basket_step {
  T deviation[capacity]; ///< of the price's binary logarithm over this step
  T drift[capacity];     ///< -ln(2) / 2 deviation^2: so the price over its forward is a martingale
  T growth[capacity];    ///< of the forward until the step's end: log2(forward / spot)
  int observation;       ///< the number of this time among those that contracts see, or -1

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool observed() const { return observation >= 0; }
};

/// A model of up to `capacity` prices with constant correlations; of more than half of that where
/// it leaves some out.
template <class T, int capacity>
struct basket_model {
  using value_type = T;
  static constexpr int normals = capacity;
  struct state {
    T log_price[capacity]; ///< log2(price / forward), in the order of the factor
  };

  T factor[capacity * (capacity + 1) / 2]; ///< rows of the lower triangle, one after the other
  int used;                                ///< prices, and normals

  /// A GPU leaves out the others, by pairs, where that takes less time. NVIDIA H200, 2^20 paths x
  /// 12 steps, us without and with: 5 or 6 assets 247 and 220, 7 or 8 248 and 253, 9 472 and 340,
  /// 16 488 and 497. Doubles took longer: 2^17 paths of 8 assets 80 and 86, of 16 151 and 181.
  static constexpr bool leaves_out = sizeof(T) == 4 && capacity >= 8;

  WARPFOLD_HOST_DEVICE state start() const { return {}; }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(state& path, T const (&z)[capacity],
                                                        basket_step<T, capacity> const& now) const {
    WARPFOLD_UNROLL_EVERYWHERE
    for (int i = 0; i < capacity; ++i) {
#ifdef __CUDA_ARCH__ // a host's loops over paths have no branches
      if (leaves_out && i % 2 == 0 && i > capacity / 2 && i >= used) break;
#endif
      T const* const row = factor + i * (i + 1) / 2;
      T move = row[0] * z[0];
      WARPFOLD_UNROLL_EVERYWHERE
      for (int j = 1; j <= i; ++j) move = std::fma(row[j], z[j], move);
      path.log_price[i] += std::fma(now.deviation[i], move, now.drift[i]);
    }
  }
};

} // namespace warpfold::inline v0::pricing
