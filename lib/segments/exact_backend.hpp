#pragma once
// What the backends of the exact sums of segments provide.

#include <warpfold/detail/exact_segments_body.hpp>
#include <warpfold/exact_segments.hpp>

#include <cstddef>

namespace warpfold::segments {

namespace gpu_impl {
template <class T, class A>
void exact(gpu& place, T const* values, std::size_t size, detail::segment_list segments, A* results,
           bool may_allocate);
} // namespace gpu_impl

namespace host_impl {
template <class T, class A>
void exact(host const& place, T const* values, detail::segment_list segments, A* results);
} // namespace host_impl

} // namespace warpfold::segments
