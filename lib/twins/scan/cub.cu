// Scans on a GPU by cub::DeviceScan.

#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <cub/device/device_scan.cuh>

#include <cstdint>
#include <limits>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op>
void scan_to(gpu& place, device_span<T const> values, scan_start<A> start, device_span<A> results,
             twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  check_has_thrust(twin, false); // on a gpu thrust's scans are cub's
  if (twin == twins::fold) return scan_to<T, A, Op>(place, values, start, results, blocking);
  check_elements("values", values.data(), values.size());
  check_scan(values.data(), values.size(), results.data(), results.size());
  auto const size = static_cast<std::int64_t>(values.size());
  typename known_operator<Op>::type const op{};
  call_cub(place, blocking, [&](void* temporary, std::size_t& bytes) {
    if (start.is_exclusive)
      return ::cub::DeviceScan::ExclusiveScan(temporary, bytes, values.data(), results.data(), op,
                                              start.init, size, place.stream());
    return ::cub::DeviceScan::InclusiveScan(temporary, bytes, values.data(), results.data(), op,
                                            size, place.stream());
  });
}

template <class T>
void scan_by_key_of_vendor(gpu& place, std::int32_t const* keys, device_span<T const> values,
                           scan_start<T> start, T* results, twins::vendor, bool blocking) {
  typename known_operator<plus>::type const op{};
  ::cuda::std::equal_to<> const equal{};
  constexpr std::size_t most = std::numeric_limits<int>::max(); // as CUB is fastest with
  if (values.size() > most)
    refuse("twin", text("cub for ", values.size(), " keys"), text("cub for up to ", most));
  auto const size = static_cast<int>(values.size());
  call_cub(place, blocking, [&](void* temporary, std::size_t& bytes) {
    if (start.is_exclusive)
      return ::cub::DeviceScan::ExclusiveScanByKey(temporary, bytes, keys, values.data(), results,
                                                   op, start.init, size, equal, place.stream());
    return ::cub::DeviceScan::InclusiveScanByKey(temporary, bytes, keys, values.data(), results, op,
                                                 size, equal, place.stream());
  });
}

#define INSTANTIATE(T, Op)                                                                         \
  template void scan_to<T, T, Op>(gpu&, device_span<T const>, scan_start<T>, device_span<T>,       \
                                  twins::vendor, bool);
WARPFOLD_COMPARED_SCANS(INSTANTIATE)
#define INSTANTIATE_BY_KEY(T)                                                                      \
  template void scan_by_key_of_vendor(gpu&, std::int32_t const*, device_span<T const>,             \
                                      scan_start<T>, T*, twins::vendor, bool);
WARPFOLD_COMPARED_SCANS_BY_KEY(INSTANTIATE_BY_KEY)

} // namespace warpfold::inline v0::detail
