// Histograms and compactions on a GPU by cub::DeviceHistogram::HistogramEven and
// cub::DeviceSelect::If.

#include "counting/checks.hpp"
#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_select.cuh>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {
namespace {

/// CUB 3.0 (CUDA 13.0) works on 2^31 - 1 elements at a time. Where it selected almost all of so
/// many, it wrote outside of the output (NVIDIA H200, 2026-11-21; in a program of its own too).
constexpr std::size_t most_for_cub = (std::size_t{1} << 31) - (std::size_t{1} << 16);

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

template <class T, class Predicate>
void compact_to(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
                std::uint64_t* count, twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  if (twin == twins::fold) return compact_to(place, values, predicate, output, count, blocking);
  check_has_thrust(twin, false); // on a gpu thrust::copy_if is cub
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  if (values.size() > most_for_cub)
    refuse("twin", text("cub for ", values.size(), " elements"),
           text("cub for up to ", most_for_cub));
  check_room(values.size(), output.size(), twin);
  call_cub(place, blocking, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceSelect::If(temporary, bytes, values.data(), output.data(), count,
                                   static_cast<std::int64_t>(values.size()), predicate,
                                   place.stream());
  });
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void compact_to<T, Predicate>(gpu&, device_span<T const>, Predicate, device_span<T>,    \
                                         std::uint64_t*, twins::vendor, bool);
WARPFOLD_COMPARED_SELECTIONS(INSTANTIATE)
#undef INSTANTIATE

template <class T>
void histogram_to(gpu& place, device_span<T const> values, bins_of<T> const& bins,
                  device_span<std::uint64_t> counts, twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  if (twin == twins::fold) return histogram_to<T>(place, values, bins, counts);
  check_has_thrust(twin, false);
  check_histogram<T>(values.data(), values.size(), bins, counts.data(), counts.size());
  if constexpr (std::floating_point<T>)
    if (bin_function<T>(bins).unbounded(std::nextafter(bins.upper, bins.lower)) >= bins.count)
      refuse("twin",
             text("cub, which counts the element below ", bins.upper, " behind the last bin"),
             "fold");
  histogram_by_cub<T>(place, values, bins, counts.data(), blocking);
}

#define INSTANTIATE(T)                                                                             \
  template void histogram_to<T>(gpu&, device_span<T const>, bins_of<T> const&,                     \
                                device_span<std::uint64_t>, twins::vendor, bool);
WARPFOLD_COMPARED_HISTOGRAMS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
