#pragma once
// Counting on a host.

#include "instances.hpp"

#include <warpfold/detail/counting/counting_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
void count_to(host const& place, std::span<T const> values, Predicate predicate,
              count_answer const& answer) {
  check_elements("values", values.data(), values.size());
  answer(count_host(place.threads(), values.data(), values.size(), predicate));
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Predicate)                                                                  \
  namespace warpfold::inline v0::detail {                                                          \
  template void count_to<T, Predicate>(host const&, std::span<T const>, Predicate,                 \
                                       count_answer const&);                                       \
  }
