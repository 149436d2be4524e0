#pragma once
// What the backends of measures and dot products provide. The same names on both places; which
// combinations exist is said by instances.hpp. `result` is memory that the place can write.

#include <warpfold/norms.hpp>

#include <cstddef>
#include <span>

namespace warpfold::norms {

/// A transformed element as the accumulator, for the vendors.
template <class A, class Transform>
struct as_accumulator {
  Transform transform{};
  template <class... Elements>
  WARPFOLD_HOST_DEVICE A operator()(Elements... x) const {
    return A(transform(x...));
  }
};

namespace gpu_impl {

template <class T, class Measure>
void fold(gpu& place, device_span<T const> values, typename Measure::result* result);
template <class T, class A>
void fold_dot(gpu& place, device_span<T const> x, device_span<T const> y, A* result);

/// Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class T, class Measure>
void cub(gpu& place, device_span<T const> values, typename Measure::result* result,
         bool may_allocate);
template <class T, class A>
void cub_dot(gpu& place, device_span<T const> x, device_span<T const> y, A* result,
             bool may_allocate);

/// Blocks.
template <class T, class Measure>
typename Measure::result thrust(gpu& place, device_span<T const> values);
template <class T, class A>
A thrust_dot(gpu& place, device_span<T const> x, device_span<T const> y);

} // namespace gpu_impl

namespace host_impl {

template <class T, class Measure>
typename Measure::result fold(host const& place, std::span<T const> values);
template <class T, class A>
A fold_dot(host const& place, std::span<T const> x, std::span<T const> y);

template <class T, class Measure>
typename Measure::result thrust(host const& place, std::span<T const> values);
template <class T, class A>
A thrust_dot(host const& place, std::span<T const> x, std::span<T const> y);

} // namespace host_impl

} // namespace warpfold::norms
