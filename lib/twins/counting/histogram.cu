// Histograms on a GPU by cub::DeviceHistogram::HistogramEven.

#include "checks.hpp"
#include "counting/checks.hpp"
#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/error.hpp>

#include <cub/device/device_histogram.cuh>

#include <cmath>
#include <string>
#include <type_traits>

namespace warpfold::inline v0::detail {
namespace {

template <class T>
void histogram_by_cub(gpu& place, device_span<T const> values, bins_of<T> const& bins,
                      std::uint64_t* counts, bool may_allocate) {
  using level = std::conditional_t<std::is_same_v<T, std::uint8_t>, int, decltype(bins.lower)>;
  call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceHistogram::HistogramEven(
        temporary, bytes, values.data(), reinterpret_cast<unsigned long long*>(counts),
        bins.count + 1, static_cast<level>(bins.lower), static_cast<level>(bins.upper),
        static_cast<std::int64_t>(values.size()), place.stream());
  });
}

} // namespace

template <class T>
void histogram_to(gpu& place, device_span<T const> values, bins_of<T> const& bins,
                  device_span<std::uint64_t> counts, twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  if (twin == twins::fold) return histogram_to<T>(place, values, bins, counts);
  check_no_thrust(twin);
  check_histogram<T>(values.data(), values.size(), bins, counts.data(), counts.size());
  if constexpr (std::floating_point<T>)
    if (bin_function<T>(bins).unbounded(std::nextafter(bins.upper, bins.lower)) >= bins.count)
      throw argument_error("twin", "cub would count the element below " +
                                       std::to_string(bins.upper) + " behind the last bin");
  histogram_by_cub<T>(place, values, bins, counts.data(), blocking);
}

#define INSTANTIATE(T)                                                                             \
  template void histogram_to<T>(gpu&, device_span<T const>, bins_of<T> const&,                     \
                                device_span<std::uint64_t>, twins::vendor, bool);
WARPFOLD_COMPARED_HISTOGRAMS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
