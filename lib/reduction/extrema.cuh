#pragma once
// Searches for extrema on a GPU.

#include "instances.hpp"

#include <warpfold/detail/reduction/extremum_tally.hpp>
#include <warpfold/detail/reduction/tally.cuh>

#include <type_traits>

namespace warpfold::inline v0::detail {

template <class T, class Op, class A>
void find_to(gpu& place, device_span<T const> values, extremum<A>* result) {
  check_elements("values", values.data(), values.size());
  tally_array(place, values.data(), values.size(), extremum_tally<A, Op>{values.size()},
              widened<A, identity>{}, result);
}

template <class T, nan_policy Nan, class A>
void min_max_to(gpu& place, device_span<T const> values, min_max<A>* result) {
  check_elements("values", values.data(), values.size());
  auto const fold = [&]<class Tuning>(Tuning, auto op, auto both) {
    fold_array<Tuning>(place, values.data(), values.size(), min_max_of_nothing<A>, op, both,
                       result);
  };
  // More rows in flight fill the registers of two blocks a multiprocessor, an even number, where
  // three would fit otherwise; see docs/numerics.md. Halves would spill.
  using tuning =
      std::conditional_t<sizeof(T) == 4 || std::is_same_v<T, double>, wide_tuning, fold_tuning>;
  if constexpr (std::is_same_v<T, double>)
    fold(tuning{}, keyed_min_max_op<Nan>{}, keys_of_both<Nan>{});
  else fold(tuning{}, min_max_op<Nan>{}, both_extrema<A>{});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Nan)                                                                     \
  namespace warpfold::inline v0::detail {                                                          \
  template void find_to<T, minimum<Nan>, A>(gpu&, device_span<T const>, extremum<A>*);             \
  template void find_to<T, maximum<Nan>, A>(gpu&, device_span<T const>, extremum<A>*);             \
  template void min_max_to<T, Nan, A>(gpu&, device_span<T const>, min_max<A>*);                    \
  }
