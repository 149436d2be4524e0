#pragma once
// Searches for extrema on a GPU by thrust::min_element and minmax_element. Tests call them, and
// nothing times them: they are compiled fast.

#include "instances.hpp"
#include "tallies.hpp"
#include "twins/call.cuh"

#include <thrust/extrema.h>
#include <thrust/transform_reduce.h>

#include <concepts>

namespace warpfold::inline v0::detail {
namespace {

/// What stands at an address of the GPU's memory.
template <class T>
T value_at(gpu const& place, T const* address) {
  device_guard const current{place.device()};
  T value;
  check(cudaMemcpyAsync(&value, address, sizeof(T), cudaMemcpyDeviceToHost, place.stream()));
  place.synchronize();
  return value;
}

} // namespace

template <class Op, class A, class T>
extremum<A> find_by_thrust(gpu& place, device_span<T const> values) {
  T const* const first = values.data();
  T const* const found = call_thrust(place, [&](auto const& policy) {
    return ::thrust::min_element(policy, first, first + values.size(), order_for<A>(Op{}));
  });
  return found_at<A, Op>(value_at(place, found), static_cast<std::uint64_t>(found - first),
                         values.size());
}

template <nan_policy Nan, class A, class T>
min_max<A> min_max_by_thrust(gpu& place, device_span<T const> values) {
  T const* const first = values.data();
  if constexpr (std::integral<T>) {
    auto const found = call_thrust(place, [&](auto const& policy) {
      return ::thrust::minmax_element(policy, first, first + values.size());
    });
    return {value_at(place, found.first), value_at(place, found.second)};
  } else {
    // No order puts NaN first for both, or nowhere.
    return call_thrust(place, [&](auto const& policy) {
      return ::thrust::transform_reduce(policy, first, first + values.size(), both_extrema<A>{},
                                        min_max_of_nothing<A>, min_max_op<Nan>{});
    });
  }
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Nan)                                                                     \
  namespace warpfold::inline v0::detail {                                                          \
  template extremum<A> find_by_thrust<minimum<Nan>, A, T>(gpu&, device_span<T const>);             \
  template extremum<A> find_by_thrust<maximum<Nan>, A, T>(gpu&, device_span<T const>);             \
  template min_max<A> min_max_by_thrust<Nan, A, T>(gpu&, device_span<T const>);                    \
  }
