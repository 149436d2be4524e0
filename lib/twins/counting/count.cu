// Counts on a GPU by cub::DeviceReduce::TransformReduce and thrust::count_if.

#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/detail/core/output.hpp>

#include <cub/device/device_reduce.cuh>
#include <thrust/count.h>

#include <cstdint>

namespace warpfold::inline v0::detail {
namespace {

template <class T, class Predicate>
void count_by_cub(gpu& place, device_span<T const> values, Predicate predicate,
                  count_answer const& answer, bool may_allocate) {
  storing<count_answer> const output{answer};
  call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(
        temporary, bytes, values.data(), output, values.size(), plus{},
        one_if<Predicate, std::uint64_t>{predicate}, std::uint64_t{0}, place.stream());
  });
}

template <class T, class Predicate>
void count_by_thrust(gpu& place, device_span<T const> values, Predicate predicate,
                     count_answer const& answer) {
  answer(static_cast<std::uint64_t>(call_thrust(place, [&](auto const& policy) {
    return ::thrust::count_if(policy, values.data(), values.data() + values.size(), predicate);
  })));
}

} // namespace

template <class T, class Predicate>
void count_to(gpu& place, device_span<T const> values, Predicate predicate,
              count_answer const& answer, twins::vendor twin, bool blocking) {
  check_vendor(twin, true, blocking);
  if (twin == twins::fold) return count_to(place, values, predicate, answer);
  check_elements("values", values.data(), values.size());
  if (twin == twins::cub) count_by_cub(place, values, predicate, answer, blocking);
  else count_by_thrust(place, values, predicate, answer);
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void count_to<T, Predicate>(gpu&, device_span<T const>, Predicate, count_answer const&, \
                                       twins::vendor, bool);
WARPFOLD_COMPARED_COUNTS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
