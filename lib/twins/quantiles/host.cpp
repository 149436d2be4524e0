// Order statistics and top_k on a host by Thrust's sort on OpenMP.

#include "twins/call.hpp"
#include "twins/checks.hpp"

#include <warpfold/twins/quantiles.hpp>

#include <thrust/sort.h>

#include <numeric>
#include <vector>

namespace warpfold::inline v0::detail {

template <class T>
void select_by_sorting(host const& place, std::span<T const> values, selection const& asked,
                       T* results, twins::vendor twin, bool blocking) {
  check_vendor(twin, false, true);
  if (twin == twins::fold)
    return select_to<selection_key<T>>(place, values.data(), values.size(), asked, results,
                                       blocking);
  std::vector<T> sorted(values.begin(), values.end());
  call_thrust(place, [&](auto const& policy) {
    // By a comparison that Thrust does not know: what CCCL 3.0 does by radix on a host puts
    // negative integers in the wrong order.
    ::thrust::sort(policy, sorted.data(), sorted.data() + sorted.size(),
                   [](T a, T b) { return a < b; });
  });
  for (int p = 0; p < asked.count; ++p)
    results[p] = sorted[static_cast<std::size_t>(asked.rank[2 * p])];
}

template <class T>
void top_by_sorting(host const& place, std::span<T const> values, selection const&,
                    top_k_options const& options, std::span<T> results,
                    std::span<std::uint64_t> positions, twins::vendor twin, bool) {
  check_vendor(twin, false, true);
  if (twin == twins::fold) return top_k(place, values, results, positions, options);
  std::vector<std::uint64_t> sorted(values.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  call_thrust(place, [&](auto const& policy) {
    ::thrust::stable_sort(policy, sorted.data(), sorted.data() + sorted.size(),
                          [&](std::uint64_t i, std::uint64_t j) {
                            return options.smallest ? values[i] < values[j] : values[j] < values[i];
                          });
  });
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = values[positions[i] = sorted[i]];
}

#define INSTANTIATE(T)                                                                             \
  template void select_by_sorting<T>(host const&, std::span<T const>, selection const&, T*,        \
                                     twins::vendor, bool);                                         \
  template void top_by_sorting<T>(host const&, std::span<T const>, selection const&,               \
                                  top_k_options const&, std::span<T>, std::span<std::uint64_t>,    \
                                  twins::vendor, bool);
INSTANTIATE(std::int32_t)
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::detail
