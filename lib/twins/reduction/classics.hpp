#pragma once
// The ladder and the halving fold: sums of at least one element, in the default accumulator.

#include <warpfold/reduction.hpp>
#include <warpfold/twins/tags.hpp>

#include <span>

namespace warpfold::inline v0::detail {

/// Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class T, class A>
void sum_by_classic(twins::reducer const& twin, gpu& place, device_span<T const> values, A init,
                    A* result, bool may_allocate);

/// The additions of the rung's threads in their order: the same bits as on a GPU.
template <class T, class A>
A sum_by_classic(twins::reducer const& twin, host const& place, std::span<T const> values, A init);

} // namespace warpfold::inline v0::detail
