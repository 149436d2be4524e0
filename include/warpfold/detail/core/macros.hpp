#pragma once
// Macros with which nvcc and a plain C++ compiler read the same headers.

#if __cplusplus < 202002L
#error "warpfold needs C++20: -std=c++20, for nvcc too"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error                                                                                             \
    "warpfold needs GPUs of compute capability 8.0 or newer: compile with -arch=sm_80 or later (CMake: set CMAKE_CUDA_ARCHITECTURES to 80, 90, native, ...)"
#endif

#ifdef __CUDACC__
#define WARPFOLD_HOST_DEVICE __host__ __device__
#define WARPFOLD_NOINLINE __noinline__
#define WARPFOLD_ALWAYS_INLINE __forceinline__
#else
#define WARPFOLD_HOST_DEVICE
#define WARPFOLD_NOINLINE __attribute__((noinline))
#ifndef WARPFOLD_ALWAYS_INLINE // the kernels' emulator wants to be compiled sooner
#define WARPFOLD_ALWAYS_INLINE inline __attribute__((always_inline))
#endif
#endif

// Before a function for both places that calls a user's: on a host that may be a host's alone,
// about which nvcc would warn. What a gpu cannot call is an error all the same: see gpu_calls.cuh.
#ifdef __CUDACC__
#define WARPFOLD_CALLS_USER _Pragma("nv_exec_check_disable")
#else
#define WARPFOLD_CALLS_USER
#endif

// Called in kernels, so that it takes neither room nor registers where it is not; inlined by hosts.
#ifdef __CUDACC__
#define WARPFOLD_RARE WARPFOLD_NOINLINE
#else
#define WARPFOLD_RARE WARPFOLD_ALWAYS_INLINE
#endif

// Complete unrolling, and unrolling by a number, of the loop that follows. Only device code cares.
#ifdef __CUDA_ARCH__
#define WARPFOLD_PRAGMA(text) _Pragma(#text)
#define WARPFOLD_UNROLL _Pragma("unroll")
#define WARPFOLD_UNROLL_BY(n) WARPFOLD_PRAGMA(unroll n)
#else
#define WARPFOLD_UNROLL
#define WARPFOLD_UNROLL_BY(n)
#endif

// Complete unrolling of up to 32 turns, by g++ too: it makes vectors of a loop that has none
// inside.
#if !defined(__CUDACC__) && defined(__GNUC__) && !defined(__clang__)
#define WARPFOLD_UNROLL_EVERYWHERE _Pragma("GCC unroll 32")
#else
#define WARPFOLD_UNROLL_EVERYWHERE WARPFOLD_UNROLL
#endif
