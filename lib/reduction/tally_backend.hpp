#pragma once
// What the backends of the extrema and statistics provide: for both places, every method, and every
// built-in element. A Tally names what is computed: extremum_tally, description_tally or
// moment_tally. `result` is memory that the place can write.

#include <warpfold/detail/description_tally.hpp>
#include <warpfold/detail/extremum_tally.hpp>

#include <cstddef>
#include <span>

namespace warpfold::reduction {

namespace gpu_impl {

template <class T, class Tally>
void tally_fold(gpu& place, device_span<T const> values, Tally tally,
                typename Tally::result* result);
/// Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class T, class Tally>
void tally_cub(gpu& place, device_span<T const> values, Tally tally, typename Tally::result* result,
               bool may_allocate);
/// Blocks.
template <class T, class Tally>
typename Tally::result tally_thrust(gpu& place, device_span<T const> values, Tally tally);

template <class T, nan_policy Nan, class A>
void min_max_fold(gpu& place, device_span<T const> values, min_max<A>* result);
template <class T, nan_policy Nan, class A>
void min_max_cub(gpu& place, device_span<T const> values, min_max<A>* result, bool may_allocate);
template <class T, nan_policy Nan, class A>
min_max<A> min_max_thrust(gpu& place, device_span<T const> values);

} // namespace gpu_impl

namespace host_impl {

template <class T, class Tally>
typename Tally::result tally_fold(host const& place, std::span<T const> values, Tally tally);
template <class T, class Tally>
typename Tally::result tally_thrust(host const& place, std::span<T const> values, Tally tally);

template <class T, nan_policy Nan, class A>
min_max<A> min_max_fold(host const& place, std::span<T const> values);
template <class T, nan_policy Nan, class A>
min_max<A> min_max_thrust(host const& place, std::span<T const> values);

} // namespace host_impl

} // namespace warpfold::reduction
