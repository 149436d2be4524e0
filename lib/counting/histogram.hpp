#pragma once
// Histograms on a host.

#include "checks.hpp"
#include "instances.hpp"

#include <warpfold/detail/counting/counting_host.hpp>

namespace warpfold::inline v0::detail {

template <class T>
void histogram_to(host const& place, std::span<T const> values, bins_of<T> const& bins,
                  std::span<std::uint64_t> counts) {
  check_histogram<T>(values.data(), values.size(), bins, counts.data(), counts.size());
  histogram_host(place.threads(), values.data(), values.size(), bin_function<T>(bins), bins.count,
                 counts.data());
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void histogram_to<T>(host const&, std::span<T const>, bins_of<T> const&,                \
                                std::span<std::uint64_t>);                                         \
  }
