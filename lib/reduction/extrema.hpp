#pragma once
// Searches for extrema on a host.

#include "instances.hpp"

#include <warpfold/detail/reduction/extremum_tally.hpp>
#include <warpfold/detail/reduction/tally_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class Op, class A>
void find_to(host const& place, std::span<T const> values, extremum<A>* result) {
  check_elements("values", values.data(), values.size());
  *result = tally_host(place.threads(), values.data(), values.size(),
                       extremum_tally<A, Op>{values.size()}, widened<A, identity>{});
}

template <class T, nan_policy Nan, class A>
void min_max_to(host const& place, std::span<T const> values, min_max<A>* result) {
  check_elements("values", values.data(), values.size());
  *result = fold_host(place.threads(), values.data(), values.size(), min_max_of_nothing<A>,
                      min_max_op<Nan>{}, both_extrema<A>{});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Nan)                                                                     \
  namespace warpfold::inline v0::detail {                                                          \
  template void find_to<T, minimum<Nan>, A>(host const&, std::span<T const>, extremum<A>*);        \
  template void find_to<T, maximum<Nan>, A>(host const&, std::span<T const>, extremum<A>*);        \
  template void min_max_to<T, Nan, A>(host const&, std::span<T const>, min_max<A>*);               \
  }
