#pragma once
// What the backends of counting provide. The same names on both places; which combinations exist is
// said by instances.hpp. The answer goes to memory that the place can write.

#include <warpfold/counting.hpp>

#include <span>

namespace warpfold::counting {

namespace gpu_impl {

template <class T, class Predicate>
void fold(gpu& place, device_span<T const> values, Predicate predicate,
          detail::count_answer const& answer);

/// Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class T, class Predicate>
void cub(gpu& place, device_span<T const> values, Predicate predicate,
         detail::count_answer const& answer, bool may_allocate);

/// Blocks.
template <class T, class Predicate>
void thrust(gpu& place, device_span<T const> values, Predicate predicate,
            detail::count_answer const& answer);

} // namespace gpu_impl

namespace host_impl {

template <class T, class Predicate>
void fold(host const& place, std::span<T const> values, Predicate predicate,
          detail::count_answer const& answer);

template <class T, class Predicate>
void thrust(host const& place, std::span<T const> values, Predicate predicate,
            detail::count_answer const& answer);

} // namespace host_impl

} // namespace warpfold::counting
