// The vendor twins of the statistics on the GPU: thrust::transform_reduce.

#include "../core/vendor_call.cuh"
#include "tally_instances.hpp"
#include "tally_vendor.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

namespace warpfold::reduction::gpu_impl {

template <class T, class A>
description<A> describe_thrust(gpu& place, device_span<T const> values, full_description<A> tally) {
  auto const first = ::thrust::make_counting_iterator(std::int64_t{0});
  auto const size = static_cast<std::int64_t>(values.size());
  return tally.finish(detail::call_thrust(place, [&](auto const& policy) {
    return ::thrust::transform_reduce(policy, first, first + size,
                                      partial_at<T, full_description<A>>{values.data()},
                                      tally.nothing(), tally);
  }));
}
template <class T, class A>
double describe_thrust(gpu& place, device_span<T const> values, detail::moment_tally<A> tally) {
  return detail::moment_of(describe_thrust(place, values, full_description<A>{tally.size}),
                           tally.which);
}

template <class T, class Tally>
typename Tally::result tally_thrust(gpu& place, device_span<T const> values, Tally tally) {
  return describe_thrust(place, values, tally);
}

#define INSTANTIATE(T, A)                                                                          \
  template description<A> tally_thrust(gpu&, device_span<T const>, full_description<A>);           \
  template double tally_thrust(gpu&, device_span<T const>, detail::moment_tally<A>);
WARPFOLD_FOR_EACH_ELEMENT(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
