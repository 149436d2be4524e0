#pragma once
// Sums by index.

#include "checks.hpp"
#include "instances.hpp"
#include "reduction/door.hpp"

#ifndef __CUDACC__
#include <warpfold/detail/scatter/scatter_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class Index>
scatter_status scatter_to(door_place& place, scatter_input<T, Index> const& input,
                          scatter_bound const* bound, door_span<T> results, scatter_status* status,
                          scatter_options const& options) {
  check_scatter(input, bound, results.data(), status, options);
  return scatter_array(place, input, bound, results.data(), status, options);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Index)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  template scatter_status scatter_to<T, Index>(door_place&, scatter_input<T, Index> const&,        \
                                               scatter_bound const*, door_span<T>,                 \
                                               scatter_status*, scatter_options const&);           \
  }
