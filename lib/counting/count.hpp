#pragma once
// Counting.

#include "instances.hpp"
#include "reduction/door.hpp"

#include <warpfold/detail/reduction/fold_tuning.hpp>

#include <type_traits>

#ifndef __CUDACC__
#include <warpfold/detail/counting/counting_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
void count_to(door_place& place, door_span<T const> values, Predicate predicate,
              count_answer const& answer) {
  check_elements("values", values.data(), values.size());
  using tuning = std::conditional_t<sizeof(T) == 4, count_tuning, fold_tuning>;
  count_array<tuning>(place, values.data(), values.size(), predicate, answer);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Predicate)                                                                  \
  namespace warpfold::inline v0::detail {                                                          \
  template void count_to<T, Predicate>(door_place&, door_span<T const>, Predicate,                 \
                                       count_answer const&);                                       \
  }
