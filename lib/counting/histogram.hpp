#pragma once
// Histograms.

#include "checks.hpp"
#include "instances.hpp"
#include "reduction/door.hpp"

#ifndef __CUDACC__
#include <warpfold/detail/counting/counting_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T>
void histogram_to(door_place& place, door_span<T const> values, bins_of<T> const& bins,
                  door_span<std::uint64_t> counts) {
  check_histogram<T>(values.data(), values.size(), bins, counts.data(), counts.size());
  histogram_array(place, values.data(), values.size(), bin_function<T>(bins), bins.count,
                  counts.data());
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void histogram_to<T>(door_place&, door_span<T const>, bins_of<T> const&,                \
                                door_span<std::uint64_t>);                                         \
  }
