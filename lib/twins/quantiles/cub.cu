// Order statistics and top_k on a GPU by cub::DeviceRadixSort.

#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/twins/quantiles.hpp>

#include <cub/device/device_radix_sort.cuh>
#include <thrust/device_ptr.h>
#include <thrust/sequence.h>

#include <cstdint>
#include <limits>

namespace warpfold::inline v0::detail {

template <class T>
void select_by_sorting(gpu& place, device_span<T const> values, selection const& asked, T* results,
                       twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  check_has_thrust(twin, false); // on a gpu thrust's sort is cub's
  if (twin == twins::fold)
    return select_to<selection_key<T>>(place, values.data(), values.size(), asked, results,
                                       blocking);
  device_guard const current{place.device()};
  std::size_t const sorted = (values.size_bytes() + 255) / 256 * 256;
  auto const sort = [&](auto size) {
    call_cub(place, blocking, [&](void* memory, std::size_t& bytes) {
      auto* const base = static_cast<unsigned char*>(memory);
      if (base) bytes -= sorted;
      cudaError_t const status = ::cub::DeviceRadixSort::SortKeys(
          base ? base + sorted : nullptr, bytes, values.data(), reinterpret_cast<T*>(base), size, 0,
          static_cast<int>(8 * sizeof(T)), place.stream());
      bytes += sorted;
      return status;
    });
  };
  auto const size = static_cast<std::int64_t>(values.size());
  if (size <= std::numeric_limits<std::int32_t>::max()) sort(static_cast<std::int32_t>(size));
  else sort(size);
  auto const* const elements = static_cast<T const*>(gpu_scratch(place).workspace(sorted));
  for (int p = 0; p < asked.count; ++p)
    check(cudaMemcpyAsync(results + p, elements + asked.rank[2 * p], sizeof(T),
                          cudaMemcpyDeviceToDevice, place.stream()));
}

template <class T>
void top_by_sorting(gpu& place, device_span<T const> values, selection const&,
                    top_k_options const& options, device_span<T> results,
                    device_span<std::uint64_t> positions, twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  check_has_thrust(twin, false);
  if (twin == twins::fold)
    return blocking ? top_k(place, values, results, positions, options)
                    : top_k_async(place, values, results, positions, options);
  device_guard const current{place.device()};
  auto const size = static_cast<std::int64_t>(values.size());
  std::size_t const keys = (values.size_bytes() + 255) / 256 * 256, own = keys + 16 * values.size();
  T* sorted = nullptr;
  std::uint64_t *from = nullptr, *to = nullptr;
  call_cub(place, blocking, [&](void* memory, std::size_t& bytes) {
    auto* const base = static_cast<unsigned char*>(memory);
    std::size_t const own_rounded = (own + 255) / 256 * 256;
    void* temporary = nullptr;
    if (base) {
      bytes -= own_rounded;
      temporary = base + own_rounded;
      sorted = reinterpret_cast<T*>(base);
      from = reinterpret_cast<std::uint64_t*>(base + keys);
      to = from + size;
      enqueue_thrust(place.stream(), [&](auto const& policy) {
        ::thrust::sequence(policy, ::thrust::device_pointer_cast(from),
                           ::thrust::device_pointer_cast(to));
      });
    }
    int const bits = static_cast<int>(8 * sizeof(T));
    cudaError_t const status =
        options.smallest
            ? ::cub::DeviceRadixSort::SortPairs(temporary, bytes, values.data(), sorted, from, to,
                                                size, 0, bits, place.stream())
            : ::cub::DeviceRadixSort::SortPairsDescending(temporary, bytes, values.data(), sorted,
                                                          from, to, size, 0, bits, place.stream());
    bytes += own_rounded;
    return status;
  });
  auto const copy = [&](void* there, void const* here, std::size_t bytes) {
    check(cudaMemcpyAsync(there, here, bytes, cudaMemcpyDeviceToDevice, place.stream()));
  };
  copy(results.data(), sorted, results.size_bytes());
  copy(positions.data(), to, positions.size_bytes());
}

#define INSTANTIATE(T)                                                                             \
  template void select_by_sorting<T>(gpu&, device_span<T const>, selection const&, T*,             \
                                     twins::vendor, bool);                                         \
  template void top_by_sorting<T>(gpu&, device_span<T const>, selection const&,                    \
                                  top_k_options const&, device_span<T>,                            \
                                  device_span<std::uint64_t>, twins::vendor, bool);
INSTANTIATE(std::int32_t)
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::detail
