// Reductions by key on a GPU by cub::DeviceReduce::ReduceByKey and cub::DeviceRunLengthEncode.

#include "instances.hpp"
#include "twins/call.cuh"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/twins/by_key.hpp>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include <cstdint>
#include <limits>

namespace warpfold::inline v0::detail {

namespace {

/// The number of keys as CUB is fastest with.
int key_count(std::size_t keys) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (keys > most) refuse("twin", text("cub for ", keys, " keys"), text("cub for up to ", most));
  return static_cast<int>(keys);
}

} // namespace

template <class K, class T>
void sum_by_key_of_vendor(gpu& place, device_span<K const> keys, T const* values, K* unique,
                          T* results, std::uint64_t* count, bool blocking) {
  int const size = key_count(keys.size());
  call_cub(place, blocking, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceReduce::ReduceByKey(temporary, bytes, keys.data(), unique, values, results,
                                            count, known_operator<plus>::type{}, size,
                                            place.stream());
  });
}

template <class K>
void run_lengths_of_vendor(gpu& place, device_span<K const> keys, K* unique, std::uint64_t* lengths,
                           std::uint64_t* count, bool blocking) {
  int const size = key_count(keys.size());
  call_cub(place, blocking, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceRunLengthEncode::Encode(temporary, bytes, keys.data(), unique, lengths,
                                                count, size, place.stream());
  });
}

#define INSTANTIATE(T)                                                                             \
  template void sum_by_key_of_vendor(gpu&, device_span<std::uint32_t const>, T const*,             \
                                     std::uint32_t*, T*, std::uint64_t*, bool);
WARPFOLD_COMPARED_BY_KEY(INSTANTIATE)
template void run_lengths_of_vendor(gpu&, device_span<std::uint32_t const>, std::uint32_t*,
                                    std::uint64_t*, std::uint64_t*, bool);

} // namespace warpfold::inline v0::detail
