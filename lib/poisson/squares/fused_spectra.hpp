#pragma once
// Poisson's equation on two periodic axes in three passes over the data (fused_row_pass.hpp and
// fused_column_pass.hpp), each a template over a block (warpfold/detail/core/cuda_block.cuh or
// test/simt/block.hpp). Here is what lies between them.
//
// Two rows are the real and imaginary part of one line. Its transform is not taken apart: what
// columns x and width - x hold of it are the transforms of both rows, from which a block that has
// both columns makes those of the even and of the odd rows when it divides by the symbol. So what
// lies between the passes has the size of the right-hand side and no column more.
//
// It is ours to order: [line / n][x][line % n], where an element, a pair of numbers, are columns x
// and width - x of a line, and of x = 0 columns 0 and width / 2, which each are their own
// counterpart. The n lines beside each other make pieces of some 32-byte sectors for columns.

#include <warpfold/detail/core/block.hpp>

#include "poisson/engine/stages.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

template <class T>
struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) complex_pair {
  complex<T> first, second;
};

/// Past the first cache, which would have no more use for it.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> load_past(complex<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) {
    auto const v = __ldcg(reinterpret_cast<float2 const*>(from));
    return {v.x, v.y};
  } else {
    auto const v = __ldcg(reinterpret_cast<double2 const*>(from));
    return {v.x, v.y};
  }
#else
  return *from;
#endif
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T> load_pair(complex_pair<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) {
    auto const v = __ldcg(reinterpret_cast<float4 const*>(from));
    return {{v.x, v.y}, {v.z, v.w}};
  }
#endif
  return {load_past(&from->first), load_past(&from->second)};
}

} // namespace warpfold::inline v0::poisson
