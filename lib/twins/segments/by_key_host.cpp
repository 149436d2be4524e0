// Reductions by key on a host by Thrust on OpenMP, and what both places refuse.

#include "instances.hpp"
#include "twins/call.hpp"
#include "twins/checks.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/twins/by_key.hpp>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>

#include <functional>

namespace warpfold::inline v0::detail {

void check_by_key_vendor(twins::vendor twin, bool on_gpu) {
  check_vendor(twin, on_gpu, true);
  check_has_thrust(twin, !on_gpu); // on a gpu thrust's is cub
}
void check_by_key_room(by_key_arrays const& arrays, twins::vendor twin) {
  check_room(arrays.keys.size, arrays.unique.size, twin, "unique");
  check_room(arrays.keys.size, arrays.results.size, twin, arrays.results_name);
}
void check_by_key_init(double init, twins::vendor twin) {
  if (!(init == 0)) refuse("init", text(init), text("0: ", to_string(twin), " has no other"));
}

namespace {

template <class K, class Values, class A>
void by_thrust(host const& place, std::span<K const> keys, Values values, K* unique, A* results,
               std::uint64_t* count) {
  auto const ends = call_thrust(place, [&](auto const& policy) {
    return ::thrust::reduce_by_key(policy, keys.data(), keys.data() + keys.size(), values, unique,
                                   results, std::equal_to<K>{}, plus{});
  });
  *count = static_cast<std::uint64_t>(ends.first - unique);
}

} // namespace

template <class K, class T>
void sum_by_key_of_vendor(host const& place, std::span<K const> keys, T const* values, K* unique,
                          T* results, std::uint64_t* count, bool) {
  by_thrust(place, keys, values, unique, results, count);
}

template <class K>
void run_lengths_of_vendor(host const& place, std::span<K const> keys, K* unique,
                           std::uint64_t* lengths, std::uint64_t* count, bool) {
  by_thrust(place, keys, ::thrust::constant_iterator<std::uint64_t>(1), unique, lengths, count);
}

#define INSTANTIATE(T)                                                                             \
  template void sum_by_key_of_vendor(host const&, std::span<std::uint32_t const>, T const*,        \
                                     std::uint32_t*, T*, std::uint64_t*, bool);
WARPFOLD_COMPARED_BY_KEY(INSTANTIATE)
template void run_lengths_of_vendor(host const&, std::span<std::uint32_t const>, std::uint32_t*,
                                    std::uint64_t*, std::uint64_t*, bool);

} // namespace warpfold::inline v0::detail
