#include "counting_kernels.hpp"
#include <warpfold/detail/core/check.hpp>
#include <warpfold/detail/core/scratch.hpp>

#include <cub/device/device_histogram.cuh>

#include <type_traits>

namespace warpfold::bench {

template <class T>
void cub_histogram32(gpu& place, device_span<T const> values, detail::bins_of<T> const& bins,
                     std::uint32_t* counts) {
  using level = std::conditional_t<std::is_integral_v<T>, int, T>;
  auto const call = [&](void* temporary, std::size_t& bytes) {
    check(::cub::DeviceHistogram::HistogramEven(
        temporary, bytes, values.data(), counts, bins.count + 1, static_cast<level>(bins.lower),
        static_cast<level>(bins.upper), static_cast<int>(values.size()), place.stream()));
  };
  std::size_t bytes = 0;
  call(nullptr, bytes);
  call(warpfold::detail::gpu_scratch(place).workspace(bytes), bytes);
}

template void cub_histogram32(gpu&, device_span<std::uint8_t const>,
                              detail::bins_of<std::uint8_t> const&, std::uint32_t*);
template void cub_histogram32(gpu&, device_span<std::int32_t const>,
                              detail::bins_of<std::int32_t> const&, std::uint32_t*);
template void cub_histogram32(gpu&, device_span<float const>, detail::bins_of<float> const&,
                              std::uint32_t*);

} // namespace warpfold::bench
