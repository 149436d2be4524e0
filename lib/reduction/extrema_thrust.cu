// The vendor twins of the extrema on the GPU: thrust::min_element and minmax_element.

#include "../core/vendor_call.cuh"
#include "tally_instances.hpp"
#include "tally_vendor.hpp"

#include <thrust/extrema.h>
#include <thrust/transform_reduce.h>

namespace warpfold::reduction::gpu_impl {
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

template <class T, class A, class Op>
extremum<A> find_thrust(gpu& place, device_span<T const> values,
                        detail::extremum_tally<A, Op> tally) {
  if (values.empty()) return tally.finish(tally.nothing());
  T const* const first = values.data();
  T const* const found = detail::call_thrust(place, [&](auto const& policy) {
    return ::thrust::min_element(policy, first, first + values.size(), order_for<A>(Op{}));
  });
  return found_at<A, Op>(value_at(place, found), static_cast<std::uint64_t>(found - first),
                         values.size());
}

template <class T, class Tally>
typename Tally::result tally_thrust(gpu& place, device_span<T const> values, Tally tally) {
  return find_thrust(place, values, tally);
}

template <class T, nan_policy Nan, class A>
min_max<A> min_max_thrust(gpu& place, device_span<T const> values) {
  T const* const first = values.data();
  if (values.empty()) return detail::min_max_of_nothing<A>;
  if constexpr (std::integral<T>) {
    auto const found = detail::call_thrust(place, [&](auto const& policy) {
      return ::thrust::minmax_element(policy, first, first + values.size());
    });
    return {value_at(place, found.first), value_at(place, found.second)};
  } else {
    // No order puts NaN first for both, or nowhere.
    return detail::call_thrust(place, [&](auto const& policy) {
      return ::thrust::transform_reduce(policy, first, first + values.size(),
                                        detail::both_extrema<A>{}, detail::min_max_of_nothing<A>,
                                        detail::min_max_op<Nan>{});
    });
  }
}

#define INSTANTIATE(T, Op, A)                                                                      \
  template extremum<A> tally_thrust(gpu&, device_span<T const>, detail::extremum_tally<A, Op>);
WARPFOLD_FOR_EACH_SOUGHT(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, Nan, A)                                                                     \
  template min_max<A> min_max_thrust<T, Nan, A>(gpu&, device_span<T const>);
WARPFOLD_FOR_EACH_MIN_MAX(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
