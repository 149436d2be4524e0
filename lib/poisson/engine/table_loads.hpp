#pragma once
// Loads of tables, which a kernel may begin before its turn.

#include "poisson/complex.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> load_constant(complex<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) {
    auto const v = __ldg(reinterpret_cast<float2 const*>(from));
    return {v.x, v.y};
  } else {
    auto const v = __ldg(reinterpret_cast<double2 const*>(from));
    return {v.x, v.y};
  }
#else
  return *from;
#endif
}

/// Loads a table's entry before wait_for_previous_grid, past which compilers move other loads. Only
/// tables that were complete before any launch may be read so early.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T load_now(T const* from) {
#ifdef __CUDA_ARCH__
  T value;
  if constexpr (sizeof(T) == 4)
    asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
  else asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(value) : "l"(from) : "memory");
  return value;
#else
  return *from;
#endif
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> load_now(complex<T> const* from) {
#ifdef __CUDA_ARCH__
  complex<T> value;
  if constexpr (sizeof(T) == 4)
    asm volatile("ld.relaxed.gpu.global.v2.f32 {%0, %1}, [%2];"
                 : "=f"(value.re), "=f"(value.im)
                 : "l"(from)
                 : "memory");
  else
    asm volatile("ld.relaxed.gpu.global.v2.f64 {%0, %1}, [%2];"
                 : "=d"(value.re), "=d"(value.im)
                 : "l"(from)
                 : "memory");
  return value;
#else
  return *from;
#endif
}
template <bool Now, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T load_table(T const* from) {
  if constexpr (Now) return load_now(from);
  else return load_constant(from);
}

/// Loads a table's entry into the first cache before wait_for_previous_grid, and adds it to `sum`,
/// so that no compiler leaves the load out.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void touch(complex<T> const* from, T& sum) {
#ifdef __CUDA_ARCH__
  complex<T> value;
  if constexpr (sizeof(T) == 4)
    asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];"
                 : "=f"(value.re), "=f"(value.im)
                 : "l"(from));
  else
    asm volatile("ld.global.nc.v2.f64 {%0, %1}, [%2];"
                 : "=d"(value.re), "=d"(value.im)
                 : "l"(from));
#else
  complex<T> const value = *from;
#endif
  sum = sum + value.re;
}

/// Keeps a compiler from computing later what is to be there now.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void pin(T& number) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) asm volatile("" : "+f"(number));
  else asm volatile("" : "+d"(number));
#else
  static_cast<void>(number);
#endif
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void pin(complex<T>& number) {
  pin(number.re);
  pin(number.im);
}

/// Keeps a compiler from holding in registers what it can compute again from the number. What comes
/// between two transforms forgets their tables: nvcc 13.0 kept the factors of the first one for the
/// second one, in local memory. NVIDIA H200, 2026-12-01, us with factors kept, and forgotten:
/// squares of 8193 doubles 1931 and 1806, of mixed nodes, 8192, 1530 and 1431; lines of 8193
/// doubles 360 and 264.
template <class Number>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forget(Number& number) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Number) == 8) asm volatile("" : "+l"(number));
  else asm volatile("" : "+r"(number));
#else
  static_cast<void>(number);
#endif
}

} // namespace warpfold::inline v0::poisson
