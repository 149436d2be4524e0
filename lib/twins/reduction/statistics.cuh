#pragma once
// Statistics on a GPU by cub::DeviceReduce and thrust::transform_reduce. One reduction of all of
// them serves every verb: each takes the compiler seconds.

#include "tally_cub.cuh"

#include <thrust/transform_reduce.h>

namespace warpfold::detail {
namespace {

/// Writes the description, or what is asked for of it.
template <class A>
struct write_statistics {
  full_description<A> tally;
  description<A>* all;
  double* one;
  moment which;
  template <class Index>
  __device__ void operator()(Index, typename full_description<A>::partial const& last) const {
    description<A> const made = tally.finish(last);
    if (all) *all = made;
    if (one) *one = moment_of(made, which);
  }
};

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

} // namespace

template <class T, class A>
void describe_by(twins::vendor twin, gpu& place, device_span<T const> values,
                 description<A>* result, bool blocking) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, true, blocking);
  full_description<A> const tally{values.size()};
  if (twin == twins::fold) describe_to<T>(place, values, result);
  else if (twin == twins::thrust) *result = describe_by_thrust(place, values, tally);
  else
    tally_by_cub(place, values, tally, write_statistics<A>{tally, result, nullptr, {}}, blocking);
}

template <class T>
void moment_by(twins::vendor twin, gpu& place, device_span<T const> values, moment which,
               double* result, bool blocking) {
  using A = typename default_accumulator<T>::type;
  check_elements("values", values.data(), values.size());
  check_vendor(twin, true, blocking);
  full_description<A> const tally{values.size()};
  if (twin == twins::fold) moment_to<T>(place, values, which, result);
  else if (twin == twins::thrust)
    *result = moment_of(describe_by_thrust(place, values, tally), which);
  else
    tally_by_cub(place, values, tally, write_statistics<A>{tally, nullptr, result, which},
                 blocking);
}

} // namespace warpfold::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::detail {                                                                     \
  template void describe_by<T, A>(twins::vendor, gpu&, device_span<T const>, description<A>*,      \
                                  bool);                                                           \
  template void moment_by<T>(twins::vendor, gpu&, device_span<T const>, moment, double*, bool);    \
  }
