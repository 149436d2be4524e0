#pragma once
// What the backends of the exact sums provide, the same names on both places. `result` is memory
// that the place can write, of what `form` says.

#include <warpfold/exact.hpp>

#include <span>

namespace warpfold::reduction {

namespace gpu_impl {

template <class T>
void exact_sum(gpu& place, device_span<T const> x, detail::exact_form form, void* result);
template <class T>
void exact_norm2(gpu& place, device_span<T const> x, detail::exact_form form, void* result);
template <class T>
void exact_dot(gpu& place, device_span<T const> x, device_span<T const> y, detail::exact_form form,
               void* result);

} // namespace gpu_impl

namespace host_impl {

template <class T>
void exact_sum(host const& place, std::span<T const> x, detail::exact_form form, void* result);
template <class T>
void exact_norm2(host const& place, std::span<T const> x, detail::exact_form form, void* result);
template <class T>
void exact_dot(host const& place, std::span<T const> x, std::span<T const> y,
               detail::exact_form form, void* result);

} // namespace host_impl

} // namespace warpfold::reduction
