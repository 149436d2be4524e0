#pragma once
// Sums by index in kernels of your own, which do not depend on the order of additions.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/scatter/fixed_point_sums.hpp>
#include <warpfold/scatter.hpp>

namespace warpfold::inline v0 {

/// Sums of T's, float or double, by bin, that the threads of any number of kernels add to: the
/// integers of <warpfold/scatter.hpp>, so that they have the bits of scatter_sum with the same
/// bound. Trivially copyable: a kernel takes it by value.
///
///   __global__ void deposit(fixed_point_sums<float> sums, ...) { // a stencil: cloud in cell
///     ... for (int k = 0; k < 4; ++k) sums.add(node[k], share[k]);
///   }
///   __global__ void finish(fixed_point_sums<float> sums, float* results) { // in a later kernel
///     ... results[bin] = sums.sum(bin);
///   }
///
/// Words       words_of_bin std::uint64_t's a bin in GPU memory, 0 before. Those of several GPUs or
///             ranks, added word by word modulo 2^64, are the words of all values together:
///             with Wide of 2^32 - 1 values at most.
/// Costs       one atomic addition of 64 bits a value, with Wide up to two; no shared memory.
/// Memory      additions are atomic, relaxed, of device scope; they order nothing.
/// Code compiled with -ftz=true (or -use_fast_math) may take subnormal floats for 0.
/// @tparam Wide  as scatter_options::wide
/// @tparam Block what threads know of each other: on a GPU there is no need for another
template <class T, bool Wide = false, detail::thread_block Block = detail::cuda_block>
class fixed_point_sums;

} // namespace warpfold::inline v0
