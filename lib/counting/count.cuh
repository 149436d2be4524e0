#pragma once
// Counting on a GPU.

#include "instances.hpp"

#include <warpfold/detail/counting/count.cuh>

#include <type_traits>

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
void count_to(gpu& place, device_span<T const> values, Predicate predicate,
              count_answer const& answer) {
  check_elements("values", values.data(), values.size());
  using tuning = std::conditional_t<sizeof(T) == 4, count_tuning, fold_tuning>;
  launch_count<tuning>(place, values.data(), values.size(), predicate, answer);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Predicate)                                                                  \
  namespace warpfold::inline v0::detail {                                                          \
  template void count_to<T, Predicate>(gpu&, device_span<T const>, Predicate,                      \
                                       count_answer const&);                                       \
  }
