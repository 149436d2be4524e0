// Compaction on a GPU by cub::DeviceSelect::If.

#include "checks.hpp"
#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/error.hpp>

#include <cub/device/device_select.cuh>

#include <cstdint>
#include <string>

namespace warpfold::inline v0::detail {
namespace {

/// CUB 3.0 (CUDA 13.0) works on 2^31 - 1 elements at a time. Where it selected almost all of so
/// many, it wrote outside of the output (NVIDIA H200, 2026-11-21; in a program of its own too).
constexpr std::size_t most_for_cub = (std::size_t{1} << 31) - (std::size_t{1} << 16);

} // namespace

template <class T, class Predicate>
void compact_to(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
                std::uint64_t* count, twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  if (twin == twins::fold) return compact_to(place, values, predicate, output, count, blocking);
  if (twin == twins::thrust) throw argument_error("twin", "on a gpu thrust::copy_if is cub");
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  if (values.size() > most_for_cub)
    throw argument_error("twin", "cub selects from up to " + std::to_string(most_for_cub) +
                                     " elements, not " + std::to_string(values.size()));
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

} // namespace warpfold::inline v0::detail
