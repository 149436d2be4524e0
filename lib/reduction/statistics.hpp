#pragma once
// Descriptive statistics.

#include "door.hpp"
#include "instances.hpp"

#include <warpfold/detail/reduction/description_tally.hpp>

#ifndef __CUDACC__
#include <warpfold/detail/reduction/tally_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class A>
void describe_to(door_place& place, door_span<T const> values, description<A>* result) {
  check_elements("values", values.data(), values.size());
  tally_array(place, values.data(), values.size(),
              description_tally<A, statistic::all>{values.size()}, widened<A, identity>{}, result);
}

template <class T>
void moment_to(door_place& place, door_span<T const> values, moment which, double* result) {
  using A = typename default_accumulator<T>::type;
  check_elements("values", values.data(), values.size());
  tally_array(place, values.data(), values.size(), moment_tally<A>{{values.size()}, which},
              widened<A, identity>{}, result);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void describe_to<T, A>(door_place&, door_span<T const>, description<A>*);               \
  template void moment_to<T>(door_place&, door_span<T const>, moment, double*);                    \
  }
