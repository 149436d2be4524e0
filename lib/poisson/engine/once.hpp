#pragma once
// Loads and stores of numbers that are not wanted again, and may leave the second cache first.

#include "poisson/complex.hpp"

namespace warpfold::inline v0::poisson {

/// A number.
template <bool Once, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T load_once(T const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (Once) return __ldcs(from);
#endif
  return *from;
}
template <bool Once, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_once(T* to, T value) {
#ifdef __CUDA_ARCH__
  if constexpr (Once) return __stcs(to, value);
#endif
  *to = value;
}
/// Two numbers. Both halves of a pair are aligned alike in a kernel.
template <bool Once, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> load_once(T const* from, bool is_aligned) {
#ifdef __CUDA_ARCH__
  if constexpr (Once) {
    if (!is_aligned) return {__ldcs(from), __ldcs(from + 1)};
    if constexpr (sizeof(T) == 4) {
      auto const v = __ldcs(reinterpret_cast<float2 const*>(from));
      return {v.x, v.y};
    } else {
      auto const v = __ldcs(reinterpret_cast<double2 const*>(from));
      return {v.x, v.y};
    }
  }
#endif
  if (is_aligned) return *reinterpret_cast<complex<T> const*>(from);
  return {from[0], from[1]};
}
template <bool Once, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_once(T* to, complex<T> value,
                                                            bool is_aligned) {
#ifdef __CUDA_ARCH__
  if constexpr (Once) {
    if (!is_aligned) {
      __stcs(to, value.re);
      __stcs(to + 1, value.im);
    } else if constexpr (sizeof(T) == 4)
      __stcs(reinterpret_cast<float2*>(to), make_float2(value.re, value.im));
    else __stcs(reinterpret_cast<double2*>(to), make_double2(value.re, value.im));
    return;
  }
#endif
  if (is_aligned) *reinterpret_cast<complex<T>*>(to) = value;
  else {
    to[0] = value.re;
    to[1] = value.im;
  }
}

/// Four numbers, two complex ones; aligned to 16 bytes or not.
template <bool Once, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_four(T const* from, bool is_aligned,
                                                           complex<T>& first, complex<T>& second) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4)
    if (is_aligned) {
      auto const* const all = reinterpret_cast<float4 const*>(from);
      float4 const v = Once ? __ldcs(all) : *all;
      first = {v.x, v.y};
      second = {v.z, v.w};
      return;
    }
#endif
  first = load_once<Once>(from, is_aligned);
  second = load_once<Once>(from + 2, is_aligned);
}
template <bool Once, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_four(T* to, complex<T> first,
                                                            complex<T> second, bool is_aligned) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4)
    if (is_aligned) {
      auto const v = make_float4(first.re, first.im, second.re, second.im);
      if constexpr (Once) __stcs(reinterpret_cast<float4*>(to), v);
      else *reinterpret_cast<float4*>(to) = v;
      return;
    }
#endif
  store_once<Once>(to, first, is_aligned);
  store_once<Once>(to + 2, second, is_aligned);
}

} // namespace warpfold::inline v0::poisson
