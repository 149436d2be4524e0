// Scans on a host by Thrust on OpenMP.

#include "instances.hpp"
#include "twins/call.hpp"
#include "twins/checks.hpp"

#include <thrust/scan.h>

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

#define INSTANTIATE(T, Op)                                                                         \
  template void scan_to<T, T, Op>(host const&, std::span<T const>, scan_start<T>, std::span<T>,    \
                                  twins::vendor, bool);
WARPFOLD_COMPARED_SCANS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
