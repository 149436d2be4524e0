#pragma once
// Statistics on a GPU by thrust::transform_reduce. Tests call them, and nothing times them: they
// are compiled fast.

#include "instances.hpp"
#include "tallies.hpp"
#include "twins/call.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

namespace warpfold::inline v0::detail {

template <class T, class A>
description<A> describe_by_thrust(gpu& place, device_span<T const> values,
                                  full_description<A> tally) {
  auto const first = ::thrust::make_counting_iterator(std::int64_t{0});
  auto const size = static_cast<std::int64_t>(values.size());
  return tally.finish(call_thrust(place, [&](auto const& policy) {
    return ::thrust::transform_reduce(policy, first, first + size,
                                      partial_at<T, full_description<A>>{values.data()},
                                      tally.nothing(), tally);
  }));
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template description<A> describe_by_thrust(gpu&, device_span<T const>, full_description<A>);     \
  }
