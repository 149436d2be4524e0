#pragma once
// Searches for extrema.

#include "door.hpp"
#include "instances.hpp"

#include <warpfold/detail/reduction/extremum_tally.hpp>
#include <warpfold/detail/reduction/fold_tuning.hpp>

#include <type_traits>

#ifndef __CUDACC__
#include <warpfold/detail/reduction/tally_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class Op, class A>
void find_to(door_place& place, door_span<T const> values, extremum<A>* result) {
  check_elements("values", values.data(), values.size());
  tally_array(place, values.data(), values.size(), extremum_tally<A, Op>{values.size()},
              widened<A, identity>{}, result);
}

template <class T, nan_policy Nan, class A>
void min_max_to(door_place& place, door_span<T const> values, min_max<A>* result) {
  check_elements("values", values.data(), values.size());
  // More rows in flight fill the registers of two blocks a multiprocessor, an even number, where
  // three would fit otherwise; see docs/numerics.md. Halves would spill.
  using tuning =
      std::conditional_t<sizeof(T) == 4 || std::is_same_v<T, double>, wide_tuning, fold_tuning>;
  auto const fold = [&](auto op, auto both) {
    fold_array<tuning>(place, values.data(), values.size(), min_max_of_nothing<A>, op, both,
                       result);
  };
  if constexpr (is_gpu<door_place> && std::is_same_v<T, double>)
    fold(keyed_min_max_op<Nan>{}, keys_of_both<Nan>{});
  else fold(min_max_op<Nan>{}, both_extrema<A>{});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Nan)                                                                     \
  namespace warpfold::inline v0::detail {                                                          \
  template void find_to<T, minimum<Nan>, A>(door_place&, door_span<T const>, extremum<A>*);        \
  template void find_to<T, maximum<Nan>, A>(door_place&, door_span<T const>, extremum<A>*);        \
  template void min_max_to<T, Nan, A>(door_place&, door_span<T const>, min_max<A>*);               \
  }
