#pragma once
// Histograms on a GPU.

#include "checks.hpp"
#include "instances.hpp"

#include <warpfold/detail/counting/histogram.cuh>

namespace warpfold::inline v0::detail {

template <class T>
void histogram_to(gpu& place, device_span<T const> values, bins_of<T> const& bins,
                  device_span<std::uint64_t> counts) {
  check_histogram<T>(values.data(), values.size(), bins, counts.data(), counts.size());
  histogram_of(place, values.data(), values.size(), bin_function<T>(bins), bins.count,
               counts.data());
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void histogram_to<T>(gpu&, device_span<T const>, bins_of<T> const&,                     \
                                device_span<std::uint64_t>);                                       \
  }
