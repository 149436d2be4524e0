#pragma once
// Descriptive statistics on a host.

#include "instances.hpp"

#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/tally_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class A>
void describe_to(host const& place, std::span<T const> values, description<A>* result) {
  check_elements("values", values.data(), values.size());
  *result = tally_host(place.threads(), values.data(), values.size(),
                       description_tally<A, statistic::all>{values.size()}, widened<A, identity>{});
}

template <class T>
void moment_to(host const& place, std::span<T const> values, moment which, double* result) {
  using A = typename default_accumulator<T>::type;
  check_elements("values", values.data(), values.size());
  *result = tally_host(place.threads(), values.data(), values.size(),
                       moment_tally<A>{{values.size()}, which}, widened<A, identity>{});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void describe_to<T, A>(host const&, std::span<T const>, description<A>*);               \
  template void moment_to<T>(host const&, std::span<T const>, moment, double*);                    \
  }
