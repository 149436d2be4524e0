// Scans on a host by Thrust on OpenMP.

#include "instances.hpp"
#include "twins/call.hpp"
#include "twins/checks.hpp"

#include <thrust/scan.h>

#include <functional>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op>
void scan_to(host const& place, std::span<T const> values, scan_start<A> start,
             std::span<A> results, twins::vendor twin, bool blocking) {
  check_vendor(twin, false, true);
  if (twin == twins::fold) return scan_to<T, A, Op>(place, values, start, results, blocking);
  check_elements("values", values.data(), values.size());
  check_scan(values.data(), values.size(), results.data(), results.size());
  T const* const first = values.data();
  T const* const last = first + values.size();
  call_thrust(place, [&](auto const& policy) {
    if (start.is_exclusive)
      ::thrust::exclusive_scan(policy, first, last, results.data(), start.init, Op{});
    else ::thrust::inclusive_scan(policy, first, last, results.data(), Op{});
  });
}

void check_scan_by_key_vendor(twins::vendor twin, bool on_gpu) {
  check_vendor(twin, on_gpu, true);
  check_has_thrust(twin, !on_gpu); // on a gpu thrust's scans are cub's
}

template <class T>
void scan_by_key_of_vendor(host const& place, std::int32_t const* keys, std::span<T const> values,
                           scan_start<T> start, T* results, twins::vendor, bool) {
  T const* const first = values.data();
  call_thrust(place, [&](auto const& policy) {
    std::equal_to<std::int32_t> const equal{};
    if (start.is_exclusive)
      ::thrust::exclusive_scan_by_key(policy, keys, keys + values.size(), first, results,
                                      start.init, equal, plus{});
    else
      ::thrust::inclusive_scan_by_key(policy, keys, keys + values.size(), first, results, equal,
                                      plus{});
  });
}

#define INSTANTIATE(T, Op)                                                                         \
  template void scan_to<T, T, Op>(host const&, std::span<T const>, scan_start<T>, std::span<T>,    \
                                  twins::vendor, bool);
WARPFOLD_COMPARED_SCANS(INSTANTIATE)
#define INSTANTIATE_BY_KEY(T)                                                                      \
  template void scan_by_key_of_vendor(host const&, std::int32_t const*, std::span<T const>,        \
                                      scan_start<T>, T*, twins::vendor, bool);
WARPFOLD_COMPARED_SCANS_BY_KEY(INSTANTIATE_BY_KEY)

} // namespace warpfold::inline v0::detail
