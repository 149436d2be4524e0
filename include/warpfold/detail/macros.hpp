#pragma once
// What a header needs to be read by nvcc and by a plain C++ compiler alike.

#ifdef __CUDACC__
#define WARPFOLD_HOST_DEVICE __host__ __device__
#else
#define WARPFOLD_HOST_DEVICE
#endif

#if defined(__CUDA_ARCH__)
#define WARPFOLD_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define WARPFOLD_UNROLL // nvcc's host side knows neither spelling
#else
#define WARPFOLD_UNROLL _Pragma("GCC unroll 16")
#endif
