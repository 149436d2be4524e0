#pragma once
// 2^x for payoffs: fast, and the same on both places but for a few units in the last place.

#include <warpfold/detail/random/elementary.hpp>

namespace warpfold::inline v0::detail {

/// 2^x to 2 units in the last place, for x below 127 (double: 1023); 0 below the normal numbers.
/// Not for NaN.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float power_of_two(float x) {
#ifdef __CUDA_ARCH__
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  float const inside = x < -126.F ? -126.F : x > 127.F ? 127.F : x;
  auto const split = nearest_integer(inside);
  float const y = scale_up(1.F + power_less_one(inside - split.whole), split);
  return x < -126.F ? 0.F : y;
#endif
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double power_of_two(double x) {
  double const inside = x < -1022. ? -1022. : x > 1023. ? 1023. : x;
  auto const split = nearest_integer(inside);
  double const y = scale_up(1. + exp2_less_one(inside - split.whole), split);
  return x < -1022. ? 0. : y;
}

} // namespace warpfold::inline v0::detail
