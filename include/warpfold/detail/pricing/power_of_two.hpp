#pragma once
// 2^x for payoffs: fast, and the same on both places but for a few units in the last place.

#include <warpfold/detail/random/elementary.hpp>

namespace warpfold::inline v0::detail {

/// The binary logarithm of the most that prices grow by; its power is finite in T.
template <class T>
inline constexpr T most_growth = sizeof(T) == 4 ? T(126) : T(1022);

/// 2^x to 2 units in the last place, for x up to most_growth + 1; 0 below the normal numbers. Not
/// for NaN. The same bits on both places.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T portable_power_within(T x) {
  constexpr T least = -most_growth<T>;
  T const inside = x < least ? least : x;
  auto const split = nearest_integer(inside);
  T const y = scale_up(T{1} + power_less_one(inside - split.whole), split);
  return x < least ? T{0} : y;
}
/// portable_power_within for all x but NaN: larger ones count as most_growth + 1.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T portable_power_of_two(T x) {
  constexpr T most = most_growth<T> + 1;
  return portable_power_within(x > most ? most : x);
}

/// As above; in float by a GPU's own instruction.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float power_of_two(float x) {
#ifdef __CUDA_ARCH__
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return portable_power_of_two(x);
#endif
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double power_of_two(double x) {
  return portable_power_of_two(x);
}

/// The one or the other, as is said when the program runs: on a GPU alike for all threads.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T power_of_two(T x,
                                                           [[maybe_unused]] pricing::bits how) {
#ifdef __CUDA_ARCH__
  if (how == pricing::bits::native) return power_of_two(x);
#endif
  return portable_power_of_two(x);
}
/// portable_power_within of x, or of most_growth unless x is below that: for NaN, too.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T bounded_power_of_two(T x) {
  return portable_power_within(x < most_growth<T> ? x : most_growth<T>);
}
/// The power of that number which `how` names.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T
bounded_power_of_two(T x, [[maybe_unused]] pricing::bits how) {
#ifdef __CUDA_ARCH__
  if (how == pricing::bits::native) return power_of_two(x < most_growth<T> ? x : most_growth<T>);
#endif
  return bounded_power_of_two(x);
}

} // namespace warpfold::inline v0::detail
