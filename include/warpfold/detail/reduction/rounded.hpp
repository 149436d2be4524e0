#pragma once
// Doubles whose every operation is rounded on its own, on the host and on a GPU alike.

#include <warpfold/detail/core/macros.hpp>

namespace warpfold::inline v0::detail {

/// A double that no compiler merges into a fused multiply-add (host code: -ffp-contract=off).
struct rounded {
  double value = 0;

#ifdef __CUDA_ARCH__
  friend __device__ rounded operator+(rounded a, rounded b) {
    return {__dadd_rn(a.value, b.value)};
  }
  friend __device__ rounded operator-(rounded a, rounded b) {
    return {__dadd_rn(a.value, -b.value)};
  }
  friend __device__ rounded operator*(rounded a, rounded b) {
    return {__dmul_rn(a.value, b.value)};
  }
  friend __device__ rounded operator/(rounded a, rounded b) {
    return {__ddiv_rn(a.value, b.value)};
  }
#else
  friend WARPFOLD_HOST_DEVICE rounded operator+(rounded a, rounded b) {
    return {a.value + b.value};
  }
  friend WARPFOLD_HOST_DEVICE rounded operator-(rounded a, rounded b) {
    return {a.value - b.value};
  }
  friend WARPFOLD_HOST_DEVICE rounded operator*(rounded a, rounded b) {
    return {a.value * b.value};
  }
  friend WARPFOLD_HOST_DEVICE rounded operator/(rounded a, rounded b) {
    return {a.value / b.value};
  }
#endif
};

} // namespace warpfold::inline v0::detail
