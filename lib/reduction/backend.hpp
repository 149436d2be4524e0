#pragma once
// What the backends of the reductions provide. The same names on both places; which combinations
// exist is said by instances.hpp. `result` is memory that the place can write.

#include <warpfold/reduction.hpp>

#include <cstddef>
#include <span>

namespace warpfold::reduction {

namespace gpu_impl {

template <class T, class A, class Op, class Transform>
void fold(gpu& place, device_span<T const> values, A init, A* result);

/// Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class T, class A, class Op, class Transform>
void cub(gpu& place, device_span<T const> values, A init, A* result, bool may_allocate);

/// Blocks.
template <class T, class A, class Op, class Transform>
A thrust(gpu& place, device_span<T const> values, A init);

/// A rung of the ladder, or the halving fold.
template <class T, class A>
void ladder(gpu& place, device_span<T const> values, A init, A* result, bool may_allocate,
            method rung, int block_threads);

} // namespace gpu_impl

namespace host_impl {

template <class T, class A, class Op, class Transform>
A fold(host const& place, std::span<T const> values, A init);

template <class T, class A, class Op, class Transform>
A thrust(host const& place, std::span<T const> values, A init);

/// The additions of the rung's threads in their order: the same bits as on the GPU.
template <class T, class A>
A ladder(host const& place, std::span<T const> values, A init, method rung, int block_threads);

} // namespace host_impl

} // namespace warpfold::reduction
