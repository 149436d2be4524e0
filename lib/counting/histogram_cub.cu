// The vendor twin of histograms on the GPU: cub::DeviceHistogram::HistogramEven.

#include "../core/vendor_call.cuh"
#include "histogram_backend.hpp"

#include <cub/device/device_histogram.cuh>

#include <type_traits>

namespace warpfold::counting::gpu_impl {

template <class T>
void cub_histogram(gpu& place, device_span<T const> values, detail::bins_of<T> const& bins,
                   std::uint64_t* counts, bool may_allocate) {
  using level = std::conditional_t<std::is_same_v<T, std::uint8_t>, int, decltype(bins.lower)>;
  detail::call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceHistogram::HistogramEven(
        temporary, bytes, values.data(), reinterpret_cast<unsigned long long*>(counts),
        bins.count + 1, static_cast<level>(bins.lower), static_cast<level>(bins.upper),
        static_cast<std::int64_t>(values.size()), place.stream());
  });
}

#define INSTANTIATE(T)                                                                             \
  template void cub_histogram<T>(gpu&, device_span<T const>, detail::bins_of<T> const&,            \
                                 std::uint64_t*, bool);
WARPFOLD_FOR_EACH_BINNED(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
