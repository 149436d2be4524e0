#pragma once
// Norms and compensated sums on a host.

#include "instances.hpp"

#include <warpfold/detail/reduction/fold_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class Measure>
void measure_to(host const& place, std::span<T const> values, typename Measure::result* result) {
  check_elements("values", values.data(), values.size());
  using A = typename Measure::accumulator;
  auto const finish = Measure::finish(fold_shape_of<T>(values.size(), sizeof(A)));
  *result = finish(fold_host(place.threads(), values.data(), values.size(), A{},
                             typename Measure::op{}, typename Measure::transform{}));
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Measure)                                                                    \
  namespace warpfold::inline v0::detail {                                                          \
  template void measure_to<T, Measure>(host const&, std::span<T const>, Measure::result*);         \
  }
