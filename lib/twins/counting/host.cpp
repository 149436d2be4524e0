// Compaction on a host by Thrust on OpenMP, which has no histogram.

#include "instances.hpp"
#include "twins/call.hpp"
#include "twins/checks.hpp"

#include <thrust/copy.h>

#include <cstdint>

namespace warpfold::inline v0::detail {

template <class T>
void histogram_to(host const& place, std::span<T const> values, bins_of<T> const& bins,
                  std::span<std::uint64_t> counts, twins::vendor twin, bool) {
  check_vendor(twin, false, true);
  check_has_thrust(twin, false);
  histogram_to<T>(place, values, bins, counts);
}

template <class T, class Predicate>
void compact_to(host const& place, std::span<T const> values, Predicate predicate,
                std::span<T> output, std::uint64_t* count, twins::vendor twin, bool blocking) {
  check_vendor(twin, false, true);
  if (twin == twins::fold) return compact_to(place, values, predicate, output, count, blocking);
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  check_room(values.size(), output.size(), twin);
  auto* const copied = call_thrust(place, [&](auto const& policy) {
    return ::thrust::copy_if(policy, values.data(), values.data() + values.size(), output.data(),
                             predicate);
  });
  *count = static_cast<std::uint64_t>(copied - output.data());
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void compact_to<T, Predicate>(host const&, std::span<T const>, Predicate, std::span<T>, \
                                         std::uint64_t*, twins::vendor, bool);
WARPFOLD_COMPARED_SELECTIONS(INSTANTIATE)
#undef INSTANTIATE
#define INSTANTIATE(T)                                                                             \
  template void histogram_to<T>(host const&, std::span<T const>, bins_of<T> const&,                \
                                std::span<std::uint64_t>, twins::vendor, bool);
WARPFOLD_COMPARED_HISTOGRAMS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
