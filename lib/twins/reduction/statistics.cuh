#pragma once
// Statistics on a GPU by cub::DeviceReduce; Thrust's are in statistics_thrust.cuh. One reduction of
// all of them serves every verb: each takes the compiler seconds.

#include "instances.hpp"
#include "tally_cub.cuh"

namespace warpfold::inline v0::detail {
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

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void describe_by<T, A>(twins::vendor, gpu&, device_span<T const>, description<A>*,      \
                                  bool);                                                           \
  template void moment_by<T>(twins::vendor, gpu&, device_span<T const>, moment, double*, bool);    \
  }
