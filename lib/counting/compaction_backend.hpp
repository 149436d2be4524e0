#pragma once
// What the backends of compaction provide; see backend.hpp.

#include <warpfold/compaction.hpp>

#include <span>

namespace warpfold::counting {

namespace gpu_impl {

/// Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class T, class Predicate>
void compact(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
             std::uint64_t* count, bool may_allocate);

/// The same; the output has room for all values.
template <class T, class Predicate>
void cub_select(gpu& place, device_span<T const> values, Predicate predicate, T* output,
                std::uint64_t* count, bool may_allocate);

} // namespace gpu_impl

namespace host_impl {

template <class T, class Predicate>
void compact(host const& place, std::span<T const> values, Predicate predicate, std::span<T> output,
             std::uint64_t* count);

/// The output has room for all values.
template <class T, class Predicate>
void thrust_copy_if(host const& place, std::span<T const> values, Predicate predicate, T* output,
                    std::uint64_t* count);

} // namespace host_impl

} // namespace warpfold::counting
